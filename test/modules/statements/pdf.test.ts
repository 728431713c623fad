import { describe, expect, it } from 'vitest'
import { createTestApp, restClient } from '../../support/app.ts'
import { createSeller, reportSale } from '../../support/factories.ts'
import { pagesOfPdf } from '../../support/pdf.ts'
import { closeMonth, type ReadStatement } from '../../support/statements.ts'

const test = await createTestApp({ startsAt: '2026-10-10T12:00:00.000Z' })
const program = await test.createProgram({ isSandbox: true })
const { affiliate, coupon } = await createSeller(program)
await program.graphql(
  'mutation ($id: ID!) { updateAffiliate(input: { id: $id, firstName: "Zoë", lastName: "髙橋 Ελλη Юлия Nguyễn 김" }) { affiliate { id } } }',
  { id: affiliate.id },
)
for (let number = 1; number <= 60; number += 1)
  await reportSale(program, { coupon, external_id: `in-${number}`, amount_cents: 10_000 })
test.clock.advanceDays(25)
const [statement] = (await closeMonth(program, '2026-10')) as [ReadStatement]
const readPdf = async () => {
  const { statement: read } = await program.graphql('query ($id: ID!) { statement(id: $id) { pdf } }', {
    id: statement.id,
  })
  return Buffer.from(read.pdf, 'base64')
}
const file = await readPdf()
const pages = pagesOfPdf(file)

describe('the PDF of a statement', () => {
  it('has every line, the balances, and on every page the hash and where it is verified', () => {
    expect(pages.length).toBeGreaterThan(1)
    const all = pages.join('\n')
    for (let number = 1; number <= 60; number += 1)
      expect(all).toContain(`Commission for the sale in-${number} of October 2026: 10% of $100.00`)
    expect(all).toContain('$600.00')
    for (const page of pages) {
      expect(page).toContain(`SHA-256 ${statement.hash}`)
      expect(page).toContain('http://localhost:4000/verify')
      expect(page).toContain('sandbox')
    }
  })

  it('writes names in their script, and in Latin letters if the fonts do not have it', () => {
    expect(pages[0]).toContain('Zoë 髙橋 Ελλη Юлия Nguyễn Gim')
  })

  it('has the same bytes each time', async () => {
    expect((await readPdf()).equals(file)).toBe(true)
  })

  it.each([
    ['de', 'Provision: Verkauf in-1 (Oktober 2026), 10 % von 100,00 $', 'Testumgebung'],
    ['fr', 'Commission : vente in-1 (octobre 2026), 10 % de 100,00 $US', 'environnement de test'],
    ['es', 'Comisión: venta in-1 (octubre de 2026), 10 % de 100,00 US$', 'entorno de pruebas'],
    ['pt', 'Comissão: venda in-1 (outubro de 2026), 10% de US$ 100,00', 'ambiente de testes'],
    ['ja', '報酬：売上in-1（2026年10月）、$100.00の10%', 'テスト環境'],
  ])('is in the language of the affiliate: %s', async (language, line, mark) => {
    const change = 'mutation ($input: UpdateAffiliateInput!) { updateAffiliate(input: $input) { affiliate { id } } }'
    await program.graphql(change, { input: { id: affiliate.id, language } })
    const translated = pagesOfPdf(await readPdf())
    const plain = (text: string) => text.replace(/\p{Zs}/gu, ' ')
    expect(plain(translated.join(''))).toContain(plain(line))
    for (const page of translated) expect(page).toContain(mark)
  })

  it('is a file over REST', async () => {
    const { createApiKey } = await test.operator(
      'mutation ($id: ID!) { createApiKey(input: { programId: $id, name: "S", profile: SUPERSET }) { secret } }',
      { id: program.id },
    )
    const rest = restClient(test.app.fetch, { Authorization: `Bearer ${createApiKey.secret}` })
    const response = await rest.send(`/statements/${statement.id}.pdf`, {})
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/pdf')
    expect(response.headers.get('content-disposition')).toContain('statement-2026-10-usd.pdf')
  })
})
