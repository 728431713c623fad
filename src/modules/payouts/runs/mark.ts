import { sqlWithin } from '../../../database/client/sql.ts'
import { inserted, writeTogether } from '../../../database/client/write.ts'
import type { Payout, PayoutRun, Prisma } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { refused } from '../../../kernel/errors.ts'
import { parseInput } from '../../../kernel/input/parse.ts'
import { readableAmount } from '../../../kernel/money/decimals.ts'
import { eventsOf, insertedEvents } from '../../events/record.ts'
import { entriesOf } from '../../history/record.ts'
import { markPaid, updatedPayouts } from '../mark.ts'
import { changedItems } from '../open-runs.ts'
import { findPayoutRun } from './find.ts'
import { markPayoutRunInput, openItemStates } from './input.ts'
import { recordRun, refuseUnapproved } from './record.ts'
import { type Batch, closeRun, inBatches, setItems } from './steps.ts'

/**
 * Marks a run as sent to the service. From then on, the commissions of its payouts are fixed: a refund of one is a debt
 * in a later payout. Idempotent.
 * @throws NOT_FOUND; INVALID_INPUT; REFUSED if an amount differs from the file, or the run is not approved or is closed
 */
export async function markPayoutRunSent(ctx: ProgramCtx, id: string, raw: unknown = {}): Promise<void> {
  const found = await findPayoutRun(ctx, id)
  const { reference } = await parseInput(markPayoutRunInput, raw)
  if (found.state === 'sent') return
  await refuseChanged(ctx, found)
  await inBatches(ctx, id, {
    check: (run) => {
      refuseClosed(run)
      refuseUnapproved(run)
    },
    of: { states: ['prepared'] },
    change: (tx, batch) => sendItems(tx, ctx, batch, reference),
    async finish(tx, run, now) {
      if (run.state === 'sent') return
      const after = await tx.payoutRun.update({
        where: { programId_id: { programId: run.programId, id } },
        data: { state: 'sent', sentAt: now, updatedAt: now, ...(reference !== undefined && { reference }) },
      })
      await recordRun(tx, ctx, 'sent', run, after, now)
    },
  })
}

/**
 * Marks the open payments of a run as paid, each at the amount of the run's file. Idempotent: payments whose result is
 * known already stay as they are.
 * @throws NOT_FOUND; INVALID_INPUT; REFUSED if an amount differs from the file, or the run is not approved or is
 *   cancelled
 */
export async function markPayoutRunPaid(ctx: ProgramCtx, id: string, raw: unknown = {}): Promise<void> {
  const found = await findPayoutRun(ctx, id)
  const { reference } = await parseInput(markPayoutRunInput, raw)
  if (found.state === 'paid') return
  await refuseChanged(ctx, found)
  await inBatches(ctx, id, {
    check: (run) => {
      if (run.state === 'cancelled') refuseClosed(run)
      refuseUnapproved(run)
    },
    of: { states: openItemStates },
    async change(tx, { items, run, now }) {
      const payments = items.map(({ payout, ...item }) => {
        return { payout: asInFile(item, payout), reference: reference ?? item.reference ?? run.reference }
      })
      await markPaid(tx, ctx, payments)
      const changes = items.map(({ id: itemId }) => ({ id: itemId, state: 'paid' as const, reference }))
      await setItems(tx, ctx, changes, now)
    },
    finish: (tx, run, now) => closeRun(tx, ctx, run, { reference }, now),
  })
}

async function sendItems(
  tx: Prisma.TransactionClient,
  ctx: ProgramCtx,
  { items, now }: Batch,
  reference: string | undefined,
): Promise<void> {
  const payouts = items.map(({ payout, ...item }) => asInFile(item, payout))
  const changes = items.map(({ id }) => ({ id, state: 'sent' as const, reference }))
  await setItems(tx, ctx, changes, now)
  await setSent(tx, ctx, payouts, now)
}

/** Sets or clears when payouts were sent, with history and events. */
export async function setSent(
  tx: Prisma.TransactionClient,
  ctx: ProgramCtx,
  payouts: readonly Payout[],
  now: Date,
  sentAt: Date | null = now,
): Promise<void> {
  const changed = payouts.filter((payout) => Boolean(payout.sentAt) !== Boolean(sentAt))
  if (changed.length === 0) return
  const action = sentAt ? ('sent' as const) : ('cancelled' as const)
  const changes = changed.map((before) => {
    return { subject: 'payout' as const, subjectId: before.id, action, before, after: { ...before, sentAt } }
  })
  const events = changed.flatMap(({ id }) => eventsOf(id, ['payout.updated']))
  await writeTogether(sqlWithin(tx), [
    updatedPayouts(changed.map(({ programId, id }) => ({ programId, id, sentAt, updatedAt: now }))),
    inserted('changes', entriesOf(ctx, changes, now)),
    insertedEvents(ctx, events, now),
  ])
}

/** @throws REFUSED unless the payout is open, at the amount of the item */
export function asInFile(
  { payoutId, amountCents, currency }: { payoutId: string; amountCents: bigint; currency: string },
  payout: Payout | null,
): Payout {
  if (payout && !payout.paidAt && !payout.failedAt && payout.amountCents === amountCents) return payout
  throw refused(changedMessage(1, `${payoutId}: ${readableAmount(amountCents, currency)} ${nowOf(payout)}`))
}

const nowOf = (payout: Payout | null) =>
  payout && !payout.paidAt && !payout.failedAt
    ? `in the run, ${readableAmount(payout.amountCents, payout.currency)} now`
    : 'in the run, and nothing to pay now'

const changedMessage = (count: number, example: string) =>
  `${count === 1 ? '1 payout has' : `${count} payouts have`} changed since the run was made, such as ${example}. Cancel the run and make a new one, or record the result \`CANCELLED\` for what is not paid.`

/** Tells how many payouts of the run, or of those given, differ before the first is marked. @throws REFUSED */
export async function refuseChanged(
  { db }: ProgramCtx,
  { programId, id }: PayoutRun,
  payoutIds: readonly string[] | null = null,
): Promise<void> {
  const given = payoutIds && [...payoutIds]
  const [changed] = await db.$queryRaw<{ count: number; example: string | null }[]>`
    select count(*)::int as count, min(item.payout_id::text) as example
    from ${changedItems} and item.program_id = ${programId}::uuid and item.run_id = ${id}::uuid
      and (${given}::uuid[] is null or item.payout_id = any (${given}::uuid[]))`
  if (changed && changed.count > 0) throw refused(changedMessage(changed.count, changed.example ?? ''))
}

export function refuseClosed({ state }: PayoutRun): void {
  if (state === 'paid' || state === 'cancelled') throw refused(`The run is ${state}: nothing of it is open.`)
}
