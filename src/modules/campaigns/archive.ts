import { withTransaction } from '../../database/client/transaction.ts'
import type { Campaign, Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { notFound, refused } from '../../kernel/errors.ts'
import { type References, refuseReferenced } from '../../kernel/references.ts'
import { eventsOf, recordEvents } from '../events/record.ts'
import { recordChange } from '../history/record.ts'
import { findCampaign } from './service.ts'

/** Archives a campaign, or takes that back. Idempotent. @throws NOT_FOUND; REFUSED for the default campaign */
export async function archiveCampaign(ctx: ProgramCtx, namedId: string, isArchived: boolean): Promise<void> {
  const { id } = await findCampaign(ctx, namedId)
  await withTransaction(ctx.db, async (tx) => {
    const before = await lockCampaign(tx, ctx, id)
    if ((before.archivedAt !== null) === isArchived) return
    if (before.isDefault) throw refused('The default campaign cannot be archived: new affiliates join it.')
    const now = ctx.now()
    const data = { archivedAt: isArchived ? now : null, updatedAt: now }
    const after = await tx.campaign.update({ where: keyOf(before), data })
    const action = isArchived ? 'archived' : 'unarchived'
    const what = { subject: 'campaign', subjectId: id, action } as const
    await recordChange(tx, ctx, what, before, after, now)
    const type = isArchived ? 'tributary.campaign.archived' : 'tributary.campaign.unarchived'
    await recordEvents(tx, ctx, eventsOf(id, [type]), now)
  })
}

/** Deletes a campaign without references, except the default one. @returns its id @throws NOT_FOUND; REFUSED */
export async function deleteCampaign(ctx: ProgramCtx, namedId: string): Promise<string> {
  const { programId, id } = await findCampaign(ctx, namedId)
  return withTransaction(ctx.db, async (tx) => {
    // The lock also keeps new rows from referring to the campaign.
    const before = await lockCampaign(tx, ctx, id)
    if (before.isDefault) throw refused('The default campaign cannot be deleted: new affiliates join it.')
    const [references] = await tx.$queryRaw<[References]>`
      select (select count(*) from affiliates where program_id = ${programId}::uuid and campaign_id = ${id}::uuid)::int as affiliates,
        (select count(*) from referrals where program_id = ${programId}::uuid and campaign_id = ${id}::uuid)::int as referrals,
        (select count(*) from sales where program_id = ${programId}::uuid and campaign_id = ${id}::uuid)::int as sales,
        (select count(*) from commissions where program_id = ${programId}::uuid and campaign_id = ${id}::uuid)::int as commissions,
        (select count(*) from imported_records where program_id = ${programId}::uuid and id = ${id}::uuid)::int
          as imported_records`
    refuseReferenced('campaign', references)
    const now = ctx.now()
    await recordEvents(tx, ctx, eventsOf(id, ['tributary.campaign.deleted']), now)
    await tx.commissionRuleVersion.deleteMany({ where: { programId, campaignId: id } })
    await tx.campaign.delete({ where: keyOf(before) })
    const what = { subject: 'campaign', subjectId: id, action: 'deleted' } as const
    await recordChange(tx, ctx, what, before, null, now)
    return id
  })
}

const keyOf = ({ programId, id }: Campaign) => ({ programId_id: { programId, id } })

/** @throws NOT_FOUND if the campaign was deleted meanwhile */
async function lockCampaign(tx: Prisma.TransactionClient, { program }: ProgramCtx, id: string): Promise<Campaign> {
  await tx.$queryRaw`select 1 from campaigns where program_id = ${program.id}::uuid and id = ${id}::uuid for update`
  const campaign = await tx.campaign.findUnique({ where: { programId_id: { programId: program.id, id } } })
  if (!campaign) throw notFound('Campaign', id)
  return campaign
}
