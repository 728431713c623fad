import { sqlWithin, statement } from '../../../database/client/sql.ts'
import { withTransaction, writeUnique } from '../../../database/client/transaction.ts'
import { columnsOf, jsonOf } from '../../../database/client/write.ts'
import type { Payout, PayoutRun, PayoutRunItem, Prisma } from '../../../generated/prisma/client.ts'
import type { PayoutItemState } from '../../../generated/prisma/enums.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { giveWay } from '../../../kernel/slices.ts'
import { openItem } from '../open-runs.ts'
import { lockAffiliates } from '../settle.ts'
import { lockRun } from './find.ts'
import { recordRun } from './record.ts'

/** How many payments the first transaction changes: all of a small run, or none. */
const firstBatch = 100
/**
 * How long a transaction should take, which holds the locks of its affiliates. The number of payments in the next one
 * follows.
 */
const batchMs = 120
const batchSizes = { least: 100, most: 400 }
/** What is left then is done by the same request, sent again. */
const budgetMs = 20_000
/** With the transaction that has begun before the time was over. */
const longestMs = budgetMs + 10_000

export type Item = Pick<
  PayoutRunItem,
  | 'programId'
  | 'id'
  | 'payoutId'
  | 'affiliateId'
  | 'currency'
  | 'amountCents'
  | 'withheldCents'
  | 'state'
  | 'reference'
  | 'goneCents'
  | 'isExtra'
  | 'isUnknown'
  | 'serviceState'
>

/**
 * A payment as it is under the lock of its affiliate. `payout` is null if it became empty. `isPaidByOther`: another
 * payment pays the payout, or has paid it.
 */
export type Payment = Item & { payout: Payout | null; isPaidByOther: boolean }
export type Batch = { run: PayoutRun; items: Payment[]; now: Date }

type Steps = {
  /** Checks the run in each transaction, after its row was locked. */
  check: (run: PayoutRun) => void
  /** Which items the step changes: those in these states, or those of these payouts. */
  of: { states: readonly PayoutItemState[] } | { payoutIds: readonly string[] }
  change: (tx: Prisma.TransactionClient, batch: Batch) => Promise<void>
  /** After the last item, in the transaction of its batch. */
  finish: (tx: Prisma.TransactionClient, run: PayoutRun, now: Date) => Promise<void>
}

/**
 * Changes the items of a run in short transactions, each of which holds the locks of its affiliates. A small run is
 * changed in one: all of it, or nothing. It ends after 20 seconds. @returns for how many items `change` was called
 */
export async function inBatches(ctx: ProgramCtx, runId: string, { check, of, change, finish }: Steps): Promise<number> {
  ctx.db.deadline?.extend(longestMs)
  const startedAt = Date.now()
  let done = 0
  let size = firstBatch
  for (let from = start; Date.now() - startedAt < budgetMs; ) {
    const batchAt = performance.now()
    const next = await changePayments(ctx, async (tx) => {
      const run = await lockRun(tx, ctx, runId)
      check(run)
      const found = await readItems(tx, run, of, from, size)
      const locked = await lockItems(tx, ctx, found.items)
      const items = 'states' in of ? locked.filter(({ state }) => of.states.includes(state)) : locked
      const now = ctx.now()
      if (items.length > 0) await change(tx, { run, items, now })
      if (!found.next) await finish(tx, await lockRun(tx, ctx, runId), now)
      return { count: items.length, from: found.next }
    })
    done += next.count
    if (next.from === undefined) break
    from = next.from
    const fitting = Math.round((size * batchMs) / (performance.now() - batchAt))
    size = Math.min(Math.max(fitting, batchSizes.least), batchSizes.most)
    await giveWay()
  }
  return done
}

/**
 * Runs a transaction that can make payments open again. A run that is made at the same time does not wait for the locks
 * of affiliates, so it may take the payout meanwhile. Then the transaction runs again, and sees that another one pays.
 */
export const changePayments = <T>(
  { db }: Pick<ProgramCtx, 'db'>,
  change: (tx: Prisma.TransactionClient) => Promise<T>,
): Promise<T> =>
  writeUnique(
    () => Promise.resolve(),
    () => withTransaction(db, change),
  )

/** Where a batch begins: after an item, or at a place among the given payouts. */
type Place = { afterId: string; place: number }

const start: Place = { afterId: '00000000-0000-0000-0000-000000000000', place: 0 }

const itemColumns = `program_id::text as "programId", id::text, payout_id::text as "payoutId", affiliate_id::text as "affiliateId",
  currency, amount_cents as "amountCents", withheld_cents as "withheldCents", state::text, reference, gone_cents as "goneCents", is_extra as "isExtra",
  is_unknown as "isUnknown", service_state as "serviceState"`
/**
 * A batch reads its own items only, whatever the planner knows of a run that was made just now. A condition on the
 * state would make it sort all items of the run.
 */
const itemsAfter = statement<Item>(`
  select ${itemColumns} from payout_run_items item
  where program_id = $1::uuid and run_id = $2::uuid and id > $3::uuid order by item.id limit $4::int`)
