import { expect, it } from 'vitest'
import { createTestApp } from '../../../support/app.ts'
import { createAffiliate, createCoupon, createSeller, listed, unknownId } from '../../../support/factories.ts'

const app = await createTestApp()
const program = await app.createProgram()

const refusal = async (fields: object) => {
  const { status, body } = await program.post('/affiliate_coupons', fields)
  expect(status).toBe(422)
  expect(body.error).toBe('Could not create affiliate coupon.')
  return body.details
}

it('201 returns the coupon with exactly the documented fields', async () => {
  const affiliate = await createAffiliate(program)
  const { status, body } = await program.post('/affiliate_coupons', { affiliate_id: affiliate.id, token: 'Ada-20' })
  expect(status).toBe(201)
  expect(body).toEqual({
    id: expect.any(String),
    object: 'affiliate_coupon',
    token: 'Ada-20',
    affiliate_id: affiliate.id,
  })
  expect((await program.get(`/affiliates/${affiliate.id}`)).body.coupon).toEqual(body)
})

it('422 for a second coupon of an affiliate', async () => {
  const { id } = await createAffiliate(program)
  await createCoupon(program, id, 'FIRST')
  expect(await refusal({ affiliate_id: id, token: 'SECOND' })).toEqual(['Affiliate already has a coupon.'])
  expect((await program.get(`/affiliates/${id}`)).body.coupon.token).toBe('FIRST')
})

it('422 for a token that another coupon has, ignoring case', async () => {
  await createCoupon(program, (await createAffiliate(program)).id, 'Summer')
  const { id } = await createAffiliate(program)
  expect(await refusal({ affiliate_id: id, token: 'sUmMeR' })).toEqual(['Token is already in use.'])
})

it('201 for a token that a link has, but no coupon', async () => {
  const { id } = await createAffiliate(program, { token: 'linked' })
  expect((await program.post('/affiliate_coupons', { affiliate_id: id, token: 'linked' })).status).toBe(201)
})

it.each([unknownId, 'nonsense'])('422 for the unknown affiliate %s', async (affiliateId) => {
  expect(await refusal({ affiliate_id: affiliateId, token: 'X1' })).toEqual(['Affiliate not found.'])
})

it('422 reports every problem at once', async () => {
  expect(await refusal({})).toEqual(["Affiliate can't be blank", "Token can't be blank"])
  const { id } = await createAffiliate(program)
  await createCoupon(program, id, 'BUSY')
  expect(await refusal({ affiliate_id: id, token: 'busy' })).toHaveLength(2)
})

it.each(['two  blanks', 'a/b', 'a,b', '€20', '\u200b', 'tab\tinside', 'a'.repeat(101), 'ﷺ'.repeat(7)])(
  '422 for the token %j',
  async (token) => {
    const { id } = await createAffiliate(program)
    expect(await refusal({ affiliate_id: id, token })).toEqual([expect.stringMatching(/^Token /)])
  },
)

it('GET /affiliate_coupons lists coupons newest first, and filters by affiliate', async () => {
  const own = await app.createProgram()
  const [one, two, none] = [await createAffiliate(own), await createAffiliate(own), await createAffiliate(own)]
  const first = await createCoupon(own, one.id)
  const second = await createCoupon(own, two.id)
  expect(await listed(own, '/affiliate_coupons')).toEqual([second, first])
  expect(await listed(own, `/affiliate_coupons?affiliate_id=${one.id}`)).toEqual([first])
  expect(await listed(own, `/affiliate_coupons?affiliate_id=${none.id}`)).toEqual([])
})

const codes: [name: string, code: string, typed: string][] = [
  ['blanks and signs', 'Summer 20%+_.-', 'SUMMER 20%+_.-'],
  ['letters of other scripts', 'Größe-ЛЕТО-夏', 'GRÖSSE-лето-夏'],
  ['marks of letters', 'नमस्ते', 'नमस्ते'],
  ['digits of other scripts', '٢٠٢٧', '٢٠٢٧'],
  ['wide letters', 'ＡＤＡ２１', 'ada21'],
  ['accents in two ways', 'Cafe\u0301', 'CAFÉ'],
  ['a last sigma', 'ΠΑΥΛΟΣ', 'παυλος'],
  ['characters that nobody sees', '\u200b\u00a0Hidden\u00ad7\ufeff ', '\u2060hidden7\u3000'],
]

it.each(codes)('a code with %s is taken, and found as customers type it', async (_name, token, typed) => {
  const { id } = await createAffiliate(program)
  const { status, body } = await program.post('/affiliate_coupons', { affiliate_id: id, token })
  expect([status, body.token]).toEqual([201, token.replace(/[\u200b\u00ad\ufeff]/g, '').trim()])
  const other = await createAffiliate(program)
  expect(await refusal({ affiliate_id: other.id, token: typed })).toEqual(['Token is already in use.'])
  const sale = await program.post('/conversions', { coupon: typed, amount_cents: 1_000 })
  expect([sale.status, sale.body.commission.affiliate_id]).toEqual([201, id])
  const found = await program.graphql(
    'query ($token: String!) { affiliateCoupons(where: { token: { equals: $token } }) { nodes { affiliateId } } }',
    { token: typed },
  )
  expect(found.affiliateCoupons.nodes).toEqual([{ affiliateId: id }])
})

it('a rule for a coupon holds for the code as customers type it', async () => {
  const { affiliate, campaign } = await createSeller(program)
  const other = await createAffiliate(program, { campaign_id: campaign.id })
  await createCoupon(program, other.id, 'Frühling 25%')
  const input = { campaignId: campaign.id, name: 'Spring', appliesTo: 'ALL_SALES', reward: { percent: 25 } }
  await program.graphql(
    'mutation ($input: CreateCommissionRuleInput!) { createCommissionRule(input: $input) { __typename } }',
    { input: { ...input, conditions: { couponTokens: ['FRÜHLING 25%'], affiliateIds: [other.id, affiliate.id] } } },
  )
  const { body } = await program.post('/conversions', { coupon: 'fru\u0308hling 25%', amount_cents: 10_000 })
  expect(body.commission.amount).toBe(2_500)
})
