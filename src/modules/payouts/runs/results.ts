import type { z } from 'zod'
import { withTransaction } from '../../../database/client/transaction.ts'
import type { PayoutRun, PayoutRunItem, Prisma } from '../../../generated/prisma/client.ts'
import type { PayoutItemState } from '../../../generated/prisma/enums.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { type Problem, refused } from '../../../kernel/errors.ts'
import { groupBy } from '../../../kernel/group-by.ts'
import { isId } from '../../../kernel/ids.ts'
import { allOrNone, placeIn, readEntries } from '../../../kernel/input/entries.ts'
import { parseInput } from '../../../kernel/input/parse.ts'
import { excerpt } from '../../../kernel/text.ts'
import { recordAction } from '../../history/record.ts'
import type { Said } from '../payments/facts.ts'
import { applyFacts } from './apply-facts.ts'
import { findPayoutRun } from './find.ts'
import { refuseChanged } from './in-file.ts'
import { payoutResultInput, recordPayoutResultsInput } from './input.ts'
import { outcomeOf } from './outcome.ts'
import { refuseUnapproved } from './record.ts'
import { type Batch, closeRun, type Item, inBatches } from './steps.ts'

/** `isReversal`: a booking of its own took the payment back. */
export type Result = z.output<typeof payoutResultInput> & { isReversal?: boolean }

/**
 * Records what became of payments of a run. What failed, came back or was not claimed is due again, and in the next
 * payout of the affiliate. A result that is known already changes nothing.
 * @returns the id of the run
 * @throws NOT_FOUND; INVALID_INPUT with every problem; REFUSED if the run is not approved, or an amount has changed
 */
export async function recordPayoutResults(ctx: ProgramCtx, raw: unknown): Promise<string> {
  const { runId, results } = await parseInput(recordPayoutResultsInput, raw)
  const run = await findPayoutRun(ctx, runId)
  const entries = await readEntries(payoutResultInput, results, async (inputs) => {
    const items = await readItems(ctx, run.id, inputs)
    const known = await readKnownPayoutIds(ctx, inputs)
    const seen = new Set<string>()
    return inputs.map((input): Problem[] => {
      const { payoutId, state, at } = input
      if (payoutId === undefined) return []
      const item = items.get(payoutId)
      if (!item && !known.has(payoutId))
        return [{ field: 'payoutId', message: `Payout not found: ${excerpt(payoutId)}` }]
      if (!item) return [{ field: 'payoutId', message: `The payout ${payoutId} is not in this run.` }]
      if (seen.has(payoutId)) return [{ field: 'payoutId', message: `The payout ${payoutId} has two results.` }]
      seen.add(payoutId)
      // A result with a time of its own takes its place among the others.
      const outcome = state === undefined || (at && isFact(state)) ? 'unchanged' : outcomeOf(item.state, state)
      return typeof outcome === 'string'
        ? []
        : [{ field: 'state', message: `The payout ${payoutId} ${outcome.refusal}` }]
    })
  })
  await applyResults(ctx, run.id, allOrNone(entries, placeIn('results')))
  return run.id
}

async function readItems(
  { db, program }: ProgramCtx,
  runId: string,
  inputs: readonly Partial<Result>[],
): Promise<Map<string, PayoutRunItem>> {
  const ids = inputs.flatMap(({ payoutId }) => (payoutId !== undefined && isId(payoutId) ? payoutId : []))
  const items = await db.payoutRunItem.findMany({ where: { programId: program.id, runId, payoutId: { in: ids } } })
  return new Map(items.map((item) => [item.payoutId, item]))
}

async function readKnownPayoutIds(
  { db, program }: ProgramCtx,
  inputs: readonly Partial<Result>[],
): Promise<Set<string>> {
  const ids = inputs.flatMap(({ payoutId }) => (payoutId !== undefined && isId(payoutId) ? payoutId : []))
  const payouts = await db.payout.findMany({ where: { programId: program.id, id: { in: ids } }, select: { id: true } })
  return new Set(payouts.map(({ id }) => id))
}

