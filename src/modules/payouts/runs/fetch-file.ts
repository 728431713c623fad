import { isProgramClosed } from '../../../database/client/errors.ts'
import { withTransaction } from '../../../database/client/transaction.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { storedActor } from '../../history/actor.ts'
import { lockRun } from './find.ts'
import { recordRun } from './record.ts'

/**
 * Records that somebody fetched the files of these runs: from then on they may be paid, so refunds of their payouts are
 * debts, and what the files pay can be recorded at any time. The first time counts.
 */
export async function noteFetched(ctx: ProgramCtx, runIds: readonly string[]): Promise<void> {
  const where = { programId: ctx.program.id, id: { in: [...runIds] }, fetchedAt: null }
  const runs = await ctx.db.payoutRun.findMany({ where, select: { id: true }, orderBy: { id: 'asc' } })
  for (const { id } of runs) {
    // The files of a program that has moved are those of the past.
    await withTransaction(ctx.db, (tx) => noteOne(tx, ctx, id)).catch((error: unknown) => {
      if (!isProgramClosed(error)) throw error
    })
  }
}

async function noteOne(tx: Parameters<typeof lockRun>[0], ctx: ProgramCtx, id: string): Promise<void> {
  const run = await lockRun(tx, ctx, id)
  if (run.fetchedAt) return
  const now = ctx.now()
  const { actorKind: fetchedByKind, actorId: fetchedById } = storedActor(ctx.actor)
  const after = await tx.payoutRun.update({
    where: { programId_id: { programId: run.programId, id } },
    data: { fetchedAt: now, fetchedByKind, fetchedById, updatedAt: now },
  })
  await recordRun(tx, ctx, 'file_fetched', run, after, now)
}
