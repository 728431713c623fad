import type { PayoutItemState, PayoutRun } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { refused } from '../../../kernel/errors.ts'
import { parseInput } from '../../../kernel/input/parse.ts'
import { applyFacts } from './apply-facts.ts'
import { findPayoutRun } from './find.ts'
import { refuseChanged } from './in-file.ts'
import { markPayoutRunInput } from './input.ts'
import { recordRun, refuseUnapproved } from './record.ts'
import { closeRun, inBatches } from './steps.ts'

/** What is not decided, and waits for nothing but the service. */
const undecided = ['prepared', 'sent'] as const satisfies PayoutItemState[]

/**
 * Marks a run as sent to the service. From then on, the commissions of its payouts are fixed: a refund of one is a debt
 * in a later payout. Idempotent.
 * @throws NOT_FOUND; INVALID_INPUT; REFUSED if an amount differs from a file that nobody fetched, or the run is not
 *   approved or is closed
 */
export async function markPayoutRunSent(ctx: ProgramCtx, id: string, raw: unknown = {}): Promise<void> {
  const found = await findPayoutRun(ctx, id)
  const { reference } = await parseInput(markPayoutRunInput, raw)
  if (found.state === 'sent') return
  await refuseChanged(ctx, found)
  const said = [{ kind: 'sent' as const, reference: reference ?? null }]
  await inBatches(ctx, id, {
    check: (run) => {
      refuseClosed(run)
      refuseUnapproved(run)
      // The service says what it has. Marked by hand, what is unknown would never be asked for.
      if (run.handedOverAt)
        throw refused(
          'The run is sent by the API of a service. Go on with sendPayoutRun, or ask with refreshPayoutRun.',
        )
    },
    of: { states: ['prepared'] },
    async change(tx, { run, items, now }) {
      const facts = items.map((payment) => ({ payment, said }))
      await applyFacts(tx, ctx, run, facts, now)
    },
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
 * known already stay as they are, also those that are unclaimed.
 * @throws NOT_FOUND; INVALID_INPUT; REFUSED if an amount differs from a file that nobody fetched, or the run is not
 *   approved or is cancelled
 */
export async function markPayoutRunPaid(ctx: ProgramCtx, id: string, raw: unknown = {}): Promise<void> {
  const found = await findPayoutRun(ctx, id)
  const { reference } = await parseInput(markPayoutRunInput, raw)
  if (found.state === 'paid') return
  await refuseChanged(ctx, found)
  const said = [{ kind: 'paid' as const, reference: reference ?? null }]
  await inBatches(ctx, id, {
    check: (run) => {
      if (run.state === 'cancelled') refuseClosed(run)
      refuseUnapproved(run)
    },
    of: { states: undecided },
    async change(tx, { run, items, now }) {
      if (items.some(({ isUnknown }) => isUnknown))
        throw refused('What became of payments at the service is unknown. Ask with refreshPayoutRun first.')
      const facts = items.map((payment) => ({ payment, said }))
      await applyFacts(tx, ctx, run, facts, now)
    },
    finish: (tx, run, now) => closeRun(tx, ctx, run, { reference }, now),
  })
}

export function refuseClosed({ state }: PayoutRun): void {
  if (state === 'paid' || state === 'cancelled') throw refused(`The run is ${state}: nothing of it is open.`)
}
