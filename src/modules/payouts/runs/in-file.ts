import { sqlWithin } from '../../../database/client/sql.ts'
import { inserted, writeTogether } from '../../../database/client/write.ts'
import type { Payout, PayoutRun, Prisma } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { refused } from '../../../kernel/errors.ts'
import { readableAmount } from '../../../kernel/money/decimals.ts'
import { eventsOf, insertedEvents } from '../../events/record.ts'
import { entriesOf } from '../../history/record.ts'
import { updatedPayouts } from '../mark.ts'
import { changedItems } from '../open-runs.ts'
import type { Split } from '../withholding.ts'

// What a payout is while a run pays it: marked as sent, and at the amount of the file.

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

/** @throws REFUSED unless the payout is open, at the amount that the item settles */
export function asInFile(
  { payoutId, amountCents, withheldCents, currency }: Split & { payoutId: string; currency: string },
  payout: Payout | null,
): Payout {
  const settled = amountCents + withheldCents
  if (payout && !payout.paidAt && !payout.failedAt && payout.amountCents === settled) return payout
  throw refused(changedMessage(1, `${payoutId}: ${readableAmount(settled, currency)} ${nowOf(payout)}`))
}

const nowOf = (payout: Payout | null) =>
  payout && !payout.paidAt && !payout.failedAt
    ? `in the run, ${readableAmount(payout.amountCents, payout.currency)} now`
    : 'in the run, and nothing to pay now'

const changedMessage = (count: number, example: string) =>
  `${count === 1 ? '1 payout has' : `${count} payouts have`} changed since the run was made, such as ${example}. Cancel the run and make a new one, or record the result \`CANCELLED\` for what is not paid. If the file was paid, fetch it first: then what it paid is recorded, and the difference is a debt.`

/**
 * Tells how many payouts of the run, or of those given, differ before the first is marked. A file that somebody fetched
 * is paid as it is, and so is a run that was sent. @throws REFUSED
 */
export async function refuseChanged(
  { db }: ProgramCtx,
  { programId, id, fetchedAt, sentAt }: PayoutRun,
  payoutIds: readonly string[] | null = null,
): Promise<void> {
  if (fetchedAt || sentAt) return
  const given = payoutIds && [...payoutIds]
  const [changed] = await db.$queryRaw<{ count: number; example: string | null }[]>`
    select count(*)::int as count, min(item.payout_id::text) as example
    from ${changedItems} and item.program_id = ${programId}::uuid and item.run_id = ${id}::uuid
      and (${given}::uuid[] is null or item.payout_id = any (${given}::uuid[]))`
  if (changed && changed.count > 0) throw refused(changedMessage(changed.count, changed.example ?? ''))
}
