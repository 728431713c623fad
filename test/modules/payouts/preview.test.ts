import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { examples } from '../../support/examples.ts'
import { createSeller, listed, reportSale } from '../../support/factories.ts'

const app = await createTestApp()

const query = `query ($asOf: DateTime, $affiliateId: ID, $first: Int, $last: Int, $after: String, $before: String) {
  payoutPreview(asOf: $asOf, affiliateId: $affiliateId, first: $first, last: $last, after: $after, before: $before) {
    asOf
    totals { currency payouts amountCents payableCents }
    totalCount
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    nodes {
      affiliateId currency amountCents commissionCount debtCents minimumPayoutCents isPayable reason nextDueAt
      openPayout { id amountCents }
      affiliate { email }
    }
  }
}`
const isoAfter = (days: number) => new Date(app.clock.now.getTime() + days * 86_400_000).toISOString()
const preview = async (program: TestProgram, variables: object = {}) =>
  (await program.graphql(query, variables as Record<string, unknown>)).payoutPreview

/** A debt of a seller: a sale whose commission is paid, with all that is in the payout, and then refunded in part. */
async function owe(program: TestProgram, coupon: string, currency: string, cents: number) {
  const sale = { coupon, currency, amount_cents: 10_000_000, occurred_at: isoAfter(-10) }
  const { sale_id, commission } = await reportSale(program, sale)
  const open = await listed(program, `/payouts?state=pending&affiliate_id=${commission.affiliate_id}`)
  const { id } = open.find((payout) => payout.currency === currency)
  expect((await program.post(`/payouts/${id}/pay`)).status).toBe(200)
  // Ten percent of it had been earned.
  const refund = await program.post('/conversions/refund', { sale_id, amount_cents: cents * 10 })
  expect(refund.status).toBe(201)
}

describe('payoutPreview', () => {
  it('shows what is due now and later, and writes nothing', async () => {
    const program = await app.createProgram()
    const { affiliate, coupon } = await createSeller(program, { days_before_commissions_are_due: 30 })
    await reportSale(program, { coupon })
    app.clock.advanceDays(10)
    await reportSale(program, { coupon, amount_cents: 500 })
    const row = { affiliateId: affiliate.id, currency: 'usd', affiliate: { email: affiliate.email }, openPayout: null }
    const nothing = { amountCents: 0, commissionCount: 0, debtCents: 0, minimumPayoutCents: 0 }
    expect(await preview(program)).toMatchObject({
      asOf: isoAfter(0),
      totals: [],
      totalCount: 1,
      pageInfo: { hasNextPage: false, hasPreviousPage: false },
      nodes: [{ ...row, ...nothing, isPayable: false, reason: 'NOTHING_DUE', nextDueAt: isoAfter(20) }],
    })
    const later = await preview(program, { asOf: isoAfter(20) })
    const one = { ...nothing, amountCents: 1000, commissionCount: 1, isPayable: true, reason: null }
    expect(later.nodes).toEqual([{ ...row, ...one, nextDueAt: isoAfter(30) }])
    expect(later.totals).toEqual([{ currency: 'usd', payouts: 1, amountCents: 1000, payableCents: 1000 }])
    const last = await preview(program, { asOf: isoAfter(30) })
    expect(last.nodes).toEqual([{ ...row, ...one, amountCents: 1050, commissionCount: 2, nextDueAt: null }])
    expect(await app.database.db.payout.count({ where: { programId: program.id } })).toBe(0)
    expect((await preview(program, { asOf: isoAfter(-20) })).asOf).toBe(isoAfter(0))
  })

  it('does not collect due commissions', async () => {
    const program = await app.createProgram()
    const { coupon } = await createSeller(program, { days_before_commissions_are_due: 0 })
    await reportSale(program, { coupon })
    const { nodes: data } = await preview(program)
    expect(data).toMatchObject([{ amountCents: 1000, openPayout: null }])
    expect(await app.database.db.payout.count({ where: { programId: program.id } })).toBe(0)
  })

  it('gives the reason why a payout cannot be paid, and the open payout', async () => {
    const program = await app.createProgram()
    const low = await createSeller(program, { days_before_commissions_are_due: 0, minimum_payout_cents: 5000 })
    const owing = await createSeller(program, { days_before_commissions_are_due: 0 })
    await owe(program, owing.coupon, 'usd', 700)
    await reportSale(program, { coupon: low.coupon })
    const [open] = await listed(program, '/payouts')
    await reportSale(program, { coupon: low.coupon, amount_cents: 2000 })
    await reportSale(program, { coupon: owing.coupon, amount_cents: 2000 })
    const { nodes: data, totals } = await preview(program)
    expect(data).toMatchObject([
      {
        amountCents: 1200,
        minimumPayoutCents: 5000,
        isPayable: false,
        reason: 'BELOW_MINIMUM',
        openPayout: { id: open.id, amountCents: 1000 },
      },
      { amountCents: -500, debtCents: 700, commissionCount: 2, isPayable: false, reason: 'DEBT', openPayout: null },
    ])
    expect(totals).toEqual([{ currency: 'usd', payouts: 1, amountCents: 1200, payableCents: 0 }])
    const [mine] = (await preview(program, { affiliateId: owing.affiliate.id })).nodes
    expect(mine).toEqual(data[1])
    for (const affiliateId of ['nonsense', (await createSeller(await app.createProgram())).affiliate.id]) {
      expect((await preview(program, { affiliateId })).nodes).toEqual([])
    }
  })

  it('has pages, and totals by currency over all pages', async () => {
    const program = await app.createProgram()
    for (const amount_cents of [1000, 2000, 3000]) {
      const { coupon } = await createSeller(program, { days_before_commissions_are_due: 0 })
      for (const currency of ['usd', 'jpy']) await reportSale(program, { coupon, amount_cents, currency })
    }
    const first = await preview(program, { first: 2 })
    const { nodes, pageInfo, totalCount, totals } = await preview(program, {
      first: 2,
      after: first.pageInfo.endCursor,
    })
    expect(totalCount).toBe(6)
    expect(pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: true })
    expect(nodes).toMatchObject([
      { currency: 'jpy', amountCents: 100 },
      { currency: 'usd', amountCents: 300 },
    ])
    const all = (await preview(program)).nodes
    expect(all).toHaveLength(6)
    expect((await preview(program, { last: 2 })).nodes).toEqual(all.slice(4))
    expect((await preview(program, { last: 2, before: pageInfo.startCursor })).nodes).toEqual(all.slice(0, 2))
    expect(totals).toEqual([
      { currency: 'usd', payouts: 3, amountCents: 600, payableCents: 600 },
      { currency: 'jpy', payouts: 3, amountCents: 600, payableCents: 600 },
    ])
  })

  it('has a null total above 2^53-1', async () => {
    const program = await app.createProgram()
    for (let i = 0; i < 2; i++) {
      const seller = await createSeller(program, { days_before_commissions_are_due: 0, commission_percent: 100 })
      await reportSale(program, { coupon: seller.coupon, amount_cents: Number.MAX_SAFE_INTEGER })
      await reportSale(program, { coupon: seller.coupon, amount_cents: 7 })
    }
    const { nodes: data, totals } = await preview(program)
    expect(data.map(({ amountCents }: any) => amountCents)).toEqual([Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER])
    expect(totals).toEqual([{ currency: 'usd', payouts: 2, amountCents: null, payableCents: null }])
  })

  it('does not count held commissions', async () => {
    const program = await app.createProgram()
    const { coupon } = await createSeller(program, { days_before_commissions_are_due: 3 })
    const { commission } = await reportSale(program, { coupon })
    const where = { programId: program.id, id: commission.id }
    await app.database.db.commission.updateMany({ where, data: { heldReason: 'self_referral_email' } })
    expect((await preview(program, { asOf: isoAfter(10) })).nodes).toEqual([])
    await app.database.db.commission.updateMany({ where, data: { heldReason: null } })
    expect((await preview(program, { asOf: isoAfter(10) })).nodes).toMatchObject([{ amountCents: 1000 }])
  })
})

