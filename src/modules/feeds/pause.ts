import { withTransaction } from '../../database/client/transaction.ts'
import type { Feed } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { recordAction } from '../history/record.ts'
import { findFeed } from './service.ts'

/** Stores events of a feed, but derives nothing from them until it is resumed. @throws NOT_FOUND */
export const pauseFeed = (ctx: ProgramCtx, id: string): Promise<Feed> => setPaused(ctx, id, true)

/** Derives from the events of a feed again, also from those that came meanwhile. @throws NOT_FOUND */
export const resumeFeed = (ctx: ProgramCtx, id: string): Promise<Feed> => setPaused(ctx, id, false)

async function setPaused(ctx: ProgramCtx, id: string, isPaused: boolean): Promise<Feed> {
  const { programId, id: own } = await findFeed(ctx, id)
  const now = ctx.now()
  await withTransaction(ctx.db, async (tx) => {
    const where = { programId, id: own, pausedAt: isPaused ? null : { not: null } }
    const { count } = await tx.feed.updateMany({ where, data: { pausedAt: isPaused ? now : null, updatedAt: now } })
    const what = { subject: 'feed', subjectId: own, action: isPaused ? 'paused' : 'resumed' } as const
    if (count > 0) await recordAction(tx, ctx, what, null, null, now)
  })
  return findFeed(ctx, own)
}
