import { expect, it } from 'vitest'
import { closeDueMonths } from '../../../src/modules/statements/close-due.ts'
import { createTestApp, testKey } from '../../support/app.ts'
import { silentLog } from '../../support/database.ts'
import { createSeller, listed, reportSale } from '../../support/factories.ts'
import { createFeedOf, sendEvents } from '../../support/feeds.ts'
import { earner, runsOf } from '../../support/payout-runs.ts'
import { closeMonth } from '../../support/statements.ts'

const test = await createTestApp({ startsAt: '2026-10-10T12:00:00.000Z' })

it('compares the ledger with the payments, and says where a commission was paid without one', async () => {
  const program = await test.createProgram()
  const { affiliate, coupon } = await createSeller(program, { days_before_commissions_are_due: 0 })
  await reportSale(program, { coupon, external_id: 'a' })
  const [payout] = await listed(program, '/payouts')
  await program.post(`/payouts/${payout.id}/pay`)
  const read = async () => {
    const query = `{ reconciliation(month: "2026-10") { month agrees currencies { currency ledgerPaidCents servicePaidCents }
      differences { kind subjectId currency differenceCents reason } } }`
    return (await program.graphql(query)).reconciliation
  }
  expect(await read()).toEqual({
    month: '2026-10',
    agrees: true,
    currencies: [{ currency: 'usd', ledgerPaidCents: 1_000, servicePaidCents: 1_000 }],
    differences: [],
  })
  await reportSale(program, { coupon, external_id: 'b', amount_cents: 5_000 })
  const [open] = await listed(program, '/commissions?state=due')
  await program.graphql(
    'mutation ($id: ID!) { amendCommission(input: { id: $id, paidAt: "2026-10-09T00:00:00Z" }) { commission { id } } }',
    { id: open.id },
  )
  expect(await read()).toMatchObject({
    agrees: false,
    differences: [{ kind: 'PAYMENT', subjectId: affiliate.id, currency: 'usd', differenceCents: -500 }],
  })
})

const reconciliation = async (program: any, month: string) => {
  const query = `query ($month: String!) { reconciliation(month: $month) { agrees openCount differenceCount
    currencies { currency feedSalesCents ledgerSalesCents feedRefundsCents ledgerRefundsCents ledgerPaidCents servicePaidCents }
    differences { key kind subjectId currency differenceCents accepted { reason by { kind } } } } }`
  return (await program.graphql(query, { month })).reconciliation
}
const accept = (program: any, input: object) =>
  program.graphql(
    `mutation ($input: AcceptReconciliationInput!) { acceptReconciliation(input: $input) { reconciliation { openCount } } }`,
    { input },
  )

it('agrees with payments of which a part came back, and with one that was made beside its payout', async () => {
  const program = await test.createProgram()
  const { payout } = await earner(program)
  const runs = runsOf(program)
  const run = await runs.create({ method: 'GENERIC' })
  await runs.cancel(run.id)
  await program.post(`/payouts/${payout.id}/pay`)
  await runs.record(run.id, [{ payoutId: payout.id, state: 'PAID' }])
  expect(await reconciliation(program, '2026-10')).toMatchObject({
    agrees: true,
    currencies: [{ ledgerPaidCents: 2_000, servicePaidCents: 2_000 }],
  })
  await runs.record(run.id, [{ payoutId: payout.id, state: 'RETURNED', amountCents: 400 }])
  expect(await reconciliation(program, '2026-10')).toMatchObject({
    agrees: true,
    currencies: [{ ledgerPaidCents: 1_600, servicePaidCents: 1_600 }],
  })
})

it('closes the month of a program without feeds, because there is nothing to compare', async () => {
  const program = await test.createProgram()
  const { coupon } = await createSeller(program)
  await reportSale(program, { coupon })
  test.clock.advanceDays(31)
  const month = new Date(test.clock.now.getTime() - 31 * 86_400_000).toISOString().slice(0, 7)
  expect(await reconciliation(program, month)).toMatchObject({ agrees: true, currencies: [] })
  expect(await closeMonth(program, month)).toHaveLength(1)
})

