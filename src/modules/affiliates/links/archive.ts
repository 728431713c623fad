import { withTransaction } from '../../../database/client/transaction.ts'
import type { AffiliateLink, Prisma } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { type References, refuseReferenced } from '../../../kernel/references.ts'
import { eventsOf, recordEvents } from '../../events/record.ts'
import { recordChange } from '../../history/record.ts'
import { findAffiliateLink } from './service.ts'

/** Archives a link, or takes that back. Idempotent. @throws NOT_FOUND */
export async function archiveAffiliateLink(ctx: ProgramCtx, namedId: string, isArchived: boolean): Promise<void> {
  const { id } = await findAffiliateLink(ctx, namedId)
  await withTransaction(ctx.db, async (tx) => {
    const before = await lockLink(tx, ctx, id)
    if ((before.archivedAt !== null) === isArchived) return
    const now = ctx.now()
    const data = { archivedAt: isArchived ? now : null, updatedAt: now }
    const after = await tx.affiliateLink.update({ where: keyOf(before), data })
    const action = isArchived ? 'link_archived' : 'link_unarchived'
    const what = { subject: 'affiliate', subjectId: before.affiliateId, action, named: ['token'] } as const
    await recordChange(tx, ctx, what, before, after, now)
    const own = isArchived ? 'tributary.affiliate_link.archived' : 'tributary.affiliate_link.unarchived'
    await recordEvents(tx, ctx, eventsOf(id, ['affiliate_link.updated', own]), now)
  })
}

/** Deletes a link that nothing refers to. @returns its id @throws NOT_FOUND; REFUSED with what refers to it */
export async function deleteAffiliateLink(ctx: ProgramCtx, namedId: string): Promise<string> {
  const { id } = await findAffiliateLink(ctx, namedId)
  return withTransaction(ctx.db, async (tx) => {
    // The lock also keeps new rows from referring to the link.
    const before = await lockLink(tx, ctx, id)
    const [references] = await tx.$queryRaw<[References]>`
      select (select count(*) from referrals where program_id = ${ctx.program.id}::uuid and link_id = ${id}::uuid)::int as referrals,
        (select count(*) from visits where program_id = ${ctx.program.id}::uuid and link_id = ${id}::uuid)::int as visits,
        (select count(*) from imported_records where program_id = ${ctx.program.id}::uuid and id = ${id}::uuid)::int
          as imported_records`
    refuseReferenced('link', references)
    const now = ctx.now()
    await recordEvents(tx, ctx, eventsOf(id, ['affiliate_link.deleted']), now)
    await tx.affiliateLink.delete({ where: keyOf(before) })
    const what = { subject: 'affiliate', subjectId: before.affiliateId, action: 'link_deleted' } as const
    await recordChange(tx, ctx, what, before, null, now)
    return id
  })
}

const keyOf = ({ programId, id }: AffiliateLink) => ({ programId_id: { programId, id } })

/** @throws NOT_FOUND if the link was deleted meanwhile */
async function lockLink(tx: Prisma.TransactionClient, { program }: ProgramCtx, id: string): Promise<AffiliateLink> {
  await tx.$queryRaw`select 1 from affiliate_links where program_id = ${program.id}::uuid and id = ${id}::uuid for update`
  const link = await tx.affiliateLink.findUnique({ where: { programId_id: { programId: program.id, id } } })
  if (!link) throw notFound('Affiliate link', id)
  return link
}
