import { expect, it } from 'vitest'
import { groupBy } from '../../../src/kernel/group-by.ts'
import { commissionState } from '../../../src/modules/commissions/state.ts'
import { buildDemo } from '../../../src/modules/demo/build.ts'

const counts = <T>(rows: T[], keyOf: (row: T) => string | null) =>
  Object.fromEntries([...groupBy(rows, keyOf)].map(([key, group]) => [key ?? 'none', group.length]))

it.each([
  '2026-01-01T00:00:00.000Z',
  '2026-03-31T23:59:59.999Z',
  // During a day on which payouts are paid.
  '2026-08-05T09:05:00.000Z',
  '2027-05-05T06:00:00.000Z',
  '2027-11-20T12:00:00.000Z',
  '2028-02-29T12:00:00.000Z',
])('has rows of every kind and no future times when it is built at %s', (moment) => {
  const now = new Date(moment)
  const rows = buildDemo({ now, seed: 1 })
  expect(rows.affiliates).toHaveLength(200)
  expect(rows.sales.length).toBeGreaterThan(2500)
  expect(rows.referrals.length).toBeGreaterThan(2500)
  const commissions = counts(rows.commissions, (commission) => commissionState(commission, now))
  for (const state of ['pending', 'due', 'paid', 'void']) expect(commissions[state], state).toBeGreaterThan(40)
  const sales = counts(rows.sales, (sale) => sale.noCommissionReason)
  for (const reason of ['amount_rounds_to_zero', 'commission_period_over', 'max_commissions_reached']) {
    expect(sales[reason], reason).toBeGreaterThan(0)
  }
  const payouts = counts(rows.payouts, (payout) => (payout.paidAt ? 'paid' : 'pending'))
  expect(payouts.pending).toBeGreaterThan(50)
  expect(payouts.paid).toBeGreaterThan(200)
  expect(rows.applications).toMatchObject([{ state: 'applied' }])
  expect(rows.unattributed_sales).toMatchObject([{ needsAttention: true }])
  expect(counts(rows.payout_run_items, ({ state }) => state)).toEqual({ failed: 1, paid: payouts.paid })
  expect(rows.commissions.filter(({ heldReason }) => heldReason)).toHaveLength(1)
  const { money_events: facts, payment_facts: payments, refunds, ...tables } = rows
  const times = Object.values(tables).flatMap((table: { createdAt: Date; updatedAt: Date }[]) =>
    table.flatMap((row) => [row.createdAt, row.updatedAt]),
  )
  times.push(
    ...facts.map(({ at }) => at),
    ...payments.map(({ recordedAt }) => recordedAt),
    ...refunds.map(({ createdAt }) => createdAt),
  )
  expect(times.every((time) => time <= now)).toBe(true)
})
