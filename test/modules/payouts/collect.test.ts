import { describe, expect, it } from 'vitest'
import { collectDueCommissions } from '../../../src/modules/payouts/service.ts'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { silentLog } from '../../support/database.ts'
import { createSeller, listed, made, reportSale } from '../../support/factories.ts'

const app = await createTestApp()

const dueAtOnce = { days_before_commissions_are_due: 0 }
const amounts = async (program: TestProgram, query = '') =>
  (await listed(program, `/payouts${query}`)).map(({ amount, currency, state }) => `${state} ${amount} ${currency}`)

it('GET /payouts returns exactly the documented fields', async () => {
  const program = await app.createProgram()
  const { affiliate, coupon } = await createSeller(program, dueAtOnce)
  await reportSale(program, { coupon })
  expect(await listed(program, '/payouts')).toEqual([
    {
      id: expect.any(String),
      object: 'payout',
      state: 'pending',
      currency: 'usd',
      amount: 1000,
      paid_at: null,
      affiliate_id: affiliate.id,
    },
  ])
})

describe('the open payout', () => {
  it('collects commissions once they are due, and keeps its id', async () => {
    const program = await app.createProgram()
    const { coupon } = await createSeller(program, { days_before_commissions_are_due: 5 })
    await reportSale(program, { coupon })
    expect(await listed(program, '/payouts')).toEqual([])
    app.clock.advanceDays(3)
    await reportSale(program, { coupon, amount_cents: 500 })
    app.clock.advanceDays(2)
    const [first] = await listed(program, '/payouts')
    expect(first.amount).toBe(1000)
    app.clock.advanceDays(3)
    expect(await listed(program, '/payouts')).toEqual([{ ...first, amount: 1050 }])
    expect(await listed(program, '/payouts')).toEqual([{ ...first, amount: 1050 }])
  })

  it('is up to date when `node` reads it', async () => {
    const program = await app.createProgram()
    const { coupon } = await createSeller(program, dueAtOnce)
    await reportSale(program, { coupon })
    const [{ id }] = await listed(program, '/payouts')
    await reportSale(program, { coupon, amount_cents: 500 })
    const { node } = await program.graphql(`{ node(id: "${id}") { ... on Payout { amountCents } } }`)
    expect(node).toEqual({ amountCents: 1_050 })
  })

  it('is made in several transactions, and by several reads if one would take too long', async () => {
    const program = await app.createProgram()
    const { db } = app.database
    for (const { affiliate } of [await createSeller(program), await createSeller(program)])
      await db.$executeRaw`
        with added as (
          insert into commissions (program_id, id, kind, reason, affiliate_id, campaign_id, currency, amount_cents, rule_reward_type,
            rule_amount_cents, rule_days_before_due, occurred_at, due_at, created_at, updated_at)
          select ${program.id}::uuid, gen_random_uuid(), 'bonus', 'Backlog', ${affiliate.id}::uuid, ${affiliate.campaign.id}::uuid,
            'usd', 2, 'amount', 2, 0, at, at, at, at
          from generate_series(1, 1500), (select ${app.clock.now}::timestamptz as at) clock
          returning *
        )
        insert into money_events (program_id, id, commission_id, kind, delta_cents, currency, actor_kind, request_id, reason, at)
        select program_id, gen_random_uuid(), id, 'earned', amount_cents, currency, 'system', 'test', reason, created_at from added`
    const row = await db.program.findUniqueOrThrow({ where: { id: program.id } })
    const own = { db, now: () => app.clock.now, log: silentLog, requestId: 'test', program: row }
    const collected = () => db.payout.findMany({ where: { programId: program.id }, select: { amountCents: true } })
    await collectDueCommissions({ ...own, actor: { kind: 'system' } }, { forMs: 0 })
    expect(await collected()).toEqual([{ amountCents: 3_000n }])
    expect(await amounts(program)).toEqual(['pending 3000 usd', 'pending 3000 usd'])
  })

  it('is one for each affiliate and currency', async () => {
    const program = await app.createProgram()
    const [one, two] = [await createSeller(program, dueAtOnce), await createSeller(program, dueAtOnce)]
    for (const currency of ['usd', 'eur', 'usd']) {
      await reportSale(program, { coupon: one.coupon, currency })
      await reportSale(program, { coupon: two.coupon, currency, amount_cents: 100 })
    }
    const all = ['pending 10 eur', 'pending 1000 eur', 'pending 20 usd', 'pending 2000 usd']
    expect((await amounts(program)).sort()).toEqual(all)
    expect((await amounts(program, `?affiliate_id=${one.affiliate.id}`)).sort()).toEqual([
      'pending 1000 eur',
      'pending 2000 usd',
    ])
  })

  it('is recalculated when a commission is voided or amended, and is deleted when empty', async () => {
    const program = await app.createProgram()
    const { coupon } = await createSeller(program, dueAtOnce)
    const { commission: one } = await reportSale(program, { coupon })
    const { commission: two } = await reportSale(program, { coupon })
    expect(await amounts(program)).toEqual(['pending 2000 usd'])
    await program.put(`/commissions/${one.id}`, { amount: 1 })
    expect(await amounts(program)).toEqual(['pending 1001 usd'])
    await program.delete(`/commissions/${two.id}`)
    expect(await amounts(program)).toEqual(['pending 1 usd'])
    await program.delete(`/commissions/${one.id}`)
    expect(await amounts(program)).toEqual([])
  })

  it('does not collect a commission that was voided before it was due', async () => {
    const program = await app.createProgram()
    const { coupon } = await createSeller(program, { days_before_commissions_are_due: 5 })
    const { commission } = await reportSale(program, { coupon })
    await program.delete(`/commissions/${commission.id}`)
    app.clock.advanceDays(10)
    expect(await listed(program, '/payouts')).toEqual([])
  })

  it('is exact at 2^53-1, and leaves the rest to the next payout', async () => {
    const program = await app.createProgram()
    const { coupon } = await createSeller(program, { ...dueAtOnce, commission_percent: 100 })
    await reportSale(program, { coupon, amount_cents: Number.MAX_SAFE_INTEGER })
    await reportSale(program, { coupon, amount_cents: 5 })
    const [payout] = await listed(program, '/payouts')
    expect(payout.amount).toBe(Number.MAX_SAFE_INTEGER)
    await program.post(`/payouts/${payout.id}/pay`)
    expect(await amounts(program)).toEqual(['pending 5 usd', 'paid 9007199254740991 usd'])
  })

  it('also collects commissions of a disabled affiliate', async () => {
    const program = await app.createProgram()
    const { affiliate, coupon } = await createSeller(program, dueAtOnce)
    await reportSale(program, { coupon })
    await program.put(`/affiliates/${affiliate.id}`, { state: 'disabled' })
    expect(await amounts(program)).toEqual(['pending 1000 usd'])
  })
})

