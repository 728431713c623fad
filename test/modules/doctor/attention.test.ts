import { expect, it } from 'vitest'
import { makeDemoProgram } from '../../../src/modules/demo/service.ts'
import { createTestApp } from '../../support/app.ts'
import { connect } from '../../support/assistants.ts'

const test = await createTestApp({ startsAt: '2026-03-10T12:00:00.000Z' })
const demo = await makeDemoProgram(test.database.db, { now: test.clock.now, months: 6 })

/** The lists that the pages show, with the filters that the pages set. */
const lists = `query ($since: DateTime!) {
  APPLICATIONS: applications(where: { state: { equals: APPLIED } }) { totalCount }
  PROPOSALS: proposals(where: { state: { equals: OPEN } }) { totalCount }
  HELD: commissions(where: { heldReason: { not: null }, state: { equals: PENDING } }) { totalCount }
  UNATTRIBUTED: unattributedSales(where: { dismissedAt: { equals: null }, needsAttention: { equals: true } }) { totalCount }
  BACK: payoutRunItems(where: { state: { in: [FAILED, RETURNED] }, updatedAt: { gte: $since } }) { totalCount }
  UNCLAIMED: payoutRunItems(where: { state: { equals: UNCLAIMED } }) { totalCount }
  PREPARED: payoutRuns(where: { state: { in: [PREPARED, APPROVED] } }) { totalCount }
  SENT: payoutRuns(where: { state: { equals: SENT } }) { totalCount }
  FEED_EVENTS: feedEvents(where: { outcome: { equals: FAILED } }) { totalCount }
}`

it('what waits for a person is what the lists show, and nothing else', async () => {
  const { call } = await connect({ test, secret: demo?.secret ?? '' })
  const ask = async (query: string, variables = {}) => (await call('query', { query, variables })).data
  const { attention, payoutPreview } = await ask(`{
    attention { kind count amountCents currency page }
    payoutPreview(first: 0) { totals { currency payablePayouts payableCents } }
  }`)
  const since = new Date(test.clock.now.getTime() - 30 * 86_400_000).toISOString()
  const counted = await ask(lists, { since })
  const shown = Object.entries(counted as Record<string, { totalCount: number }>)
    .map(([kind, { totalCount }]) => [kind, totalCount] as const)
    .filter(([, count]) => count > 0)
  const isOfList = ({ kind }: { kind: string }) => kind in counted
  expect(attention.filter(isOfList).map(({ kind, count }: any) => [kind, count])).toEqual(shown)
  expect(shown.length).toBeGreaterThan(2)
  const payable = payoutPreview.totals.filter(({ payablePayouts }: any) => payablePayouts > 0)
  expect(attention.filter(({ kind }: any) => kind === 'PAYOUTS')).toEqual(
    payable.map(({ currency, payablePayouts, payableCents }: any) => ({
      kind: 'PAYOUTS',
      count: payablePayouts,
      amountCents: payableCents,
      currency,
      page: `payouts?currency=${currency}`,
    })),
  )
})

it('a program without work waits for nobody', async () => {
  const program = await test.createProgram()
  expect((await program.graphql('{ attention { kind } }')).attention).toEqual([])
})
