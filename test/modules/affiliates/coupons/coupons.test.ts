import { describe, expect, it } from 'vitest'
import { createSupersetKey } from '../../../rest/convention/keys.ts'
import { createTestApp } from '../../../support/app.ts'
import { createAffiliate, createCoupon, createSeller, listed, unknownId } from '../../../support/factories.ts'

const app = await createTestApp()
const program = await app.createProgram()
const superset = await createSupersetKey(app, program)

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

describe('several coupons of an affiliate', () => {
  const change = (verb: 'archive' | 'unarchive' | 'delete', id: string) =>
    program.graphql(`mutation ($id: ID!) { ${verb}AffiliateCoupon(input: { id: $id }) { __typename } }`, { id })
  const seen = async (id: string) => {
    const { affiliate } = await program.graphql(
      'query ($id: ID!) { affiliate(id: $id) { coupon { token } coupons { nodes { token } } } }',
      { id },
    )
    const { body } = await program.get(`/affiliates/${id}`)
    const { body: whole } = await superset.get(`/affiliates/${id}`)
    const { body: list } = await superset.get(`/affiliates?email=${body.email}`)
    const exported = await program.send(`/exports/affiliates?format=ndjson&email=${body.email}`, {})
    const first = affiliate.coupon?.token ?? null
    expect(list.data[0].coupons).toEqual(whole.coupons)
    expect([body.coupon?.token ?? null, whole.coupon?.token ?? null]).toEqual([first, first])
    expect(JSON.parse(exported.body).coupon_token).toBe(first)
    expect(whole.coupons.map(({ token }: any) => token).reverse()).toEqual(
      affiliate.coupons.nodes.map(({ token }: any) => token),
    )
    return [first, whole.coupons.map(({ token }: any) => token)]
  }

  it('`coupon` is the oldest that is not archived, `coupons` are all of these, everywhere', async () => {
    const { id } = await createAffiliate(program)
    expect(await seen(id)).toEqual([null, []])
    const [one, two, three] = [
      await createCoupon(program, id, 'FIRST'),
      await createCoupon(program, id, 'SECOND'),
      await createCoupon(program, id, 'THIRD'),
    ]
    expect(await seen(id)).toEqual(['FIRST', ['FIRST', 'SECOND', 'THIRD']])
    await change('archive', one.id)
    expect(await seen(id)).toEqual(['SECOND', ['SECOND', 'THIRD']])
    await change('archive', three.id)
    await change('delete', two.id)
    expect(await seen(id)).toEqual([null, []])
    await change('unarchive', three.id)
    await change('unarchive', one.id)
    expect(await seen(id)).toEqual(['FIRST', ['FIRST', 'THIRD']])
    const all = await program.graphql(
      'query ($id: ID!) { affiliate(id: $id) { coupons(includeArchived: true) { nodes { token } } } }',
      { id },
    )
    expect(all.affiliate.coupons.nodes).toHaveLength(2)
  })

  it('a sale by any of them counts for the affiliate, and for that coupon', async () => {
    const { id } = await createAffiliate(program)
    await createCoupon(program, id, 'SPRING-1')
    await createCoupon(program, id, 'SPRING-2')
    const { body } = await program.post('/conversions', { coupon: 'spring-2', amount_cents: 1_000 })
    expect(body.commission.affiliate_id).toBe(id)
    const { coupons } = (await superset.get(`/affiliates/${id}`)).body
    expect(coupons.map(({ conversions }: any) => conversions)).toEqual([0, 1])
    const found = await program.graphql(
      `{ affiliates(where: { coupons: { some: { token: { equals: "SPRING-2" } } } }) { nodes { id } }
        search(text: "spring-2") { coupons { affiliateId } } }`,
    )
    expect(found).toEqual({ affiliates: { nodes: [{ id }] }, search: { coupons: [{ affiliateId: id }] } })
  })
})