describe('a refund after payment', () => {
  /** A seller whose sale, of ten times the amount, is paid already; giving it back leaves a debt of that amount. */
  async function createDebtor(program: TestProgram, amountCents: number) {
    const { coupon } = await createSeller(program, dueAtOnce)
    const { sale_id: saleId } = await reportSale(program, { coupon, amount_cents: amountCents * 10 })
    const [payout] = await listed(program, '/payouts')
    await program.post(`/payouts/${payout.id}/pay`)
    return { coupon, refund: () => made(program.post('/conversions/refund', { sale_id: saleId })) }
  }
  const open = (program: TestProgram) => amounts(program, '?state=pending')

  it('lowers the next payout', async () => {
    const program = await app.createProgram()
    const { coupon, refund } = await createDebtor(program, 300)
    await refund()
    await reportSale(program, { coupon })
    expect(await open(program)).toEqual(['pending 700 usd'])
  })

  it('lowers the payout that is open', async () => {
    const program = await app.createProgram()
    const { coupon, refund } = await createDebtor(program, 300)
    await reportSale(program, { coupon })
    expect(await open(program)).toEqual(['pending 1000 usd'])
    await refund()
    expect(await open(program)).toEqual(['pending 700 usd'])
  })

  it('never makes a payout negative, but carries the debt forward', async () => {
    const program = await app.createProgram()
    const { coupon, refund } = await createDebtor(program, 1500)
    await refund()
    expect(await open(program)).toEqual([])
    await reportSale(program, { coupon })
    expect(await open(program)).toEqual([])
    await reportSale(program, { coupon })
    expect(await open(program)).toEqual(['pending 500 usd'])
  })

  it('deletes an open payout when the debt is larger', async () => {
    const program = await app.createProgram()
    const { coupon, refund } = await createDebtor(program, 1500)
    await reportSale(program, { coupon })
    expect(await open(program)).toEqual(['pending 1000 usd'])
    await refund()
    expect(await open(program)).toEqual([])
    await reportSale(program, { coupon })
    expect(await open(program)).toEqual(['pending 500 usd'])
  })
})