const itemsOfPayouts = statement<Item>(`
  select ${itemColumns} from unnest($3::uuid[]) given (payout), lateral (
    select * from payout_run_items where program_id = $1::uuid and run_id = $2::uuid and payout_id = given.payout limit 1
  ) item`)

async function readItems(
  tx: Prisma.TransactionClient,
  { programId, id }: PayoutRun,
  of: Steps['of'],
  { afterId, place }: Place,
  size: number,
): Promise<{ items: Item[]; next: Place | undefined }> {
  if ('states' in of) {
    const read = await sqlWithin(tx).query(itemsAfter, [programId, id, afterId, size])
    const last = read.length === size ? read.at(-1) : undefined
    return { items: read, next: last && { afterId: last.id, place } }
  }
  const payoutIds = of.payoutIds.slice(place, place + size)
  const items = await sqlWithin(tx).query(itemsOfPayouts, [programId, id, payoutIds])
  return { items, next: place + size < of.payoutIds.length ? { afterId, place: place + size } : undefined }
}

const payoutsById = statement<Payout>(`
  select program_id::text as "programId", id::text, affiliate_id::text as "affiliateId", currency, amount_cents as "amountCents",
    paid_at as "paidAt", sent_at as "sentAt", failed_at as "failedAt", reference, due_noted_at as "dueNotedAt",
    created_at as "createdAt", updated_at as "updatedAt"
  from payouts where program_id = $1::uuid and id = any($2::uuid[])`)

const itemsById = statement<Omit<Payment, 'payout'>>(`
  select ${itemColumns}, exists (
      select from payout_run_items item
      where item.program_id = own.program_id and item.payout_id = own.payout_id and item.id <> own.id
        and ((${openItem.sql}) or (item.gone_cents > 0 and not item.is_extra))
    ) as "isPaidByOther"
  from payout_run_items own where program_id = $1::uuid and id = any($2::uuid[]) order by id`)

/**
 * Locks the affiliates of the items, and reads the items and their payouts under the locks: another request may have
 * changed them meanwhile.
 */
export async function lockItems(
  tx: Prisma.TransactionClient,
  { program }: ProgramCtx,
  found: readonly Pick<Item, 'id' | 'affiliateId'>[],
): Promise<Payment[]> {
  if (found.length === 0) return []
  await lockAffiliates(tx, program.id, [...new Set(found.map(({ affiliateId }) => affiliateId))])
  const items = await sqlWithin(tx).query(itemsById, [program.id, found.map(({ id }) => id)])
  const payouts = await sqlWithin(tx).query(payoutsById, [program.id, items.map(({ payoutId }) => payoutId)])
  const byId = new Map(payouts.map((payout) => [payout.id, payout]))
  return items.map((item) => ({ ...item, payout: byId.get(item.payoutId) ?? null }))
}

/** Payments whose result is not known. One that was not claimed waits at the service, also after the run. */
const undecided: Prisma.PayoutRunItemWhereInput = { state: { in: ['prepared', 'sent'] } }

export type ItemChange = {
  id: string
  state: PayoutItemState
  goneCents?: bigint
  isExtra?: boolean
  reference?: string | undefined
  reason?: string | undefined
}

/** The program is in the rows: with a constant, the planner reads all items of the program, as it expects few. */
const setGiven = statement(`
  update payout_run_items item set state = given.state, updated_at = $1::timestamptz,
    gone_cents = coalesce(given.gone_cents, item.gone_cents), is_unknown = item.is_unknown and given.state = 'prepared', is_extra = coalesce(given.is_extra, item.is_extra),
    reference = coalesce(given.reference, item.reference), reason = coalesce(given.reason, item.reason)
  from jsonb_populate_recordset(null::payout_run_items, $2::jsonb) given
  where item.program_id = given.program_id and item.id = given.id`)

/** Sets the states of items. A reference and a reason stay unless others are given. */
export async function setItems(
  tx: Prisma.TransactionClient,
  { program }: ProgramCtx,
  changes: readonly ItemChange[],
  now: Date,
): Promise<void> {
  const rows = changes.map((change) => columnsOf({ programId: program.id, ...change }))
  if (rows.length > 0) await sqlWithin(tx).query(setGiven, [now.toISOString(), jsonOf(rows)])
}

/** Closes a run whose payments are all decided. A cancelled one is paid if something of it was paid after all. */
export async function closeRun(
  tx: Prisma.TransactionClient,
  ctx: ProgramCtx,
  run: PayoutRun,
  given: { reference?: string | undefined; reason?: string | undefined },
  now: Date,
): Promise<void> {
  const ofRun = { programId: run.programId, runId: run.id }
  if (run.state === 'paid') return
  const isAny = async (whose: Prisma.PayoutRunItemWhereInput) =>
    (await tx.payoutRunItem.findFirst({ where: { ...ofRun, ...whose }, select: { id: true } })) !== null
  if (await isAny(undecided)) return
  const isCancelled = !(await isAny({ state: { not: 'cancelled' } }))
  if (isCancelled && run.state === 'cancelled') return
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
