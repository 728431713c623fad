import { getNamedType, isNonNullType } from 'graphql'
import { expect, it } from 'vitest'
import { publicSchema } from '../../src/schema/schema.ts'
import { createTestApp } from '../support/app.ts'
import { createSeller, recordLead, recordVisit, reportSale, unknownId } from '../support/factories.ts'

const app = await createTestApp()
const [program, other] = [await app.createProgram(), await app.createProgram()]

/** The queries that find one record: their only argument is `id`. */
const lookUps = Object.values(publicSchema.getQueryType()?.getFields() ?? {}).filter(
  ({ args, type }) => args.length === 1 && args[0]?.name === 'id' && 'getFields' in getNamedType(type),
)

it('every look-up by id is nullable', () => {
  expect(lookUps.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'node',
      'affiliate',
      'affiliateLink',
      'campaign',
      'commission',
      'payout',
      'refund',
      'sale',
    ]),
  )
  for (const { name, type } of lookUps) expect([name, isNonNullType(type)]).toEqual([name, false])
})

it.each([unknownId, unknownId.toUpperCase(), '', 'x', 'aff-9', '1\u0000', "' or 1=1", '018f0000-0000-7000-8000'])(
  'an id that no record has is null, without an error and beside the other fields: %j',
  async (id) => {
    const fields = lookUps.map(({ name }) => `${name}(id: $id) { id }`)
    const data = await program.graphql(`query ($id: ID!) { program { name } ${fields.join(' ')} }`, { id })
    expect(data).toEqual({ program: { name: 'Acme' }, ...Object.fromEntries(lookUps.map(({ name }) => [name, null])) })
  },
)

it("another program's record is null, and the program's own is found", async () => {
  const { affiliate, campaign, link } = await createSeller(program)
  const { id } = await recordVisit(program, link.token)
  await recordLead(program, id, 'ada@example.com')
  const { sale_id, commission } = await reportSale(program, { referral_id: id })
  const query = `{ node(id: "${sale_id}") { id } sale(id: "${sale_id}") { id } affiliate(id: "${affiliate.id}") { id }
    campaign(id: "${campaign.id}") { id } affiliateLink(id: "${link.id}") { id } referral(id: "${id}") { id }
    commission(id: "${commission.id}") { id } }`
  const [theirs, own] = [await other.graphql(query), await program.graphql(query)]
  expect(Object.values(theirs)).toEqual(Object.values(theirs).map(() => null))
  expect(Object.values(own)).toEqual(Object.values(own).map(() => ({ id: expect.any(String) })))
})

it.each([
  ['updateAffiliate', 'Affiliate', 'affiliate'],
  ['updateCampaign', 'Campaign', 'campaign'],
  ['updateAffiliateLink', 'Affiliate link', 'affiliateLink'],
  ['voidCommission', 'Commission', 'commission'],
  ['payPayout', 'Payout', 'payout'],
])('%s still returns NOT_FOUND for an unknown id', async (mutation, noun, field) => {
  const query = `mutation { ${mutation}(input: { id: "${unknownId}" }) { ${field} { id } } }`
  await expect(program.graphql(query)).rejects.toMatchObject({
    errors: [{ message: `${noun} not found: ${unknownId}`, extensions: { code: 'NOT_FOUND' } }],
  })
})

it.each([
  ['/affiliates', 'Affiliate'],
  ['/campaigns', 'Campaign'],
  ['/affiliate_links', 'Affiliate link'],
  ['/affiliate_coupons', 'Affiliate coupon'],
  ['/commissions', 'Commission'],
  ['/payouts', 'Payout'],
])('REST returns 404 for an unknown id: %s', async (path, noun) => {
  for (const id of [unknownId, 'x']) {
    const { status, body } = await program.get(`${path}/${id}`)
    expect([status, body]).toEqual([404, { error: `${noun} not found: ${id}` }])
  }
})