describe('the discount of a coupon', () => {
  const create = async (discount: object) => {
    const { id } = await createAffiliate(program)
    const input = { affiliateId: id, token: `SAVE-${id.slice(-6)}`, discount }
    const { createAffiliateCoupon } = await program.graphql(
      `mutation ($input: CreateAffiliateCouponInput!) { createAffiliateCoupon(input: $input) { affiliateCoupon {
        id affiliateId token discount { percent amountCents currency } } } }`,
      { input },
    )
    return createAffiliateCoupon.affiliateCoupon
  }

  it.each([
    [{ percent: 12.5 }, { percent: 12.5, amountCents: null, currency: null }],
    [{ amountCents: 500 }, { percent: null, amountCents: 500, currency: 'usd' }],
    [
      { amountCents: 500, currency: 'EUR' },
      { percent: null, amountCents: 500, currency: 'eur' },
    ],
  ])('%j is kept', async (given, shown) => {
    expect((await create(given)).discount).toEqual(shown)
  })

  it.each([
    [{}, 'Discount must be a percentage or an amount.'],
    [{ percent: 10, amountCents: 5 }, 'Discount must be a percentage or an amount.'],
    [{ percent: 0 }, 'Percent must be above 0'],
    [{ percent: 101 }, expect.stringContaining('Percent must be a number from 0 to 100')],
    [{ percent: 10, currency: 'eur' }, 'Currency is only for an amount: a percentage has none'],
  ])('%j is rejected', async (given, message) => {
    const problem = await create(given).catch(({ errors }) => errors[0].extensions.problems[0])
    expect(problem.message).toEqual(message)
    expect(problem.path.slice(0, 2)).toEqual(['input', 'discount'])
  })

  it('is changed and removed, with an entry in the history, and REST does not show it', async () => {
    const { id, affiliateId, token } = await create({ percent: 20 })
    const update = (discount: object | null) =>
      program.graphql(
        'mutation ($input: UpdateAffiliateCouponInput!) { updateAffiliateCoupon(input: $input) { affiliateCoupon { discount { percent } } } }',
        { input: { id, discount } },
      )
    await update({ amountCents: 1_000, currency: 'eur' })
    expect((await update(null)).updateAffiliateCoupon.affiliateCoupon.discount).toBeNull()
    const { affiliate } = await program.graphql(
      'query ($id: ID!) { affiliate(id: $id) { history(first: 3) { nodes { action changes { field from to } } } } }',
      { id: affiliateId },
    )
    const named = { field: 'token', from: token, to: token }
    expect(affiliate.history.nodes).toEqual([
      { action: 'COUPON_DISCOUNT_CHANGED', changes: [named, { field: 'discount', from: '10.00 EUR', to: null }] },
      { action: 'COUPON_DISCOUNT_CHANGED', changes: [named, { field: 'discount', from: '20 %', to: '10.00 EUR' }] },
      {
        action: 'COUPON_CREATED',
        changes: [
          { field: 'token', from: null, to: token },
          { field: 'discount', from: null, to: '20 %' },
        ],
      },
    ])
    expect(Object.keys((await program.get(`/affiliate_coupons/${id}`)).body)).toEqual([
      'id',
      'object',
      'token',
      'affiliate_id',
    ])
  })
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

it('compares codes by full case folding', async () => {
  const program = await app.createProgram()
  const pairs = [
    ['GROẞ10', 'groß10', 'GROSS10'],
    ['ΣΟΦΟΣ', 'σοφος', 'σοφοσ'],
    ['İNDİRİM', 'indirim', 'INDIRIM', 'ındırım'],
    ['ﬁrst', 'FIRST'],
    ['ÉTÉ', 'e\u0301te\u0301'],
  ]
  for (const [code = '', ...others] of pairs) {
    const affiliate = await createAffiliate(program)
    const body = { affiliate_id: affiliate.id }
    expect((await program.post('/affiliate_coupons', { ...body, token: code })).status).toBe(201)
    for (const other of others) {
      expect((await program.post('/affiliate_coupons', { ...body, token: other })).status, other).toBe(422)
      const sale = await program.post('/conversions', { coupon: other, amount_cents: 1000 })
      expect([sale.status, sale.body.commission?.affiliate_id], other).toEqual([201, affiliate.id])
    }
  }
})
