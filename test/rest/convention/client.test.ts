import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Demo, makeDemoProgram } from '../../../src/modules/demo/service.ts'
import { now } from '../../modules/demo/rows.ts'
import { createTestApp } from '../../support/app.ts'
import { createClient, RequestFailed } from './client.ts'
import { conventional, documented, UnexpectedAnswer } from './client-resources.ts'
import { createSupersetKey, type Words } from './keys.ts'

// A client that was written for the convention reads and writes the demo program. Only its address and key are adapted.

// A low limit, so that the client has to wait even if the test runs slowly.
const test = await createTestApp({ startsAt: now.toISOString(), requestsPer30Seconds: 20 })
const demo = (await makeDemoProgram(test.database.db, { now, months: 10 })) as Demo

beforeEach(() => {
  // The rate limit uses the real clock, and the client waits for its window to end. Timers are not faked, because the
  // database driver needs them.
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const connection = (secret: string) => ({
  fetch: test.app.fetch,
  baseUrl: 'http://localhost:4000/v1',
  secret,
  sleep: async (seconds: number) => void vi.setSystemTime(Date.now() + seconds * 1000 + 1),
})

const sum = <T>(rows: readonly T[], of: (row: T) => number) => rows.reduce((total, row) => total + of(row), 0)
/** A sample of a list: both ends, and a few items between them. */
const some = <T>(rows: readonly T[]): T[] =>
  rows.filter((_row, index) => index % Math.ceil(rows.length / 4) === 0 || index === rows.length - 1)

type Party = { words: Words; run: number }
const parties: Party[] = [
  { words: 'contract', run: 1 },
  { words: 'convention', run: 2 },
]

const clientFor = async (words: Words) => {
  const key = await createSupersetKey(test, demo.program, words)
  const resources =
    words === 'contract' ? conventional('void', ['pending']) : conventional('voided', ['pending', 'due'])
  return { key, resources, client: createClient({ ...connection(key.secret), resources }) }
}

describe.each(parties)("with the superset, states in the $words's words", ({ words, run }) => {
  it('reads all pages of all lists, with consistent data', async () => {
    const { client } = await clientFor(words)
    const campaigns = await client.campaigns.list()
    const affiliates = await client.affiliates.list()
    const links = await client.links.list()
    const coupons = await client.coupons.list()
    const referrals = await client.referrals.list()
    const commissions = await client.commissions.list()
    const payouts = await client.payouts.list()
    const counted = { where: { programId: demo.program.id } }
    const { db } = test.database
    for (const [list, count] of [
      [campaigns, db.campaign.count(counted)],
      [affiliates, db.affiliate.count(counted)],
      [links, db.affiliateLink.count(counted)],
      [coupons, db.affiliateCoupon.count(counted)],
      [referrals, db.referral.count(counted)],
      [commissions, db.commission.count(counted)],
      [payouts, db.payout.count(counted)],
    ] as const) {
      expect(list.length).toBeGreaterThan(2)
      expect(new Set(list.map(({ id }) => id)).size).toBe(await count)
      expect(list.length).toBe(await count)
    }

    expect(sum(campaigns, ({ visitors }) => visitors)).toBe(referrals.length)
    const converted = referrals.filter(({ conversion_state }) => conversion_state === 'conversion')
    expect(sum(campaigns, ({ conversions }) => conversions)).toBe(converted.length)
    expect(sum(campaigns, ({ leads }) => leads)).toBe(referrals.filter((one) => one.became_lead_at).length)
    for (const { id, affiliates: count } of campaigns) {
      expect(count).toBe(affiliates.filter(({ campaign }) => campaign.id === id).length)
    }
    expect(campaigns.filter((campaign) => campaign.default)).toHaveLength(1)

    for (const coupon of coupons) {
      const made = converted.filter((referral) => referral.coupon?.id === coupon.id)
      expect([coupon.leads, coupon.conversions]).toEqual([made.length, made.length])
    }
    for (const { affiliate, visitors } of some(affiliates).map((one) => ({ affiliate: one, visitors: one.visitors }))) {
      expect(referrals.filter((referral) => referral.affiliate.id === affiliate.id)).toHaveLength(visitors)
    }

    for (const affiliate of affiliates) {
      const theirs = commissions.filter(({ sale }) => sale.affiliate.id === affiliate.id)
      const expected = (iso: string, states: string[]) =>
        sum(
          theirs.filter(({ currency, state }) => currency === iso.toLowerCase() && states.includes(state)),
          ({ amount }) => amount,
        )
      for (const [iso, stats] of Object.entries(affiliate.commission_stats.currencies)) {
        expect([stats.unpaid.cents, stats.due.cents, stats.paid.cents, stats.total.cents]).toEqual([
          expected(iso, ['pending', 'due']),
          expected(iso, ['due']),
          expected(iso, ['paid']),
          expected(iso, ['pending', 'due', 'paid']),
        ])
        expect(stats.net_revenue.cents).toBeLessThanOrEqual(stats.gross_revenue.cents)
      }
    }
    // The commissions of a failed payout are in a later one.
    for (const { amount, commissions, state, paid_at } of payouts.filter((payout) => payout.state !== 'failed')) {
      expect(sum<{ amount: number }>(commissions, (commission) => commission.amount)).toBe(amount)
      expect(state === 'paid').toBe(paid_at !== null)
      for (const commission of commissions) expect(commission.state).toBe(state === 'paid' ? 'paid' : 'due')
    }
    for (const { sale } of commissions) {
      expect(sale.sale_amount_cents).toBe(sale.charge_amount_cents - sale.refund_amount_cents - sale.tax_amount_cents)
    }

    for (const row of campaigns) expect(await client.campaigns.read(row.id)).toEqual(row)
    for (const row of some(affiliates)) expect(await client.affiliates.read(row.id)).toEqual(row)
    for (const row of some(links)) expect(await client.links.read(row.id)).toEqual(row)
    for (const row of some(coupons)) expect(await client.coupons.read(row.id)).toEqual(row)
    for (const row of some(commissions)) expect(await client.commissions.read(row.id)).toEqual(row)
    for (const row of some(payouts)) expect(await client.payouts.read(row.id)).toEqual(row)
    // There are more pages than the rate limit allows requests. The client waited and missed no page.
    expect(client.waits.length).toBeGreaterThan(1)
  })

  it('runs a program from creating a campaign to paying a payout', async () => {
    const { client, key, resources } = await clientFor(words)
    const campaign = await client.campaigns.create({
      name: `Campaign ${run}`,
      url: 'https://acme.test/new',
      commission_percent: '12.5',
      days_until_commissions_are_due: 0,
      max_commission_period_months: 6,
    })
    expect(campaign).toMatchObject({ commission_percent: 12.5, days_until_commissions_are_due: 0, affiliates: 0 })
    const changed = await client.campaigns.update(campaign.id, { commission_percent: 20, private: true })
    expect(changed).toMatchObject({ commission_percent: 20, private: true, max_commission_period_months: 6 })

    const fields = { first_name: 'Ada', last_name: '', email: `ada-${run}@client.test`, token: `ada-${run}` }
    const ada = await client.affiliates.create({ ...fields, campaign_id: '', paypal_email: 'ada@pay.test' })
    expect(ada).toMatchObject({ first_name: 'Ada', last_name: null, paypal_email: 'ada@pay.test' })
    expect(ada.paypal_email_confirmed_at).toEqual(ada.confirmed_at)
    const moved = await client.affiliates.update(ada.id, { campaign_id: campaign.id, stripe_customer_id: 'cus_1' })
    expect(moved).toMatchObject({
      campaign: { id: campaign.id },
      stripe_customer_id: 'cus_1',
      links: [{ token: `ada-${run}` }],
    })
    expect((await client.campaigns.read(campaign.id)).affiliates).toBe(1)

    const signIn = await client.affiliates.signIn(ada.id)
    expect(signIn.affiliate).toEqual({ id: ada.id, email: ada.email })
    expect(new URL(signIn.sso.url).pathname).toBe('/portal')

    const link = await client.links.create({ affiliate_id: ada.id, token: `second-${run}` })
    expect((await client.links.rename(link.id, `renamed-${run}`)).url).toBe(`https://acme.test/new?via=renamed-${run}`)
    await client.affiliates.addLink(ada.id, `third-${run}`)
    const coupon = await client.coupons.create({ affiliate_id: ada.id, token: `ADA-${run}` })
    expect((await client.affiliates.read(ada.id)).links).toHaveLength(3)

    const sale = { coupon: coupon.token, email: `grace-${run}@example.com`, currency: 'USD' }
    const first = await client.reportSale({ ...sale, amount_cents: 10_000, external_id: `ch_${run}` })
    expect(first.commission).toMatchObject({
      amount: 2000,
      state: 'due',
      currency: 'usd',
      sale: { stripe_charge_id: `ch_${run}` },
    })
    const again = await client.reportSale({ ...sale, amount_cents: 1, external_id: `ch_${run}` })
    expect(again).toEqual({ duplicate: true, commission: first.commission })
    expect((await client.commissions.amend(first.commission.id, 1500)).amount).toBe(1500)
    const second = await client.reportSale({ ...sale, amount_cents: 4000 })
    const gone = words === 'contract' ? 'void' : 'voided'
    const deleted = await client.commissions.remove(second.commission.id, resources.deleted)
    expect(deleted).toEqual({ id: second.commission.id, deleted: true })
    expect((await client.commissions.read(second.commission.id)).state).toBe(gone)
    expect(
      (await client.commissions.list({ affiliate_id: ada.id, state: [gone, 'paid'] })).map(({ id }) => id),
    ).toEqual([second.commission.id])

    const [open] = await client.payouts.list({ affiliate_id: ada.id })
    expect(open).toMatchObject({ amount: 1500, state: words === 'contract' ? 'pending' : 'due', paid_by_id: null })
    const paid = await client.payouts.pay(open?.id as string)
    expect(paid).toMatchObject({ amount: 1500, state: 'paid', paid_by_id: key.id, commissions: [{ state: 'paid' }] })
    const { USD } = (await client.affiliates.read(ada.id)).commission_stats.currencies
    const cents = Object.fromEntries(Object.entries(USD ?? {}).map(([name, amount]) => [name, amount.cents]))
    expect(cents).toEqual({ unpaid: 0, due: 0, paid: 1500, total: 1500, gross_revenue: 14_000, net_revenue: 14_000 })
    expect(await client.coupons.read(coupon.id)).toMatchObject({ leads: 1, conversions: 1 })
  })

  it('gets errors that it can read', async () => {
    const { client } = await clientFor(words)
    const failure = (call: Promise<unknown>) =>
      call.catch((error) => (error instanceof RequestFailed ? [error.status, error.message] : error))
    expect(await failure(client.affiliates.create({ email: '' }))).toEqual([422, 'Could not create affiliate.'])
    expect(await failure(client.affiliates.read('nobody'))).toEqual([404, 'Affiliate not found: nobody'])
  })
})

describe('with the contract profile', () => {
  const client = createClient({ ...connection(demo.secret), resources: documented })

  it('the same client reads everything, ignoring expand and without a rate limit', async () => {
    const { campaigns, affiliates, links, coupons, referrals, commissions, payouts } = client
    const lists = { campaigns, affiliates, links, coupons, commissions, payouts }
    for (const { list, read } of Object.values(lists)) {
      const rows = await (list() as Promise<{ id: string }[]>)
      expect(rows.length).toBeGreaterThan(2)
      for (const row of some(rows)) expect(await read(row.id)).toEqual(row)
    }
    const where = { programId: demo.program.id, becameLeadAt: { not: null } }
    const leads = await test.database.db.referral.count({ where })
    expect((await referrals.list({ conversion_state: ['lead', 'conversion'] })).length).toBe(leads)
    expect(client.waits).toEqual([])
  })

  it('the same client writes', async () => {
    const name = {
      name: 'Documented',
      url: 'https://acme.test',
      commission_percent: 10,
      days_before_commissions_are_due: 0,
    }
    const campaign = await client.campaigns.create(name)
    const ada = await client.affiliates.create({
      email: 'ada@contract.test',
      campaign_id: campaign.id,
      wallet_a_email: 'a@b.test',
    })
    expect(ada).toMatchObject({ campaign: { id: campaign.id }, wallet_a_email: 'a@b.test' })
    await client.affiliates.update(ada.id, { first_name: 'Ada' })
    const { token } = await client.coupons.create({ affiliate_id: ada.id, token: 'CONTRACT' })
    const { commission } = await client.reportSale({ coupon: token, amount_cents: 5000 })
    expect(commission).toMatchObject({ amount: 500, affiliate_id: ada.id, campaign_id: campaign.id })
    const extra = await client.reportSale({ coupon: token, amount_cents: 800 })
    expect(await client.commissions.remove(extra.commission.id, documented.commission)).toMatchObject({ state: 'void' })
    const [open] = await client.payouts.list({ affiliate_id: ada.id })
    expect(await client.payouts.pay(open?.id as string)).toMatchObject({
      amount: 500,
      state: 'paid',
      affiliate_id: ada.id,
    })
  })

  it('a client of the convention can tell which field is missing', async () => {
    const other = createClient({ ...connection(demo.secret), resources: conventional('void', ['pending']) })
    const missing = (call: Promise<unknown>) =>
      call.catch((error) => (error instanceof UnexpectedAnswer ? error.message : error))
    expect(await missing(other.campaigns.list())).toBe('/campaigns[0].visitors is undefined, not there')
    expect(await missing(other.payouts.list())).toBe('/payouts/[0].paid_by_id is undefined, not there')
  })
})
