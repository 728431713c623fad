import type { ProgramCtx } from '../../../kernel/context.ts'
import { refused } from '../../../kernel/errors.ts'
import { parseInput } from '../../../kernel/input/parse.ts'
import { applyFacts } from './apply-facts.ts'
import { findPayoutRun } from './find.ts'
import { cancelPayoutRunInput, openItemStates } from './input.ts'
import { closeRun, inBatches, type Payment } from './steps.ts'

/** What a service may be paying at this moment is not free. @throws REFUSED */
function refuseUnknown(items: readonly Payment[]): void {
  const count = items.filter(({ isUnknown }) => isUnknown).length
  if (count > 0)
    throw refused(
      `What became of ${count === 1 ? '1 payment' : `${count} payments`} at the service is unknown. Ask with refreshPayoutRun, or record what its page says, then cancel the run.`,
    )
}

/**
 * Cancels the open payments of a run, which frees their payouts. Idempotent. Payments that are decided stay as they
 * are. A run that was sent needs `confirmSent`: if the service pays it, its people are paid twice.
 * @throws NOT_FOUND; INVALID_INPUT; REFUSED if nothing is open
 */
export async function cancelPayoutRun(ctx: ProgramCtx, id: string, raw: unknown): Promise<void> {
  const found = await findPayoutRun(ctx, id)
  const { reason, confirmSent } = await parseInput(cancelPayoutRunInput, raw)
  if (found.state === 'cancelled') return
  await inBatches(ctx, id, {
    check({ state, sentAt }) {
      if (state === 'paid') throw refused('All payments of the run are decided. To take one back, use undoPayout.')
      if (sentAt && !confirmSent)
        throw refused(
          `The run was marked as sent at ${sentAt.toISOString()}. If the service pays the file, these people are paid twice. Cancel it at the service first, then send the request with \`confirmSent: true\`.`,
        )
    },
    of: { states: openItemStates },
    async change(tx, { run, items, now }) {
      refuseUnknown(items)
      if (!confirmSent && items.some(({ state }) => state !== 'prepared'))
        throw refused(
          'A service has payments of the run. If it pays them, these people are paid twice. Cancel them first, with cancelPayment or on the page of the service, then send the request with `confirmSent: true`.',
        )
      const facts = items.map((payment) => ({ payment, said: [{ kind: 'cancelled' as const, reason }] }))
      await applyFacts(tx, ctx, run, facts, now)
    },
    finish: (tx, run, now) => closeRun(tx, ctx, run, { reason }, now),
  })
}
