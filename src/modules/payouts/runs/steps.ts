import { withTransaction } from '../../../database/client/transaction.ts'
import type { Payout, PayoutRun, PayoutRunItem, Prisma } from '../../../generated/prisma/client.ts'
import type { PayoutItemState } from '../../../generated/prisma/enums.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { giveWay } from '../../../kernel/slices.ts'
import { lockAffiliates } from '../settle.ts'
import { lockRun } from './find.ts'
import { openItemStates } from './input.ts'
import { recordRun } from './record.ts'

/** How many payments a transaction changes. It locks their affiliates for less than 200 ms. */
const batchSize = 100
/** Less than the deadline of a request. What is left then is done by the same request, sent again. */
const budgetMs = 20_000

export type Batch = { run: PayoutRun; items: (PayoutRunItem & { payout: Payout | null })[]; now: Date }

type Steps = {
  /** Checks the run in each transaction, after its row was locked. */
  check: (run: PayoutRun) => void
  /** Which items the step changes, of those that were not reached yet. */
  where: Prisma.PayoutRunItemWhereInput
  change: (tx: Prisma.TransactionClient, batch: Batch) => Promise<void>
  /** After the last item, in the transaction of its batch. */
  finish: (tx: Prisma.TransactionClient, run: PayoutRun, now: Date) => Promise<void>
}

/**
 * Changes the items of a run in short transactions, each of which holds the locks of its affiliates. A small run is changed in
 * one: all of it, or nothing.
 */
export async function inBatches(
  ctx: ProgramCtx,
  runId: string,
  { check, where, change, finish }: Steps,
): Promise<void> {
  const programId = ctx.program.id
  const startedAt = Date.now()
  for (let after: string | undefined; Date.now() - startedAt < budgetMs; ) {
    const last = await withTransaction(ctx.db, async (tx) => {
      const run = await lockRun(tx, ctx, runId)
      check(run)
      const found = await tx.payoutRunItem.findMany({
        where: { AND: [where, { programId, runId }, after === undefined ? {} : { id: { gt: after } }] },
        orderBy: { id: 'asc' },
        take: batchSize,
      })
      const items = await lockItems(tx, ctx, found)
      const now = ctx.now()
      if (items.length > 0) await change(tx, { run, items, now })
      if (found.length === batchSize) return found.at(-1)?.id
      await finish(tx, await lockRun(tx, ctx, runId), now)
      return undefined
    })
    if (last === undefined) return
    after = last
    await giveWay()
  }
}

/** Locks the affiliates of the items, and reads their payouts. A payout that became empty is null. */
async function lockItems(
  tx: Prisma.TransactionClient,
  { program }: ProgramCtx,
  found: PayoutRunItem[],
): Promise<Batch['items']> {
  if (found.length === 0) return []
  await lockAffiliates(tx, program.id, [...new Set(found.map(({ affiliateId }) => affiliateId))])
  const ids = found.map(({ payoutId }) => payoutId)
  const payouts = await tx.payout.findMany({ where: { programId: program.id, id: { in: ids } } })
  const byId = new Map(payouts.map((payout) => [payout.id, payout]))
  return found.map((item) => ({ ...item, payout: byId.get(item.payoutId) ?? null }))
}

export const stillOpen: Prisma.PayoutRunItemWhereInput = { state: { in: [...openItemStates] } }

export async function setItems(
  tx: Prisma.TransactionClient,
  items: readonly PayoutRunItem[],
  data: { state: PayoutItemState; reference?: string | null; reason?: string | null },
  now: Date,
): Promise<void> {
  const [first] = items
  if (!first) return
  const where = { programId: first.programId, id: { in: items.map(({ id }) => id) } }
  await tx.payoutRunItem.updateMany({ where, data: { ...data, updatedAt: now } })
}

/** Closes a run whose payments are all decided. */
export async function closeRun(
  tx: Prisma.TransactionClient,
  ctx: ProgramCtx,
  run: PayoutRun,
  given: { reference?: string | undefined; reason?: string | undefined },
  now: Date,
): Promise<void> {
  const ofRun = { programId: run.programId, runId: run.id }
  if (run.state === 'paid' || run.state === 'cancelled') return
  if ((await tx.payoutRunItem.count({ where: { ...ofRun, ...stillOpen } })) > 0) return
  const isCancelled = (await tx.payoutRunItem.count({ where: { ...ofRun, state: { not: 'cancelled' } } })) === 0
  const after = await tx.payoutRun.update({
    where: { programId_id: { programId: run.programId, id: run.id } },
    data: {
      ...(isCancelled ? { state: 'cancelled', cancelledAt: now } : { state: 'paid', paidAt: now }),
      ...(given.reference !== undefined && { reference: given.reference }),
      ...(given.reason !== undefined && { reason: given.reason }),
      updatedAt: now,
    },
  })
  await recordRun(tx, ctx, isCancelled ? 'cancelled' : 'paid', run, after, now)
}
