import type { TestProgram } from '../support/app.ts'
import type { Payment, Report } from './reports.ts'

// What a sequence has made, and how the service shows its payments.

export type Sale = { id: string; currency: string; cents: number; refunded: number }
type Refund = { id: string; sale: Sale; cents: number; isReversed: boolean }
export type World = {
  program: TestProgram
  coupons: string[]
  affiliates: string[]
  sales: Sale[]
  refunds: Refund[]
  payments: Payment[]
}

export type Item = {
  id: string
  runId: string
  payoutId: string
  amountCents: number
  withheldCents: number
  goneCents: number
  state: string
}
export const readItems = async ({ program }: World) =>
  (
    await program.graphql(
      '{ payoutRuns(first: 100) { nodes { id items(first: 10) { nodes { id payoutId amountCents withheldCents goneCents state isExtra } } } } }',
    )
  ).payoutRuns.nodes.flatMap(({ id: runId, items }: any) =>
    items.nodes.map((item: object) => ({ ...item, runId })),
  ) as (Item & { isExtra: boolean })[]

/** Adds the payments that are new. */
export async function noteNew(world: World, isFetched: boolean, reports: () => Report[] = () => []): Promise<void> {
  for (const { id, runId, payoutId, amountCents: cents, withheldCents: withheld } of await readItems(world)) {
    if (world.payments.some((one) => one.id === id)) continue
    world.payments.push({ id, runId, payoutId, cents, withheld, isFetched, reports: reports() })
  }
}

export const waits = ({ state }: Item) => ['PREPARED', 'SENT', 'UNCLAIMED'].includes(state)
