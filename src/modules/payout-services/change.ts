import { withTransaction } from '../../database/client/transaction.ts'
import type { PayoutService } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import { recordAction, recordChange } from '../history/record.ts'
import { demandSecondFactor } from './connect.ts'
import { findNamedService } from './find.ts'
import { updatePayoutServiceInput } from './input.ts'

const keyOf = ({ programId, id }: PayoutService) => ({ programId_id: { programId, id } })

/** Changes the limits of a service, for runs that are sent from now on. @throws NOT_FOUND; INVALID_INPUT; REFUSED */
export async function updatePayoutService(ctx: ProgramCtx, raw: unknown): Promise<PayoutService> {
  const before = await findNamedService(ctx, raw)
  await demandSecondFactor(ctx)
  const { service: _service, id: _id, ...limits } = await parseInput(updatePayoutServiceInput, raw)
  const now = ctx.now()
  return withTransaction(ctx.db, async (tx) => {
    const after = await tx.payoutService.update({ where: keyOf(before), data: { ...limits, updatedAt: now } })
    const subject = { subject: 'payout_service', subjectId: before.id, action: 'updated' } as const
    await recordChange(tx, ctx, subject, before, after, now)
    return after
  })
}

/** Sends nothing more by a service until it is resumed. A call that runs is finished. Idempotent. @throws NOT_FOUND */
export const pausePayoutService = (ctx: ProgramCtx, raw: unknown): Promise<PayoutService> => setPaused(ctx, raw, true)

/** Idempotent. @throws NOT_FOUND */
export const resumePayoutService = (ctx: ProgramCtx, raw: unknown): Promise<PayoutService> => setPaused(ctx, raw, false)

async function setPaused(ctx: ProgramCtx, raw: unknown, isPaused: boolean): Promise<PayoutService> {
  const found = await findNamedService(ctx, raw)
  const { programId, id } = found
  const now = ctx.now()
  return withTransaction(ctx.db, async (tx) => {
    const where = { programId, id, pausedAt: isPaused ? null : { not: null } }
    const { count } = await tx.payoutService.updateMany({
      where,
      data: { pausedAt: isPaused ? now : null, updatedAt: now },
    })
    const subject = { subject: 'payout_service', subjectId: id, action: isPaused ? 'paused' : 'resumed' } as const
    if (count > 0) await recordAction(tx, ctx, subject, null, null, now)
    // The background goes on with what waits.
    if (count > 0 && !isPaused)
      await tx.payoutRun.updateMany({
        where: {
          programId,
          service: found.service,
          state: { in: ['prepared', 'approved'] },
          nextStepAt: { not: null },
        },
        data: { nextStepAt: now },
      })
    return tx.payoutService.findUniqueOrThrow({ where: keyOf(found) })
  })
}
