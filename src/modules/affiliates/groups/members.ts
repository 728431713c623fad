import type { AffiliateGroup, Prisma } from '../../../generated/prisma/client.ts'
import { mintId } from '../../../kernel/ids.ts'
import { inSlices } from '../../../kernel/slices.ts'
import { type Recorder, recordChanges } from '../../history/record.ts'

type Tx = Prisma.TransactionClient
export type Joining = { affiliateId: string; groupId: string }

/** Adds affiliates to groups from now on. Who is in a group stays in it. The caller has locked the groups. */
export const addMembers = (tx: Tx, ctx: Recorder, joining: readonly Joining[], now: Date): Promise<void> =>
  changeMembers(tx, ctx, joining, now, async () => {
    const added = joining.map((one) => ({ programId: ctx.program.id, id: mintId(now), ...one, fromAt: now }))
    await inSlices(added, async (data) => {
      await tx.affiliateGroupMembership.createMany({ data, skipDuplicates: true })
      return []
    })
  })

/** Takes affiliates out of a group from now on. The memberships are kept. The caller has locked the group. */
export const removeMembers = (
  tx: Tx,
  ctx: Recorder,
  groupId: string,
  affiliateIds: readonly string[],
  now: Date,
): Promise<void> => {
  const leaving = affiliateIds.map((affiliateId) => ({ affiliateId, groupId }))
  const where = { programId: ctx.program.id, groupId, affiliateId: { in: [...affiliateIds] }, untilAt: null }
  return changeMembers(tx, ctx, leaving, now, async () => {
    await tx.affiliateGroupMembership.updateMany({ where, data: { untilAt: now } })
  })
}

/** Records the groups that each affiliate had, and those that it has then. */
async function changeMembers(
  tx: Tx,
  ctx: Recorder,
  changing: readonly Joining[],
  now: Date,
  change: () => Promise<void>,
): Promise<void> {
  const ids = [...new Set(changing.map(({ affiliateId }) => affiliateId))]
  if (ids.length === 0) return
  const before = await readGroups(tx, ctx.program.id, ids)
  await change()
  const after = await readGroups(tx, ctx.program.id, ids)
  const changes = ids.map((subjectId, index) => ({
    subject: 'affiliate' as const,
    subjectId,
    action: 'updated' as const,
    before: { groups: namesOf(before[index]) },
    after: { groups: namesOf(after[index]) },
  }))
  await recordChanges(tx, ctx, changes, now)
}

const namesOf = (groups: readonly AffiliateGroup[] = []) =>
  groups.length === 0 ? null : groups.map(({ name }) => name).join(', ')

/** The groups that affiliates are in now, by name. @param ids of affiliates */
export async function readGroups(
  db: Pick<Tx, '$queryRaw'>,
  programId: string,
  ids: readonly string[],
): Promise<AffiliateGroup[][]> {
  const rows = await db.$queryRaw<(AffiliateGroup & { affiliateId: string })[]>`
    select m.affiliate_id as "affiliateId", g.program_id as "programId", g.id, g.name, g.name_key as "nameKey",
      g.created_at as "createdAt", g.updated_at as "updatedAt"
    from affiliate_group_memberships m join affiliate_groups g on g.program_id = m.program_id and g.id = m.group_id
    where m.program_id = ${programId}::uuid and m.affiliate_id = any(${[...ids]}::uuid[]) and m.until_at is null
    order by g.name_key`
  const byAffiliate = new Map<string, AffiliateGroup[]>(ids.map((id) => [id, []]))
  for (const { affiliateId, ...group } of rows) byAffiliate.get(affiliateId)?.push(group)
  return ids.map((id) => byAffiliate.get(id) ?? [])
}

/** The number of affiliates in each group. @param ids of groups */
export async function countMembers(
  db: Pick<Tx, '$queryRaw'>,
  programId: string,
  ids: readonly string[],
): Promise<number[]> {
  const counts = await db.$queryRaw<{ id: string; count: number }[]>`
    select group_id as id, count(*)::int as count from affiliate_group_memberships
    where program_id = ${programId}::uuid and group_id = any(${[...ids]}::uuid[]) and until_at is null group by 1`
  const byId = new Map(counts.map(({ id, count }) => [id, count]))
  return ids.map((id) => byId.get(id) ?? 0)
}