/** Checks what `applyResults` would refuse. @returns how many results it would apply @throws REFUSED */
export async function checkResults(ctx: ProgramCtx, run: PayoutRun, results: readonly Result[]): Promise<number> {
  if (results.length === 0) return 0
  refuseUnapproved(run)
  const atAmount = results.filter(({ state }) => state === 'paid' || state === 'sent')
  const payoutIds = atAmount.map(({ payoutId }) => payoutId)
  await refuseChanged(ctx, run, payoutIds)
  return results.length
}

/**
 * Applies results, which were checked, in short transactions. The history of the run has one entry with their numbers.
 * @returns how many: after 20 seconds, the rest is left
 */
export async function applyResults(ctx: ProgramCtx, runId: string, results: readonly Result[]): Promise<number> {
  if (results.length === 0) return 0
  const byPayout = groupBy(results, ({ payoutId }) => payoutId)
  const changed: ChangedStates = new Map()
  const count = await inBatches(ctx, runId, {
    check: refuseUnapproved,
    of: { payoutIds: [...byPayout.keys()] },
    change: (tx, batch) => changeItems(tx, ctx, batch, byPayout, changed),
    finish: async (tx, run, now) => {
      await noteResults(tx, ctx, runId, changed, now)
      await closeRun(tx, ctx, run, {}, now)
    },
  })
  // The time was over before `finish`.
  if (count < byPayout.size) await withTransaction(ctx.db, (tx) => noteResults(tx, ctx, runId, changed, ctx.now()))
  return count
}

/** The new states of payments. An attempt that is repeated sets them again. */
type ChangedStates = Map<string, PayoutItemState>

/** The history of the run has the numbers of results. */
export async function noteResults(
  tx: Prisma.TransactionClient,
  ctx: ProgramCtx,
  runId: string,
  changed: ReadonlyMap<string, PayoutItemState>,
  now: Date,
): Promise<void> {
  if (changed.size === 0) return
  const counts = [...groupBy(changed.values(), (state) => state)].map(([state, all]) => [`${state}Count`, all.length])
  const subject = { subject: 'payout_run', subjectId: runId, action: 'results_recorded' } as const
  await recordAction(tx, ctx, subject, null, Object.fromEntries(counts), now)
}

async function changeItems(
  tx: Prisma.TransactionClient,
  ctx: ProgramCtx,
  { run, items, now }: Batch,
  results: ReadonlyMap<string, readonly Result[]>,
  changedStates: ChangedStates,
): Promise<void> {
  const facts = items.map((payment) => {
    const said = (results.get(payment.payoutId) ?? []).map((result) => saidOf(payment, result))
    return { payment, said }
  })
  for (const { payoutId } of items) changedStates.delete(payoutId)
  const changed = await applyFacts(tx, ctx, run, facts, now)
  // A person has decided what is right.
  const decided = { programId: ctx.program.id, id: { in: items.map(({ id }) => id) }, contradiction: { not: null } }
  await tx.payoutRunItem.updateMany({ where: decided, data: { contradiction: null } })
  for (const [payoutId, state] of changed) changedStates.set(payoutId, state)
}

/** @throws REFUSED if another request has recorded what contradicts it */
function saidOf(
  { payoutId, state: from }: Item,
  { state, at, amountCents, reference, reason, isReversal }: Result,
): Said {
  const outcome = at ? 'noted' : outcomeOf(from, state)
  if (typeof outcome !== 'string') throw refused(`The payout ${payoutId} ${outcome.refusal}`)
  if (!isFact(state)) throw refused(`The payout ${payoutId} cannot become ${state} again.`)
  return {
    kind: isReversal ? 'reversed' : state,
    amountCents: amountCents ?? null,
    at: at ?? null,
    reference: reference ?? null,
    reason: reason ?? null,
  }
}

const isFact = (state: PayoutItemState) => state !== 'prepared'
