import type { ProgramCtx } from '../../../kernel/context.ts'
import { refused } from '../../../kernel/errors.ts'
import { parseInput } from '../../../kernel/input/parse.ts'
import { findPayoutRun } from './find.ts'
import { cancelPayoutRunInput, openItemStates } from './input.ts'
import { setSent } from './mark.ts'
import { closeRun, inBatches, setItems } from './steps.ts'

/**
 * Cancels the open payments of a run, which frees their payouts. Idempotent. Payments that are decided stay as they
 * are.
 * @throws NOT_FOUND; INVALID_INPUT; REFUSED if nothing is open
 */
export async function cancelPayoutRun(ctx: ProgramCtx, id: string, raw: unknown): Promise<void> {
  const found = await findPayoutRun(ctx, id)
  const { reason } = await parseInput(cancelPayoutRunInput, raw)
  if (found.state === 'cancelled') return
  await inBatches(ctx, id, {
    check({ state }) {
      if (state === 'paid') throw refused('All payments of the run are decided. To take one back, use undoPayout.')
    },
    of: { states: openItemStates },
    async change(tx, { items, now }) {
      const changes = items.map(({ id: itemId }) => ({ id: itemId, state: 'cancelled' as const, reason }))
      await setItems(tx, ctx, changes, now)
      await setSent(
        tx,
        ctx,
        items.flatMap(({ payout }) => payout ?? []),
        now,
        null,
      )
    },
    finish: (tx, run, now) => closeRun(tx, ctx, run, { reason }, now),
  })
}