it('compares sales and refunds with what feeds say, and closes once a person has accepted what differs', async () => {
  const program = await test.createProgram()
  const { coupon } = await createSeller(program)
  const month = test.clock.now.toISOString().slice(0, 7)
  const { url } = await createFeedOf(program, 'GENERIC')
  const at = test.clock.now.toISOString()
  const sale = (id: string, amountCents: number) => ({
    type: 'sale',
    id,
    amountCents,
    currency: 'usd',
    occurredAt: at,
    coupon,
  })
  await sendEvents(test, url, 'GENERIC', [
    sale('s1', 4_900),
    sale('s2', 10_000),
    { type: 'refund', id: 'r1', sale: 's2', saleId: 's2', amountCents: 2_500, currency: 'usd', occurredAt: at },
  ])
  // Another billing system numbers its refunds in the same way.
  const other = await createFeedOf(program, 'GENERIC')
  await sendEvents(test, other.url, 'GENERIC', [
    sale('o1', 3_000),
    { type: 'refund', id: 'r1', sale: 'o1', saleId: 'o1', amountCents: 1_000, currency: 'usd', occurredAt: at },
  ])
  expect(await reconciliation(program, month)).toMatchObject({
    agrees: true,
    currencies: [
      {
        currency: 'usd',
        feedSalesCents: 17_900,
        ledgerSalesCents: 17_900,
        feedRefundsCents: 3_500,
        ledgerRefundsCents: 3_500,
      },
    ],
  })
  const [changed] = (
    await program.graphql('{ sales(first: 9, where: { externalId: { equals: "s1" } }) { nodes { id } } }')
  ).sales.nodes
  const change = (amountCents: number) =>
    program.graphql(
      'mutation ($id: ID!, $amountCents: SafeInt!) { changeSale(input: { id: $id, amountCents: $amountCents, reason: "Mistyped" }) { sale { id } } }',
      { id: changed.id, amountCents },
    )
  await change(5_000)
  const told = await reconciliation(program, month)
  expect(told).toMatchObject({
    agrees: false,
    openCount: 1,
    currencies: [{ feedSalesCents: 17_900, ledgerSalesCents: 18_000 }],
    differences: [{ kind: 'SALE', subjectId: changed.id, currency: 'usd', differenceCents: -100, accepted: null }],
  })
  await test.operator(
    'mutation ($id: ID!) { updateProgram(input: { id: $id, closesMonthsAfterDays: 2 }) { program { id } } }',
    {
      id: program.id,
    },
  )
  test.clock.advanceDays(31)
  await expect(closeMonth(program, month)).rejects.toThrow(`${month} has a difference`)
  const close = () => closeDueMonths({ db: test.database.db, now: () => test.clock.now, log: silentLog, key: testKey })
  await close()
  const waiting =
    '{ statementMonths { month closedAt } attention { kind count } openMonths { month state openDifferences } }'
  expect(await program.graphql(waiting)).toMatchObject({
    statementMonths: [],
    attention: expect.arrayContaining([{ kind: 'MONTHS', count: 1 }]),
    openMonths: [{ month, state: 'DIFFERENCES', openDifferences: 1 }, { state: 'OPEN' }],
  })
  expect(
    (await test.operator('{ installationStatus { waiting { overdueMonths } } }')).installationStatus.waiting
      .overdueMonths,
  ).toBe(1)

  await accept(program, { month, currency: 'usd', reason: 'Support gave a credit.' })
  expect(await reconciliation(program, month)).toMatchObject({
    agrees: false,
    openCount: 0,
    differences: [{ accepted: { reason: 'Support gave a credit.', by: { kind: 'API_KEY' } } }],
  })
  // The difference is another one now, so the acceptance does not cover it.
  await change(5_100)
  expect(await reconciliation(program, month)).toMatchObject({ openCount: 1, differences: [{ accepted: null }] })
  await expect(accept(program, { month, keys: [told.differences[0].key], reason: 'Too late' })).rejects.toThrow(
    'has changed',
  )
  await expect(accept(program, { month, currency: 'eur', reason: 'Wrong' })).rejects.toThrow('Nothing')
  await close()
  expect((await program.graphql(waiting)).statementMonths).toEqual([])
  await accept(program, { month, reason: 'Support gave another credit.' })
  await close()
  const closed = await program.graphql(waiting)
  expect(closed).toMatchObject({ statementMonths: [{ month }] })
  expect(closed.attention.filter(({ kind }: { kind: string }) => kind === 'MONTHS')).toEqual([])
  await expect(accept(program, { month, reason: 'Again' })).rejects.toThrow('is closed')
})

