import { withTransaction } from '../../database/client/transaction.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { type References, refuseReferenced } from '../../kernel/references.ts'
import { eventsOf, recordEvents } from '../events/record.ts'
import type { EventType } from '../events/types.ts'
import { recordChange } from '../history/record.ts'

type Row = { programId: string; id: string; affiliateId: string; archivedAt: Date | null }
type Data = { archivedAt: Date | null; updatedAt: Date }

/** A link or a coupon: what affiliates share. Both are archived and deleted in the same way. */
export type TokenKind<R extends Row> = {
  noun: 'link' | 'coupon'
  /** @throws NOT_FOUND */
  find(ctx: ProgramCtx, namedId: string): Promise<R>
  /** Keeps new rows from referring to it. @throws NOT_FOUND if it was deleted meanwhile */
  lock(tx: Prisma.TransactionClient, row: R): Promise<R>
  update(tx: Prisma.TransactionClient, row: R, data: Data): Promise<R>
  delete(tx: Prisma.TransactionClient, row: R): Promise<unknown>
  countReferences(tx: Prisma.TransactionClient, row: R): Promise<References>
  events: { archived: EventType[]; unarchived: EventType[]; deleted: EventType[] }
}

/** Archives it, or takes that back. Idempotent. @throws NOT_FOUND */
export async function archiveToken<R extends Row>(
  kind: TokenKind<R>,
  ctx: ProgramCtx,
  namedId: string,
  isArchived: boolean,
): Promise<void> {
  const found = await kind.find(ctx, namedId)
  await withTransaction(ctx.db, async (tx) => {
    const before = await kind.lock(tx, found)
    if ((before.archivedAt !== null) === isArchived) return
    const now = ctx.now()
    const after = await kind.update(tx, before, { archivedAt: isArchived ? now : null, updatedAt: now })
    const verb = isArchived ? 'archived' : 'unarchived'
    const subject = { subject: 'affiliate', subjectId: before.affiliateId } as const
    await recordChange(tx, ctx, { ...subject, action: `${kind.noun}_${verb}`, named: ['token'] }, before, after, now)
    await recordEvents(tx, ctx, eventsOf(before.id, kind.events[verb]), now)
  })
}

/** Deletes it if nothing refers to it. @returns its id @throws NOT_FOUND; REFUSED with what refers to it */
export async function deleteToken<R extends Row>(
  kind: TokenKind<R>,
  ctx: ProgramCtx,
  namedId: string,
): Promise<string> {
  const found = await kind.find(ctx, namedId)
  return withTransaction(ctx.db, async (tx) => {
    const before = await kind.lock(tx, found)
    refuseReferenced(kind.noun, await kind.countReferences(tx, before))
    const now = ctx.now()
    await recordEvents(tx, ctx, eventsOf(before.id, kind.events.deleted), now)
    await kind.delete(tx, before)
    const what = { subject: 'affiliate', subjectId: before.affiliateId, action: `${kind.noun}_deleted` } as const
    await recordChange(tx, ctx, what, before, null, now)
    return before.id
  })
}
