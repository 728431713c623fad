import type { PayoutRunItem } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { notFound, refused } from '../../../kernel/errors.ts'
import { isId } from '../../../kernel/ids.ts'
import { parseInput } from '../../../kernel/input/parse.ts'
import { findPayoutRun } from '../../payouts/runs/find.ts'
import { recordPayoutResults } from '../../payouts/runs/results.ts'
import { asRefusal, noteUse } from '../access.ts'
import { cancelPaymentInput } from '../input.ts'
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
  const record = () => recordPayoutResults(given, { runId: item.runId, results: [cancelled] })
  if (item.isUnknown)
    throw refused('What became of the payment at the service is unknown. Ask with refreshPayoutRun first.')
  if (item.state === 'prepared') {
    await record()
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
  try {
    await opened.kind.cancel(opened.access, item.serviceId)
  } catch (error) {
    await noteUse(ctx, opened, { use: 'cancelled', usedForPayments: 0, runId: run.id }, error)
    throw asRefusal(error)
  }
  await noteUse(ctx, opened, { use: 'cancelled', usedForPayments: 1, runId: run.id })
  await record()
  return item.id
}

async function findOpenPayment({ db, program }: ProgramCtx, payoutId: string): Promise<PayoutRunItem> {
  const where = {
    programId: program.id,
    payoutId,
    state: { in: ['prepared' as const, 'sent' as const, 'unclaimed' as const] },
  }
  const found = isId(payoutId) ? await db.payoutRunItem.findFirst({ where, orderBy: { id: 'desc' } }) : null
  if (found) return found
  const isKnown = isId(payoutId) && (await db.payout.count({ where: { programId: program.id, id: payoutId } })) > 0
  throw isKnown ? refused('No payment of the payout is open.') : notFound('Payout', payoutId)
}
