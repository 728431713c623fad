import { describe, expect, it } from 'vitest'
import { createTestApp } from '../../../support/app.ts'
import { listed, reportSale } from '../../../support/factories.ts'
import { anotherKey, earner, runsOf } from '../../../support/payout-runs.ts'

const app = await createTestApp()

const message = (run: Promise<unknown>) =>
  run.then(
    () => 'done',
    ({ errors: [error] }) => error.message,
  )

/** A run that is marked as paid, with payouts of 10.00. */
async function paidRun(count = 2) {
  const program = await app.createProgram()
  const earners = []
  for (let n = 0; n < count; n += 1) earners.push(await earner(program))
  const runs = runsOf(program)
  const run = await runs.create({ method: 'PAYPAL' })
  await runs.markPaid(run.id, 'batch-1')
  return { program, runs, run, earners }
}

const eventsOf = async (program: { get: (path: string) => Promise<{ body: any }> }, type: string) =>
  (await program.get(`/events?type=${type}&limit=100`)).body.data

describe('recordPayoutResults', () => {
  it('of a failed or returned payment: the amount is due again, in the next payout', async () => {
    const { program, runs, run, earners } = await paidRun(2)
    const results = ['FAILED', 'RETURNED'].map((state, at) => {
      return { payoutId: earners[at]?.payout.id, state, reference: `T-${at}`, reason: 'closed account' }
    })
    const after = await runs.record(run.id, results)
    expect(after.items.nodes).toMatchObject(
      results.map(({ payoutId, ...rest }) => ({ ...rest, payoutId, payout: { state: 'FAILED' } })),
    )
    const commission = (await program.get(`/commissions/${earners[0]?.commission.id}`)).body
    expect(commission).toMatchObject({ state: 'due', paid_at: null })
    const payouts = await listed(program, '/payouts?state=failed,pending')
    expect(payouts.map(({ state, amount, paid_at }) => [state, amount, paid_at]).sort()).toEqual([
      ...Array(2).fill(['failed', 1_000, null]),
      ...Array(2).fill(['pending', 1_000, null]),
    ])
    expect(await eventsOf(program, 'payout.failed')).toHaveLength(2)
    const { commission: read } = await program.graphql(
      `{ commission(id: "${commission.id}") { history { nodes { action reason } } } }`,
    )
    expect(read.history.nodes[0]).toEqual({
      action: 'UNPAID',
      reason: 'the payment failed: closed account',
    })
    const next = await runs.create({ method: 'PAYPAL' })
    expect(next).toMatchObject({ payouts: 2, amountCents: 2_000 })
    expect(await runs.markPaid(next.id)).toMatchObject({ state: 'PAID' })
  })

  it('of a sent run closes it when all are known, and changes nothing when repeated', async () => {
    const program = await app.createProgram()
    const [first, second, third] = [await earner(program), await earner(program), await earner(program)]
    const runs = runsOf(program)
    const run = await runs.create({ method: 'PAYPAL' })
    await runs.markSent(run.id, 'batch-2')
    const some = await runs.record(run.id, [{ payoutId: first.payout.id, state: 'PAID', reference: 'T-1' }])
    expect(some.state).toBe('SENT')
    const rest = [
      { payoutId: second.payout.id, state: 'FAILED', reason: 'no account' },
      { payoutId: third.payout.id, state: 'CANCELLED' },
    ]
    const all = await runs.record(run.id, rest)
    expect(all).toMatchObject({ state: 'PAID' })
    expect(await runs.record(run.id, rest)).toEqual(all)
    const { payout } = await program.graphql(`{ payout(id: "${first.payout.id}") { state reference } }`)
    expect(payout).toEqual({ state: 'PAID', reference: 'T-1' })
    expect((await runs.create({ method: 'PAYPAL' })).payouts).toBe(2)
  })

  it('rejects all results if one is impossible', async () => {
    const { runs, run, earners } = await paidRun()
    const [first, second] = earners.map(({ payout }) => payout.id)
    await runs.record(run.id, [{ payoutId: first, state: 'RETURNED' }])
    const problems = await runs
      .record(run.id, [
        { payoutId: first, state: 'PAID' },
        { payoutId: second, state: 'CANCELLED' },
        { payoutId: run.id, state: 'FAILED' },
      ])
      .catch(({ errors: [{ extensions }] }) => extensions.problems.map((one: any) => one.message))
    expect(problems).toEqual([
      `The payout ${first} is returned already: what it paid is in the next payout of the affiliate.`,
      `The payout ${second} is paid. To take back a payment that was a mistake, use undoPayout.`,
      `Payout not found: ${run.id}`,
    ])
  })

  it('keeps refunds right that came between the payment and its return', async () => {
    const { program, runs, run, earners } = await paidRun(1)
    const [{ payout, saleId, coupon, commission }] = earners as [any]
    const half = await program.post('/conversions/refund', {
      sale_id: saleId,
      amount_cents: 5_000,
      refund_external_id: 'r-1',
    })
    expect(half.body.negative_commission.amount).toBe(-500)
    await runs.record(run.id, [{ payoutId: payout.id, state: 'RETURNED' }])
    const open = async () => (await listed(program, '/payouts?state=pending')).map(({ amount }) => amount)
    expect(await open()).toEqual([500])
    expect((await program.put(`/commissions/${commission.id}`, { amount: 1 })).status).toBe(422)
    expect((await program.delete(`/commissions/${commission.id}`)).status).toBe(422)
    await program.post('/conversions/refund', { sale_id: saleId, amount_cents: 5_000 })
    expect(await open()).toEqual([0])
    await program.post('/conversions/refund/reverse', { refund_id: half.body.id })
    expect(await open()).toEqual([500])
    await reportSale(program, { coupon })
    expect(await open()).toEqual([1_500])
  })
})

