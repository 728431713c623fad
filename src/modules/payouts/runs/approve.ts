import { withTransaction } from '../../../database/client/transaction.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { refused } from '../../../kernel/errors.ts'
import { storedActor } from '../../history/actor.ts'
import { findPayoutRun, lockRun } from './find.ts'
import { isPreparedBy, recordRun } from './record.ts'

/** Approves a prepared run. Nobody approves a run that they prepared. Idempotent. @throws NOT_FOUND; REFUSED */
export async function approvePayoutRun(ctx: ProgramCtx, id: string): Promise<void> {
  await findPayoutRun(ctx, id)
  await withTransaction(ctx.db, async (tx) => {
    const run = await lockRun(tx, ctx, id)
    if (run.state === 'approved') return
    if (run.state !== 'prepared') throw refused(`The run is ${run.state}. Only a prepared run can be approved.`)
    if (isPreparedBy(run, ctx.actor))
      throw refused('You prepared this run, so somebody else has to approve it: another person, or another API key.')
    const now = ctx.now()
    const { actorKind: approvedByKind, actorId: approvedById } = storedActor(ctx.actor)
    const after = await tx.payoutRun.update({
      where: { programId_id: { programId: run.programId, id } },
      data: { state: 'approved', approvedByKind, approvedById, approvedAt: now, updatedAt: now },
    })
    await recordRun(tx, ctx, 'approved', run, after, now)
  })
}
