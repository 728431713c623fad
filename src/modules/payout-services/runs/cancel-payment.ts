import type { PayoutRunItem } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { notFound, refused } from '../../../kernel/errors.ts'
import { isId } from '../../../kernel/ids.ts'
import { parseInput } from '../../../kernel/input/parse.ts'
import { applyFacts } from '../../payouts/runs/apply-facts.ts'
import { findPayoutRun, lockRun } from '../../payouts/runs/find.ts'
import { openItemStates } from '../../payouts/runs/input.ts'
import { refuseUnapproved } from '../../payouts/runs/record.ts'
import { noteResults, recordPayoutResults } from '../../payouts/runs/results.ts'
import { changePayments, closeRun, lockItems } from '../../payouts/runs/steps.ts'
import { asRefusal, noteUse } from '../access.ts'
import { cancelPaymentInput } from '../input.ts'
import type { Heard } from '../kinds/kind.ts'
import type { ServiceSettings } from '../settings.ts'
import { lasting, openServiceOf } from './send.ts'

/**
 * Cancels the open payment of a payout: at the service if it waits there, here if nothing was sent. Its payout is free
 * for another run. @returns the id of the payment @throws NOT_FOUND; INVALID_INPUT; REFUSED
 */
export async function cancelPayment(given: ProgramCtx, settings: ServiceSettings, raw: unknown): Promise<string> {
  const { payoutId, reason } = await parseInput(cancelPaymentInput, raw)
  const ctx = lasting(given)
  const item = await findOpenPayment(ctx, payoutId)
  const run = await findPayoutRun(ctx, item.runId)
  const cancelled = { payoutId: item.payoutId, state: 'CANCELLED', reason }
  if (item.isUnknown) throw unknown()
  if (item.state === 'prepared') {
    await cancelUnsent(ctx, item, reason)
    return item.id
  }
  const opened = item.batchId === null ? null : await openServiceOf(ctx, settings, run)
  const isWaiting = item.state === 'unclaimed' || (item.state === 'sent' && opened?.kind.cancelsUnfunded === true)
  if (!opened || !isWaiting || item.serviceId === null)
    throw refused(
      item.batchId === null
        ? 'The payment was not sent by the API of a service. Cancel it there, and record the result `CANCELLED`.'
        : 'Only a payment that waits at the service can be cancelled there. Ask with refreshPayoutRun what became of it.',
    )
  let heard: Heard
  try {
    heard = await opened.kind.cancel(opened.access, item.serviceId)
  } catch (error) {
    await noteUse(ctx, opened, { use: 'cancelled', usedForPayments: 0, runId: run.id }, error)
    throw asRefusal(error)
  }
  await noteUse(ctx, opened, { use: 'cancelled', usedForPayments: 1, runId: run.id })
  const where = { programId_id: { programId: item.programId, id: item.id } }
  await ctx.db.payoutRunItem.update({ where, data: { serviceState: heard.word, updatedAt: ctx.now() } })
  await recordPayoutResults(given, { runId: item.runId, results: [cancelled] })
  return item.id
}

const unknown = () => refused('What became of the payment at the service is unknown. Ask with refreshPayoutRun first.')

/** Under the lock of the run, because another request may be handing the payment over. @throws REFUSED */
async function cancelUnsent(ctx: ProgramCtx, item: PayoutRunItem, reason: string): Promise<void> {
  await changePayments(ctx, async (tx) => {
    const run = await lockRun(tx, ctx, item.runId)
    refuseUnapproved(run)
    const [payment] = await lockItems(tx, ctx, [item])
    if (!payment || payment.isUnknown) throw unknown()
    if (payment.state !== 'prepared') throw refused(`The payment is ${payment.state} meanwhile. Look again.`)
    const now = ctx.now()
    const changed = await applyFacts(tx, ctx, run, [{ payment, said: [{ kind: 'cancelled', reason }] }], now)
    await noteResults(tx, ctx, run.id, changed, now)
    await closeRun(tx, ctx, run, {}, now)
  })
}

async function findOpenPayment({ db, program }: ProgramCtx, payoutId: string): Promise<PayoutRunItem> {
  const where = {
    programId: program.id,
    payoutId,
    state: { in: [...openItemStates] },
  }
  const found = isId(payoutId) ? await db.payoutRunItem.findFirst({ where, orderBy: { id: 'desc' } }) : null
  if (found) return found
  const isKnown = isId(payoutId) && (await db.payout.count({ where: { programId: program.id, id: payoutId } })) > 0
  throw isKnown ? refused('No payment of the payout is open.') : notFound('Payout', payoutId)
}
