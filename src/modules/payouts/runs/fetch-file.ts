import { isProgramClosed } from '../../../database/client/errors.ts'
import { withTransaction } from '../../../database/client/transaction.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { refused } from '../../../kernel/errors.ts'
import { storedActor } from '../../history/actor.ts'
import { lockRun } from './find.ts'
import { recordRun } from './record.ts'

/**
 * Records that somebody fetched the files of these runs: from then on they may be paid, so refunds of their payouts are
 * debts, and what the files pay can be recorded at any time. The first time counts.
 * @throws REFUSED to people, while a run is sent by the API of a service
 */
export async function noteFetched(ctx: ProgramCtx, runIds: readonly string[]): Promise<void> {
  await refuseSentByApi(ctx, runIds)
  const where = { programId: ctx.program.id, id: { in: [...runIds] }, fetchedAt: null }
  const runs = await ctx.db.payoutRun.findMany({ where, select: { id: true }, orderBy: { id: 'asc' } })
  for (const { id } of runs) {
    // The files of a program that has moved are those of the past.
    await withTransaction(ctx.db, (tx) => noteOne(tx, ctx, id)).catch((error: unknown) => {
      if (!isProgramClosed(error)) throw error
    })
  }
}

/** Keys are of code that reads a run with all that it has. A person who gets the file is about to pay it. */
async function refuseSentByApi({ db, program, actor }: ProgramCtx, runIds: readonly string[]): Promise<void> {
  if (actor.kind !== 'person') return
  const isSent = {
    handedOverAt: { not: null },
    state: { in: ['prepared' as const, 'approved' as const, 'sent' as const] },
  }
  const found = await db.payoutRun.findFirst({ where: { programId: program.id, id: { in: [...runIds] }, ...isSent } })
  if (found)
    throw refused(
      'The run is sent by the API of a service. Paid by its file too, its people would be paid twice. Cancel the run first, and make another one.',
    )
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