describe('undoPayout', () => {
  it('opens the payout again, with what is due since, as a fact', async () => {
    const { program, runs, run, earners } = await paidRun(1)
    const [{ payout, coupon, commission }] = earners as [any]
    await reportSale(program, { coupon })
    await listed(program, '/payouts')
    expect(await runs.undo(payout.id, 'entered twice')).toEqual({
      id: payout.id,
      state: 'PENDING',
      paidAt: null,
      reference: null,
    })
    expect(await listed(program, '/payouts')).toMatchObject([{ id: payout.id, amount: 2_000, state: 'pending' }])
    expect((await program.get(`/commissions/${commission.id}`)).body).toMatchObject({ state: 'due', paid_at: null })
    const after = await runs.read(run.id)
    expect(after.items.nodes).toMatchObject([{ state: 'CANCELLED', reason: 'entered twice' }])
    const { payout: read } = await program.graphql(
      `{ payout(id: "${payout.id}") { history { nodes { action changes { field to } } } } }`,
    )
    expect(read.history.nodes[1].changes).toContainEqual({ field: 'reason', to: 'entered twice' })
    expect(read.history.nodes.map(({ action }: any) => action)).toEqual(['AMOUNT_CHANGED', 'UNDONE', 'PAID', 'OPENED'])
    expect(await runs.undo(payout.id)).toMatchObject({ state: 'PENDING' })
    expect((await program.post(`/payouts/${payout.id}/pay`)).body).toMatchObject({ state: 'paid', amount: 2_000 })
  })

  it('is refused while an open run pays what is due since', async () => {
    const { program, runs, earners } = await paidRun(1)
    const [{ payout, coupon }] = earners as [any]
    await reportSale(program, { coupon })
    const next = await runs.create({ method: 'PAYPAL' })
    expect(await message(runs.undo(payout.id))).toContain(`is in the open run ${next.id}`)
  })

  it('leaves debts to be settled: a payout that they exceed is closed', async () => {
    const { program, runs, earners } = await paidRun(1)
    const [{ payout, coupon }] = earners as [any]
    const big = await reportSale(program, { coupon, amount_cents: 90_000 })
    const [next] = await listed(program, '/payouts?state=pending')
    await program.post(`/payouts/${next.id}/pay`)
    await program.post('/conversions/refund', { sale_id: big.sale_id })
    expect(await runs.undo(payout.id)).toMatchObject({ state: 'FAILED' })
    expect(await listed(program, '/payouts?state=pending')).toEqual([])
    await reportSale(program, { coupon, amount_cents: 100_000 })
    expect(await listed(program, '/payouts?state=pending')).toMatchObject([{ amount: 2_000 }])
  })

  it('can be done by another key, which is told in the history', async () => {
    const { program, earners } = await paidRun(1)
    const other = await anotherKey(app, program)
    const [{ payout }] = earners as [any]
    expect(await runsOf(other).undo(payout.id)).toMatchObject({ state: 'PENDING' })
  })
})

describe('in the words of the convention', () => {
  it('a payout is due, processing, paid or failed', async () => {
    const program = await app.createProgram()
    const { payout } = await earner(program)
    const runs = runsOf(program)
    const stateOf = async () => (await eventsOf(program, 'payout.updated')).map(({ data }: any) => data.state).at(0)
    const run = await runs.create({ method: 'PAYPAL' })
    await runs.markSent(run.id)
    expect(await stateOf()).toBe('processing')
    await runs.record(run.id, [{ payoutId: payout.id, state: 'PAID' }])
    expect(await stateOf()).toBe('paid')
    await runs.record(run.id, [{ payoutId: payout.id, state: 'RETURNED' }])
    expect(await listed(program, '/payouts?state=failed')).toMatchObject([{ id: payout.id, paid_at: null }])
    // The contract knows no such state, so that its clients see them only if they ask for them.
    expect((await listed(program, '/payouts')).map(({ id }) => id)).not.toContain(payout.id)
    expect((await eventsOf(program, 'payout.failed'))[0].data.state).toBe('failed')
  })
})
