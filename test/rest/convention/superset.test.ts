import { beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { createAffiliate, unknownId } from '../../support/factories.ts'
import { roomy } from '../../support/tracking.ts'
import { createSupersetKey, type Words } from './keys.ts'
import { error, listOf, sso, superset } from './schemas.ts'
import { type Story, tellStory } from './story.ts'
import { validBody } from './valid-body.ts'

// The superset profile's additional fields: every response passes the strict schemas, and every value is checked.

const test = await createTestApp({ tracking: roomy, requestsPer30Seconds: 10_000 })
let program: TestProgram
let story: Story
let keys: Record<Words, Awaited<ReturnType<typeof createSupersetKey>>>

beforeAll(async () => {
  program = await test.createProgram()
  story = await tellStory(test, program)
  keys = {
    contract: await createSupersetKey(test, program),
    convention: await createSupersetKey(test, program, 'convention'),
  }
})

const wordings = ['contract', 'convention'] as const

const listSchemas = (words: Words) => {
  const { affiliate, affiliateWithStats, campaign, link, coupon, ...rest } = superset(words)
  const { referral, referralWithAffiliate, sale, commission, commissionWithAffiliate, payout, payoutWithSales } = rest
  return [
    ['/affiliates', affiliate, 3],
    ['/affiliates?expand[]=commission_stats&expand[]=campaign&expand[]=links', affiliateWithStats, 3],
    ['/campaigns', campaign, 4],
    ['/affiliate_links', link, 3],
    ['/affiliate_coupons', coupon, 1],
    ['/referrals', referral, 8],
    ['/referrals?expand=affiliate', referralWithAffiliate, 8],
    ['/sales', sale, 9],
    ['/sales?expand[]=referral&expand[]=affiliate', sale, 9],
    ['/commissions', commission, 9],
    ['/commissions?expand[]=sale&expand[]=affiliate', commissionWithAffiliate, 9],
    ['/payouts', payout, 4],
    ['/payouts?expand[]=affiliate&expand[]=commissions', payout, 4],
    ['/payouts?expand=sale', payoutWithSales, 4],
  ] as const
}

describe.each(wordings)("states in the %s's words", (words) => {
  it.each(listSchemas(words))('GET %s, and a read of each row by id', async (path, schema, rows) => {
    const key = keys[words]
    const { data } = await validBody(path, key.get(path), 200, listOf(schema))
    expect(data).toHaveLength(rows)
    const [list, query = ''] = path.split('?')
    if (list === '/referrals') return
    for (const row of data) {
      const address = `${list}/${row.id}?${query}`
      expect(await validBody(address, key.get(address), 200, schema)).toEqual(row)
    }
  })

  it('writes return the same fields', async () => {
    const key = keys[words]
    const { affiliate, affiliateWithStats, campaign, link, coupon, conversion, ...rest } = superset(words)
    const { commission, voidedCommission, payout } = rest
    const own = await createTestProgramOfItsOwn(words)
    const made = await validBody(
      'campaign',
      own.post('/campaigns', {
        name: 'A',
        url: 'https://a.test',
        commission_percent: 10,
        days_until_commissions_are_due: 0,
      }),
      201,
      campaign,
    )
    await validBody('campaign', own.put(`/campaigns/${made.id}`, { name: 'B' }), 200, campaign)
    const body = { email: 'a@b.test', campaign_id: made.id }
    const ada = await validBody('affiliate', own.post('/affiliates', body), 201, affiliate)
    const path = `/affiliates/${ada.id}`
    await validBody(
      'affiliate',
      own.put(`${path}?expand=commission_stats`, { first_name: 'A' }),
      200,
      affiliateWithStats,
    )
    const added = await validBody('link', own.post(`${path}/links`, { token: 'a-2' }), 201, link)
    await validBody('link', own.put(`/affiliate_links/${added.id}`, { token: 'a-3' }), 200, link)
    const code = { affiliate_id: ada.id, token: 'A20' }
    await validBody('coupon', own.post('/affiliate_coupons', code), 201, coupon)
    const sale = { coupon: 'A20', amount_cents: 900, external_id: 'x' }
    const first = await validBody('sale', own.post('/conversions', sale), 201, conversion)
    await validBody('sale again', own.post('/conversions', sale), 200, conversion)
    await validBody('nothing earned', own.post('/conversions', { coupon: 'A20', amount_cents: 1 }), 201, conversion)
    const { id } = first.commission as { id: string }
    await validBody('amended', own.put(`/commissions/${id}`, { amount: 80 }), 200, commission)
    const { data } = await validBody('payouts', own.get('/payouts'), 200, listOf(payout))
    const paid = await validBody('paid', own.post(`/payouts/${data[0]?.id}/pay`), 200, payout)
    expect([paid.amount, paid.state, paid.paid_by_id, paid.commissions[0]?.state]).toEqual([80, 'paid', own.id, 'paid'])
    const second = await validBody('sale', own.post('/conversions', { ...sale, external_id: 'y' }), 201, conversion)
    const voided = await validBody('void', own.delete(`/commissions/${second.commission?.id}`), 200, voidedCommission)
    expect(voided.state).toBe(words === 'convention' ? 'voided' : 'void')
    await validBody('unknown', key.get(`/affiliates/${unknownId}`), 404, error)
    await validBody('blank', key.post('/affiliates', {}), 422, error)
  })
})

async function createTestProgramOfItsOwn(words: Words) {
  return createSupersetKey(test, await test.createProgram(), words)
}

/** The response to this key, validated against its schema. */
const get = async (path: string, words: Words = 'contract'): Promise<any> => (await keys[words].get(path)).body

/** Ada as she is within another resource. */
async function adaWithin() {
  const {
    campaign,
    links: _links,
    coupon: _coupon,
    coupons: _coupons,
    own_fields: _ownFields,
    ...ada
  } = await get(`/affiliates/${story.affiliates.ada.id}`)
  const { id, name, created_at, updated_at } = campaign
  return { ...ada, campaign: { id, name, created_at, updated_at } }
}

describe('campaigns', () => {
  it('count their referrals and their current affiliates', async () => {
    const counts = async (id: string) => {
      const { visitors, leads, conversions, affiliates } = await get(`/campaigns/${id}`)
      return { visitors, leads, conversions, affiliates }
    }
    const { percent, fixed, later } = story.campaigns
    expect(await counts(percent.id)).toEqual({ visitors: 6, leads: 4, conversions: 3, affiliates: 0 })
    expect(await counts(fixed.id)).toEqual({ visitors: 1, leads: 1, conversions: 1, affiliates: 1 })
    expect(await counts(later.id)).toEqual({ visitors: 1, leads: 1, conversions: 1, affiliates: 2 })
    const { data } = await get('/campaigns')
    const [usual] = data.filter((campaign: { default: boolean }) => campaign.default)
    expect(await counts(usual.id)).toEqual({ visitors: 0, leads: 0, conversions: 0, affiliates: 0 })
    expect(data.filter((campaign: { default: boolean }) => !campaign.default)).toHaveLength(3)
  })

  it("have the contract's values under the convention's names", async () => {
    const { fixed } = story.campaigns
    expect(await get(`/campaigns/${fixed.id}`)).toMatchObject({
      ...fixed,
      commission_amount_currency: 'usd',
      days_until_commissions_are_due: 0,
      max_commission_period_months: 24,
      minimum_payout_currency: 'usd',
      default: false,
    })
  })
})

describe('affiliates', () => {
  it('have payout addresses that are confirmed when the affiliate is', async () => {
    const ada = await get(`/affiliates/${story.affiliates.ada.id}`)
    expect(ada).toMatchObject({
      paypal_email: 'ada.a@example.com',
      paypal_email_confirmed_at: ada.confirmed_at,
      wise_email: null,
      wise_email_confirmed_at: null,
      unconfirmed_email: null,
      receive_new_commission_notifications: true,
      stripe_customer_id: 'cus_ada',
      stripe_account_id: null,
    })
    expect(ada.confirmed_at).not.toBeNull()
    expect(await get(`/affiliates/${story.affiliates.eve.id}`)).toMatchObject({
      paypal_email: null,
      paypal_email_confirmed_at: null,
      receive_new_commission_notifications: false,
      wise_email: 'eve.b@example.com',
      wise_email_confirmed_at: '2026-03-10T12:00:00.000Z',
      stripe_customer_id: null,
    })
  })

  it('have commission statistics by currency when `expand` names them', async () => {
    const stats = async (id: string) => {
      const { commission_stats } = await get(`/affiliates/${id}?expand[]=commission_stats`)
      return commission_stats.currencies
    }
    const inCurrency = (iso: string, amounts: Record<string, number>) =>
      Object.fromEntries(Object.entries(amounts).map(([name, cents]) => [name, { cents, currency_iso: iso }]))
    const { ada, bob, eve } = story.affiliates
    expect(await stats(ada.id)).toEqual({
      USD: inCurrency('USD', {
        unpaid: 9000 - 100 + 100,
        due: 9000 - 100,
        paid: 750 + 400,
        total: 9000 + 1150,
        gross_revenue: 10_000 + 3000 + 4000 + 4 + 90_000 + 800,
        net_revenue: 10_000 + 3000 + 4000 + 4 + 90_000 + 800 - 2500 - 1000,
      }),
      EUR: inCurrency('EUR', { unpaid: 700, due: 700, paid: 0, total: 700, gross_revenue: 7001, net_revenue: 7001 }),
    })
    expect(await stats(bob.id)).toEqual({
      USD: inCurrency('USD', { unpaid: 1000, due: 1000, paid: 0, total: 1000, gross_revenue: 4100, net_revenue: 4100 }),
    })
    expect(await stats(eve.id)).toEqual({
      USD: inCurrency('USD', { unpaid: 0, due: 0, paid: 0, total: 0, gross_revenue: 0, net_revenue: 0 }),
    })
  })

  it('return null for an amount that JSON cannot represent exactly', async () => {
    const own = await test.createProgram({ commissionPercent: 100 })
    const key = await createSupersetKey(test, own)
    const { id } = await createAffiliate(own)
    await own.post('/affiliate_coupons', { affiliate_id: id, token: 'BIG' })
    const amount_cents = Number.MAX_SAFE_INTEGER
    for (const external_id of ['1', '2']) await own.post('/conversions', { coupon: 'BIG', amount_cents, external_id })
    await own.post('/conversions/refund', { external_id: '1', amount_cents: amount_cents - 1 })
    const { body } = await key.get(`/affiliates/${id}?expand=commission_stats`)
    const { USD } = body.commission_stats.currencies
    expect([USD.gross_revenue.cents, USD.net_revenue.cents, USD.due.cents]).toEqual([null, null, 0])
  })
})

it('a sign-in link is the same for every profile, and its use is counted', async () => {
  const { ada } = story.affiliates
  const signIns = async () => (await get(`/affiliates/${ada.id}`)).sign_in_count
  const link = await validBody('sso', keys.contract.get(`/affiliates/${ada.id}/sso`), 200, sso)
  expect([link.affiliate, await signIns()]).toEqual([{ id: ada.id, email: 'ada@example.com' }, 0])
  const body = JSON.stringify({ ticket: new URL(link.sso.url).hash.replace('#ticket=', '') })
  const headers = { 'Content-Type': 'application/json' }
  await test.app.fetch(new Request('http://localhost:4000/portal/session', { method: 'POST', headers, body }))
  expect(await signIns()).toBe(1)
})

describe('a coupon', () => {
  it('counts the referrals that it created', async () => {
    const expected = { external_id: story.coupon.id, archived: false, archived_at: null, leads: 3, conversions: 3 }
    expect(await get(`/affiliate_coupons/${story.coupon.id}`)).toMatchObject(expected)
    expect((await get(`/affiliates/${story.affiliates.ada.id}`)).coupon).toMatchObject(expected)
  })
})

describe('referrals', () => {
  const referral = async (id: string, expand = '') => {
    const { data } = await get(`/referrals?${expand}`)
    return data.find((one: { id: string }) => one.id === id)
  }

  it('of a visitor have the link and the visits, but no customer', async () => {
    const [first, second] = story.referrals.visitors as [string, string]
    const where = { programId: program.id, referralId: first }
    const visit = await test.database.db.visit.findFirstOrThrow({ where })
    const again = ['0', '1'].map((n) => ({ ...visit, id: visit.id.slice(0, -1) + n }))
    await test.database.db.visit.createMany({ data: again.filter(({ id }) => id !== visit.id).slice(0, 1) })
    const [link] = (await get(`/affiliates/${story.affiliates.ada.id}`)).links
    expect(link).toMatchObject({ visitors: 4, leads: 2, conversions: 1 })
    const both = { link, coupon: null, customer: null, deactivated_at: null, stripe_customer_id: null }
    expect(await referral(first)).toMatchObject({ ...both, visits: 2, created_at: '2026-03-10T12:00:00.000Z' })
    expect(await referral(second)).toMatchObject({ ...both, visits: 1 })
  })

  it('of a customer have the customer, with our id or that of the billing system', async () => {
    const { buyer, bobs } = story.referrals
    const { customerId } = await test.database.db.referral.findFirstOrThrow({ where: { id: buyer.id } })
    expect(await referral(buyer.id)).toMatchObject({
      visits: 1,
      customer: { platform: 'api', id: customerId, name: 'Grace Hopper', email: 'grace@example.com' },
      stripe_customer_id: null,
      updated_at: '2026-03-10T12:10:00.000Z',
    })
    expect(await referral(bobs.id)).toMatchObject({
      customer: { platform: 'api', id: 'cus_linus', name: null, email: 'linus@example.com' },
      stripe_customer_id: 'cus_linus',
    })
  })

  it('of a coupon have the coupon, but no link and no visits', async () => {
    const { data } = await get('/referrals')
    const byCoupon = data.filter((one: { coupon: unknown }) => one.coupon !== null)
    expect(byCoupon).toHaveLength(3)
    for (const one of byCoupon) {
      expect(one).toMatchObject({ coupon: { id: story.coupon.id, token: 'ADA20', leads: 3 }, link: null, visits: 0 })
    }
    expect(byCoupon.filter((one: { customer: unknown }) => one.customer === null)).toHaveLength(1)
  })

  it('have the affiliate when `expand` names it, with a summary of the campaign', async () => {
    expect(await referral(story.referrals.lead.id, 'expand=affiliate')).toMatchObject({ affiliate: await adaWithin() })
    expect(await referral(story.referrals.lead.id)).not.toHaveProperty('affiliate')
  })
})

describe('commissions', () => {
  const commissionOf = (sale: { commission: any }, words?: Words) => get(`/commissions/${sale.commission.id}`, words)

  it('have the sale with its charged, refunded and remaining amounts', async () => {
    const { percent } = story.campaigns
    const { campaign, sale, ...commission } = await commissionOf(story.sales.refunded)
    expect(commission).toMatchObject({
      amount: 750,
      created_at: '2026-03-10T12:10:00.000Z',
      updated_at: '2026-03-10T12:20:00.000Z',
      voided_at: null,
    })
    const { id, name, created_at, updated_at } = percent
    expect(campaign).toEqual({ id, name, created_at, updated_at })
    const { data } = await get('/referrals?expand=affiliate')
    expect(sale).toEqual({
      id: story.sales.refunded.sale_id,
      object: 'sale',
      currency: 'usd',
      charged_at: '2026-03-10T12:10:00.000Z',
      invoiced_at: '2026-03-10T12:10:00.000Z',
      created_at: '2026-03-10T12:10:00.000Z',
      updated_at: '2026-03-10T12:10:00.000Z',
      charge_amount_cents: 10_000,
      refund_amount_cents: 2500,
      tax_amount_cents: 0,
      sale_amount_cents: 7500,
      stripe_account_id: null,
      stripe_charge_id: 'ch_1',
      referral: data.find((referral: { id: string }) => referral.id === story.referrals.buyer.id),
      affiliate: await adaWithin(),
    })
    expect((await commissionOf(story.sales.voided)).sale).toMatchObject({
      stripe_charge_id: null,
      refund_amount_cents: 0,
    })
  })

  it('for a refund after payment have the same sale', async () => {
    const { data } = await get(`/commissions?affiliate_id=${story.affiliates.ada.id}`)
    const [taken] = data.filter(({ amount }: { amount: number }) => amount < 0)
    expect(taken).toMatchObject({ amount: -100, state: 'due', sale: { id: story.sales.byCoupon.sale_id } })
    expect(taken.sale).toMatchObject({ charge_amount_cents: 4000, refund_amount_cents: 1000, sale_amount_cents: 3000 })
  })

  it('have their state in the words of the key', async () => {
    const { refunded, voided, next, pending } = story.sales
    const states = (words: Words) =>
      Promise.all([refunded, voided, next, pending].map(async (sale) => (await commissionOf(sale, words)).state))
    expect(await states('contract')).toEqual(['paid', 'void', 'due', 'pending'])
    expect(await states('convention')).toEqual(['paid', 'voided', 'due', 'pending'])
    expect((await commissionOf(voided)).voided_at).toBe('2026-03-10T12:10:00.000Z')
  })
})

describe('payouts', () => {
  const payoutsOf = async (id: string, words?: Words) => (await get(`/payouts?affiliate_id=${id}`, words)).data

  it('have their affiliate and all their commissions', async () => {
    const { ada } = story.affiliates
    const paid = await get(`/payouts/${story.paid.id}`)
    expect(paid).toMatchObject({ amount: 1150, affiliate: await adaWithin(), created_at: '2026-03-10T12:10:00.000Z' })
    const { refunded, byCoupon } = story.sales
    const separately = await Promise.all(
      [byCoupon, refunded].map(({ commission }) => get(`/commissions/${commission.id}`)),
    )
    expect(paid.commissions).toEqual(separately.map(({ sale: _sale, ...commission }) => commission))
    const open = (await payoutsOf(ada.id)).find(({ state, currency }: any) => state === 'pending' && currency === 'usd')
    expect(open.commissions.map(({ amount }: { amount: number }) => amount)).toEqual([9000, -100])
  })

  it('have the key that paid them, or null when no key did', async () => {
    expect((await get(`/payouts/${story.paid.id}`)).paid_by_id).toBe(story.keyId)
    const own = await test.createProgram()
    const key = await createSupersetKey(test, own)
    const { id } = await createAffiliate(own)
    await own.post('/affiliate_coupons', { affiliate_id: id, token: 'CODE' })
    await own.post('/conversions', { coupon: 'CODE', amount_cents: 1000, occurred_at: '2026-01-01T00:00:00Z' })
    const [open] = (await key.get('/payouts')).body.data
    expect(open.paid_by_id).toBeNull()
    const pay = 'mutation ($id: ID!) { payPayout(input: { id: $id }) { payout { id } } }'
    await test.operator(pay, { id: open.id }, { 'X-Program-Id': own.id })
    expect((await key.get(`/payouts/${open.id}`)).body).toMatchObject({ state: 'paid', paid_by_id: null })
  })

  it("are due in the convention's words when they meet the minimum of the affiliate's campaign", async () => {
    const states = async (id: string, words?: Words) =>
      (await payoutsOf(id, words)).map(({ amount, state }: any) => [amount, state]).sort()
    const { ada, bob } = story.affiliates
    expect(await states(ada.id, 'contract')).toEqual([
      [1150, 'paid'],
      [700, 'pending'],
      [8900, 'pending'],
    ])
    expect(await states(ada.id, 'convention')).toEqual([
      [1150, 'paid'],
      [700, 'due'],
      [8900, 'due'],
    ])
    expect(await states(bob.id, 'contract')).toEqual([[1000, 'pending']])
    expect(await states(bob.id, 'convention')).toEqual([[1000, 'pending']])
  })
})