it('lists events of a billing system that could not be used', async () => {
  const program = await test.createProgram()
  const month = test.clock.now.toISOString().slice(0, 7)
  const { url } = await createFeedOf(program, 'GENERIC')
  await sendEvents(test, url, 'GENERIC', [{ type: 'sale', id: 'bad', amountCents: 'much', currency: 'usd' }])
  const read = await reconciliation(program, month)
  expect(read).toMatchObject({ openCount: 1, differences: [{ kind: 'FEED_EVENT', currency: null }] })
  await accept(program, { month, keys: read.differences.map(({ key }: any) => key), reason: 'A test of the shop.' })
  expect(await reconciliation(program, month)).toMatchObject({ openCount: 0 })
})

it('compares refunds in the amounts of their sales, however the billing system counts them', async () => {
  const program = await test.createProgram()
  const { coupon } = await createSeller(program)
  const month = test.clock.now.toISOString().slice(0, 7)
  const { url } = await createFeedOf(program, 'GENERIC')
  const occurredAt = test.clock.now.toISOString()
  const sale = (id: string, amounts: object) => ({ type: 'sale', id, ...amounts, currency: 'usd', occurredAt, coupon })
  const refund = (saleId: string, id: string, amountCents: number, more: object = {}) => ({
    ...{ type: 'refund', id, saleId, amountCents, currency: 'usd', occurredAt },
    ...more,
  })
  await sendEvents(test, url, 'GENERIC', [
    // The refund contains the tax, and the sale does not.
    sale('taxed', { amountCents: 11_900, taxCents: 1_900 }),
    refund('taxed', 'rt', 11_900),
    // Both are known at once, and are booked as one.
    sale('twice', { amountCents: 10_000 }),
    refund('twice', 'r1', 2_000),
    refund('twice', 'r2', 3_000),
    sale('failed', { amountCents: 10_000 }),
    refund('failed', 'rf', 1_000),
    refund('failed', 'rf', 1_000, { failed: true }),
    sale('lost', { amountCents: 4_000 }),
    { type: 'dispute', id: 'd1', saleId: 'lost', state: 'lost', occurredAt },
  ])
  expect(await reconciliation(program, month)).toMatchObject({
    agrees: true,
    currencies: [{ feedRefundsCents: 19_000, ledgerRefundsCents: 19_000 }],
  })
  test.clock.advanceDays(31)
  await sendEvents(test, url, 'GENERIC', [refund('twice', 'r3', 1_000)])
  const next = test.clock.now.toISOString().slice(0, 7)
  expect(await reconciliation(program, next)).toMatchObject({
    agrees: true,
    currencies: [{ feedRefundsCents: 1_000, ledgerRefundsCents: 1_000 }],
  })
  const { refundSale } = await program.graphql(
    'mutation { refundSale(input: { externalId: "twice", amountCents: 500 }) { sale { id } } }',
  )
  expect(await reconciliation(program, next)).toMatchObject({
    agrees: false,
    currencies: [{ feedRefundsCents: 1_000, ledgerRefundsCents: 1_500 }],
    differences: [{ kind: 'REFUND', subjectId: refundSale.sale.id, differenceCents: -500 }],
  })
})
