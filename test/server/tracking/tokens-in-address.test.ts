import { describe, expect, it } from 'vitest'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { createAffiliate, createSeller, listed } from '../../support/factories.ts'
import { click, createPage, roomy } from '../../support/tracking.ts'

const app = await createTestApp({ tracking: roomy })
let callers = 0
const someone = () => {
  callers += 1
  return { 'X-Forwarded-For': `203.0.113.${callers}` }
}
const behind = [
  '%20',
  '.',
  ')',
  ',',
  '"',
  ']',
  '%22',
  '%E2%80%8B',
  '%C2%A0',
  '%2520',
  '%E2%80',
  '.)',
  '%0A',
  '&utm_source=x',
  '%E2%80%9D',
  '%EF%BC%89',
]
const recordVisit =
  'mutation ($token: String!) { recordVisit(input: { token: $token }) { referral { affiliate { id } } } }'

async function programWith(token: string) {
  const program = await app.createProgram({ url: 'https://acme.test/' })
  await app.operator(
    'mutation ($id: ID!) { updateProgram(input: { id: $id, linkParameters: ["fpr"] }) { program { id } } }',
    { id: program.id },
  )
  const { affiliate, campaign } = await createSeller(program, { url: 'https://acme.test/shop' })
  const link = await program.post('/affiliate_links', { affiliate_id: affiliate.id, token })
  expect(link.status).toBe(201)
  return { program, affiliate, campaign }
}
const track = async (program: TestProgram, token: string, more: object) =>
  (await createPage(app.app, program, someone()['X-Forwarded-For']).visit(token, more)).body

describe('what is behind a token in an address', () => {
  it('is ignored on every way in', async () => {
    const { program, affiliate } = await programWith('ada')
    for (const text of behind) {
      const found = new Set<string | null>()
      for (const path of [`/r/${program.slug}/ada${text}`, `/r/${program.slug}?fpr=ada${text}`]) {
        const { location } = await click(app.app, path, someone())
        expect(location, path).toMatch(/^https:\/\/acme\.test\/shop\?.*via=ada&referral=/)
        found.add(new URL(location).searchParams.get('referral'))
      }
      const token = new URLSearchParams(`token=ada${text}`).get('token')
      for (const parameter of ['via', 'fpr', undefined])
        found.add((await track(program, token ?? '', parameter ? { parameter } : {})).referral_id)
      const { recordVisit: made } = await program.graphql(recordVisit, { token: `ada${text}` })
      expect(made.referral.affiliate.id).toBe(affiliate.id)
      expect(
        [...found].filter((id) => typeof id === 'string'),
        text,
      ).toHaveLength(5)
    }
  })

  it('is one visit with the plain token, and nothing else becomes a token', async () => {
    const { program, affiliate } = await programWith('ada')
    const from = someone()
    for (const text of ['', '.', '%20']) await click(app.app, `/r/${program.slug}/ADA${text}`, from)
    expect(await listed(program, `/referrals?affiliate_id=${affiliate.id}`)).toHaveLength(1)
    for (const other of ['adam', 'a.da', 'ad', '%20', '.', '%FF'])
      expect((await click(app.app, `/r/${program.slug}/${other}`, from)).location).toBe('https://acme.test/')
  })
})

describe('a token that another service allowed', () => {
  const csv = (token: string) => `email,token\n${Math.random()}@affiliates.test,${token}`
  const importing =
    'mutation ($csv: String!) { importAffiliates(input: { csv: $csv }) { failed lines { problems { message } } } }'

  it.each(['john_doe', 'j.doe', 'john+doe', 'Jürgen', 'Straße', 'Ада', '伊藤', 'ada.'])(
    'is kept by an import, and %s leads to its affiliate in any case',
    async (token) => {
      const { program } = await programWith('ada')
      await program.graphql(importing, { csv: csv(token) })
      const { affiliateLinks } = await program.graphql(
        'query ($token: String!) { affiliateLinks(where: { token: { equals: $token } }) { nodes { token affiliate { id } } } }',
        { token: token.toUpperCase() },
      )
      const [{ token: kept, affiliate }] = affiliateLinks.nodes
      expect(kept).toBe(token)
      for (const given of [token, token.toUpperCase(), encodeURIComponent(token), `${token}%20`]) {
        for (const path of [`/r/${program.slug}/${given}`, `/r/${program.slug}?fpr=${given}`]) {
          const { location } = await click(app.app, encodeURI(path).replace(/%25/g, '%'), someone())
          expect(new URL(location).searchParams.get('via'), path).toBe(token)
        }
        const { recordVisit: made } = await program.graphql(recordVisit, { token: given })
        expect(made.referral.affiliate.id).toBe(affiliate.id)
      }
      const again = await program.graphql(importing, { csv: csv(token.toLowerCase()) })
      expect(again.importAffiliates.lines[0].problems).toMatchObject([{ message: 'Token is already in use.' }])
    },
  )

  it('cannot be given to a new link', async () => {
    const { program, affiliate } = await programWith('ada')
    const made = await program.post('/affiliate_links', { affiliate_id: affiliate.id, token: 'john_doe' })
    expect([made.status, made.body.details]).toEqual([
      422,
      ['Token may hold letters, digits and dashes, 1 to 100 of them'],
    ])
    expect(await createAffiliate(program)).toMatchObject({ object: 'affiliate' })
  })
})