/** What the preview foretells of a moment, and what is there once the moment has come. */
const foretold = ({ nodes: data }: any) =>
  data
    .filter(({ reason }: any) => reason === null || reason === 'BELOW_MINIMUM')
    .map(({ affiliateId, currency, amountCents }: any) => `${affiliateId} ${currency} ${amountCents}`)
    .sort()

it('previews exactly what is collected at that time', async () => {
  const sale = fc.record({
    seller: fc.integer({ min: 0, max: 2 }),
    currency: fc.constantFrom('usd', 'jpy'),
    cents: fc.integer({ min: 0, max: 100_000 }),
    debt: fc.option(fc.integer({ min: 1, max: 9_000 }), { freq: 4 }),
    daysLater: fc.integer({ min: 0, max: 4 }),
    looks: fc.boolean(),
  })
  const story = fc.record({
    sales: fc.array(sale, { minLength: 1, maxLength: 8 }),
    days: fc.integer({ min: 0, max: 12 }),
  })
  await fc.assert(
    fc.asyncProperty(story, async ({ sales, days }) => {
      const program = await app.createProgram()
      const sellers = []
      for (const due of [0, 3, 7]) {
        const rules = { days_before_commissions_are_due: due, minimum_payout_cents: due * 300 }
        sellers.push(await createSeller(program, rules))
      }
      for (const { seller, currency, cents, debt, daysLater, looks } of sales) {
        app.clock.advanceDays(daysLater)
        const { coupon } = sellers[seller] as { coupon: string }
        await reportSale(program, { coupon, currency, amount_cents: cents })
        if (debt) await owe(program, coupon, currency, debt)
        if (looks) await listed(program, '/payouts')
      }
      const expected = await preview(program, { asOf: isoAfter(days) })
      const totals = new Map<string, number>()
      app.clock.advanceDays(days)
      // What is due and what is owed can be equal: such a payout of zero is no money, and the preview has no sum of it.
      const payouts = (await listed(program, '/payouts?state=pending')).filter(({ amount }) => amount > 0)
      const gathered = payouts.map(({ affiliate_id, currency, amount }) => `${affiliate_id} ${currency} ${amount}`)
      expect(foretold(expected)).toEqual(gathered.sort())
      for (const { currency, amount } of payouts) totals.set(currency, (totals.get(currency) ?? 0) + amount)
      const told = expected.totals.map(({ currency, amountCents }: any) => [currency, amountCents])
      expect(new Map(told)).toEqual(totals)
      // What is foretold of this moment is what there is.
      expect(foretold(await preview(program))).toEqual(gathered)
      for (const { affiliateId, currency, isPayable } of expected.nodes) {
        const payout = payouts.find((each) => each.affiliate_id === affiliateId && each.currency === currency)
        const { status } = payout ? await program.post(`/payouts/${payout.id}/pay`) : { status: 404 }
        expect(isPayable).toBe(status === 200)
      }
    }),
    { numRuns: examples(4) },
  )
})
