import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { adminToken, createTestApp, graphqlClient, restClient } from '../../support/app.ts'
import { reportSale } from '../../support/factories.ts'
import {
  agreedSeller,
  cancel,
  createInvoices,
  german,
  type ReadInvoice,
  setUpInvoices,
} from '../../support/invoices.ts'
import { pagesOfPdf } from '../../support/pdf.ts'
import { closeMonth } from '../../support/statements.ts'

const test = await createTestApp({ startsAt: '2026-10-10T12:00:00.000Z' })
const program = await test.createProgram({ currency: 'eur', timeZone: 'Europe/Berlin', locale: 'de-DE' })
await setUpInvoices(program, { numberPrefix: 'AFF-' })
const ada = await agreedSeller(test, program, { ...german, taxId: '12/345/67890' })
const ben = await agreedSeller(test, program, {
  ...german,
  legalName: 'Ben Kleinunternehmer',
  recipientType: 'PERSON',
  vatId: null,
  taxId: '12/345/67890',
  isSmallBusiness: true,
})
for (let sale = 1; sale <= 12; sale += 1)
  await reportSale(program, { coupon: ada.coupon, external_id: `a${sale}`, amount_cents: 11_990, currency: 'eur' })
await reportSale(program, { coupon: ben.coupon, external_id: 'b1', amount_cents: 5_000, currency: 'eur' })
await program.graphql(
  'mutation ($id: ID!) { createCommission(input: { affiliateId: $id, kind: BONUS, amountCents: 2500, reason: "Spring" }) { commission { id } } }',
  { id: ada.affiliate.id },
)
test.clock.advanceDays(25)
await closeMonth(program, '2026-10')
const { invoices } = await createInvoices(program, '2026-10')
const [ofAda, ofBen] = [ada, ben].map(({ affiliate }) => invoices.find((one) => one.affiliateId === affiliate.id)) as [
  ReadInvoice,
  ReadInvoice,
]

const plain = (text: string) => text.replace(/\p{Zs}/gu, ' ')
const read = async (ask: typeof program.graphql, id: string, root = 'invoice') => {
  const query = root === 'me' ? '{ me { invoice(id: $id) { pdf } } }' : '{ invoice(id: $id) { pdf } }'
  const data = await ask(`query ($id: ID!) ${query}`, { id })
  const file = Buffer.from((data.me ?? data).invoice.pdf, 'base64')
  const folder = process.env.PDF_DIR
  if (folder) writeFileSync(`${folder}/${root}-${id}.pdf`, file)
  return plain(pagesOfPdf(file).join('\n'))
}

const change = (id: string, language: string) =>
  program.graphql('mutation ($input: UpdateAffiliateInput!) { updateAffiliate(input: $input) { affiliate { id } } }', {
    input: { id, language },
  })

describe('the PDF of an invoice', () => {
  it('has both parties, the lines, the tax and the sentences, in the language of the affiliate', async () => {
    const text = await read(program.graphql, ofAda.id)
    for (const part of [
      `Rechnung ${ofAda.number}`,
      'Ada Lovelace GmbH',
      'Nebenstr. 5',
      '20095 Hamburg',
      'Deutschland',
      'USt-IdNr.: DE129273398',
      'Acme GmbH',
      'USt-IdNr.: DE136695976',
      'Oktober 2026',
      '12 ×',
      'Provision',
      '168,88 €Nettobetrag',
      '32,09 €Umsatzsteuer 19 %',
      '200,97 €Gesamtbetrag',
      'Gutschrift',
    ])
      expect(text).toContain(part)
    await change(ada.affiliate.id, 'en')
    expect(await read(program.graphql, ofAda.id)).toContain(`Invoice ${ofAda.number}`)
    await change(ada.affiliate.id, 'de')
  })

  it('of a credit note names the invoice, the reason and negative amounts', async () => {
    const note = await cancel(program, ofAda.id, 'Falsche Anschrift')
    const text = await read(program.graphql, note.id)
    for (const part of [`Rechnungskorrektur ${note.number}`, `Storniert ${ofAda.number} vom`, '-200,97 €'])
      expect(text).toContain(part)
    expect(text).toContain('Grund: Falsche Anschrift')
  })

  it('has the tax id in full for the affiliate, and its end for others', async () => {
    expect(await read(program.graphql, ofBen.id)).toContain('Steuernummer: •••7890')
    expect(await read(ben.own, ofBen.id, 'me')).toContain('Steuernummer: 1234567890')
    expect(await read(program.graphql, ofBen.id)).toContain('Kleinunternehmer gemäß § 19 UStG')
  })

  it('has the end of the tax id for a person who sees what the affiliate sees', async () => {
    const headers = { Authorization: `Bearer ${adminToken}`, 'X-Program-Id': program.id }
    const { createAffiliateToken } = await graphqlClient(test.app.fetch, headers)(
      'mutation ($id: ID!) { createAffiliateToken(input: { affiliateId: $id }) { token } }',
      { id: ben.affiliate.id },
    )
    const asBen = graphqlClient(test.app.fetch, { Authorization: `Bearer ${createAffiliateToken.token}` })
    expect(await read(asBen, ofBen.id, 'me')).toContain('Steuernummer: •••7890')
  })

  it('is read with the full tax id for a reason, which is in the history', async () => {
    const { readInvoicePdf } = await program.graphql(
      'mutation ($id: ID!) { readInvoicePdf(input: { id: $id, reason: "Bookkeeping" }) { pdf } }',
      { id: ofBen.id },
    )
    expect(pagesOfPdf(Buffer.from(readInvoicePdf.pdf, 'base64')).join('')).toContain('1234567890')
    const { history } = await program.graphql(
      'query ($id: ID!) { history(subject: AFFILIATE, id: $id) { nodes { action changes { field to } } } }',
      { id: ben.affiliate.id },
    )
    const entry = history.nodes.find(({ action }: any) => action === 'TAX_ID_READ')
    expect(entry.changes).toEqual([{ field: 'taxIdReason', to: `${ofBen.number}: Bookkeeping` }])
  })

  it('is a file over REST', async () => {
    const { createApiKey } = await test.operator(
      'mutation ($id: ID!) { createApiKey(input: { programId: $id, name: "S", profile: SUPERSET }) { secret } }',
      { id: program.id },
    )
    const rest = restClient(test.app.fetch, { Authorization: `Bearer ${createApiKey.secret}` })
    const response = await rest.send(`/invoices/${ofBen.id}.pdf`, {})
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    expect(response.headers.get('content-disposition')).toContain(`${ofBen.number}.pdf`)
  })
})

it('says of a sandbox that the paper is not valid', async () => {
  const sandbox = await test.createProgram({ isSandbox: true, currency: 'eur' })
  await setUpInvoices(sandbox)
  const { coupon } = await agreedSeller(test, sandbox)
  await reportSale(sandbox, { coupon, external_id: 's1', amount_cents: 10_000, currency: 'eur' })
  const month = test.clock.now.toISOString().slice(0, 7)
  test.clock.advanceDays(31)
  await closeMonth(sandbox, month)
  const { invoices } = await createInvoices(sandbox, month)
  expect(await read(sandbox.graphql, invoices[0]?.id as string)).toContain('document of a sandbox')
})
