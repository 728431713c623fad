import { withTransaction, writeUnique } from '../../../database/client/transaction.ts'
import type { AffiliateGroup, Prisma } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { notFound, type Problem, refused } from '../../../kernel/errors.ts'
import { isId, mintId } from '../../../kernel/ids.ts'
import { parseInput, problem } from '../../../kernel/input/parse.ts'
import { findById } from '../../../kernel/lookup.ts'
import { excerpt } from '../../../kernel/text.ts'
import { recordChange } from '../../history/record.ts'
import { referredAffiliates } from '../find.ts'
import { createAffiliateGroupInput, groupMembersInput, maxGroups, updateAffiliateGroupInput } from './input.ts'
import { addMembers, removeMembers } from './members.ts'
import { refuseNamed } from './named-by.ts'
import { groupKey } from './names.ts'

type Tx = Prisma.TransactionClient

const keyOf = ({ program }: ProgramCtx, id: string) => ({ programId_id: { programId: program.id, id } })

/** @throws NOT_FOUND */
export async function findAffiliateGroup(
  ctx: ProgramCtx,
  id: string,
  query: Prisma.AffiliateGroupDefaultArgs = {},
): Promise<AffiliateGroup> {
  return findById('Affiliate group', id, (own) =>
    ctx.db.affiliateGroup.findUnique({ ...query, where: keyOf(ctx, own) }),
  )
}

/** Creates a group with affiliates that are in it from now on. @throws INVALID_INPUT with every problem; REFUSED */
export async function createAffiliateGroup(ctx: ProgramCtx, raw: unknown): Promise<string> {
  const programId = ctx.program.id
  const check = () =>
    parseInput(createAffiliateGroupInput, raw, async ({ name, affiliateIds = [] }) => [
      ...(await nameProblems(ctx, name)),
      ...(await memberProblems(ctx, affiliateIds)),
    ])
  return writeUnique(check, ({ name, affiliateIds = [] }) =>
    withTransaction(ctx.db, async (tx) => {
      if ((await tx.affiliateGroup.count({ where: { programId } })) >= maxGroups)
        throw refused(`A program can have at most ${maxGroups} groups of affiliates. Delete those that are not used.`)
      const now = ctx.now()
      const id = mintId(now)
      const row = { programId, id, name, nameKey: groupKey(name), createdAt: now, updatedAt: now }
      await tx.affiliateGroup.create({ data: row })
      await recordChange(tx, ctx, { subject: 'affiliate_group', subjectId: id, action: 'created' }, null, row, now)
      await addMembers(tx, ctx, joiningOf(id, affiliateIds), now)
      return id
    }),
  )
}

/** Renames a group. @throws INVALID_INPUT; NOT_FOUND */
export async function updateAffiliateGroup(ctx: ProgramCtx, id: string, raw: unknown): Promise<void> {
  await findAffiliateGroup(ctx, id)
  const check = () => parseInput(updateAffiliateGroupInput, raw, ({ name }) => nameProblems(ctx, name, id))
  await writeUnique(check, ({ name }) =>
    withTransaction(ctx.db, async (tx) => {
      const before = await lockGroup(tx, ctx, id)
      if (name === undefined || name === before.name) return
      const now = ctx.now()
      const data = { name, nameKey: groupKey(name), updatedAt: now }
      const after = await tx.affiliateGroup.update({ where: keyOf(ctx, id), data })
      await recordChange(tx, ctx, { subject: 'affiliate_group', subjectId: id, action: 'updated' }, before, after, now)
    }),
  )
}

/** Adds affiliates to a group from now on, or takes them out of it. Idempotent. @throws INVALID_INPUT; NOT_FOUND */
export async function changeAffiliateGroup(
  ctx: ProgramCtx,
  id: string,
  raw: unknown,
  change: 'add' | 'remove',
): Promise<void> {
  await findAffiliateGroup(ctx, id)
  const { affiliateIds } = await parseInput(groupMembersInput, raw, (readable) =>
    memberProblems(ctx, readable.affiliateIds ?? []),
  )
  await withTransaction(ctx.db, async (tx) => {
    await lockGroup(tx, ctx, id)
    const now = ctx.now()
    if (change === 'add') await addMembers(tx, ctx, joiningOf(id, affiliateIds), now)
    else await removeMembers(tx, ctx, id, affiliateIds, now)
  })
}

/**
 * Deletes a group that no commission rule names. Memberships are kept: a sale that occurred before gets the rules of
 * then. @returns its id @throws NOT_FOUND; REFUSED with the rules that name it
 */
export async function deleteAffiliateGroup(ctx: ProgramCtx, id: string): Promise<string> {
  await findAffiliateGroup(ctx, id)
  return withTransaction(ctx.db, async (tx) => {
    // A rule that names the group locks it too.
    const { name } = await lockGroup(tx, ctx, id)
    const now = ctx.now()
    await refuseNamed(tx, ctx.program.id, id, now)
    const where = { programId: ctx.program.id, groupId: id, untilAt: null }
    const { count } = await tx.affiliateGroupMembership.updateMany({ where, data: { untilAt: now } })
    await tx.affiliateGroup.delete({ where: keyOf(ctx, id) })
    const what = { subject: 'affiliate_group', subjectId: id, action: 'deleted' } as const
    await recordChange(tx, ctx, what, { name, affiliateCount: count }, null, now)
    return id
  })
}

const joiningOf = (groupId: string, affiliateIds: readonly string[]) =>
  [...new Set(affiliateIds)].map((affiliateId) => ({ affiliateId, groupId }))

async function nameProblems(ctx: ProgramCtx, name: string | undefined, ownId?: string): Promise<Problem[]> {
  if (name === undefined) return []
  const where = { programId_nameKey: { programId: ctx.program.id, nameKey: groupKey(name) } }
  const holder = await ctx.db.affiliateGroup.findUnique({ where, select: { id: true } })
  return holder && holder.id !== ownId ? [problem('name', 'is already the name of a group')] : []
}

/** The affiliates of a list `affiliateIds` that the program does not have. */
export async function memberProblems(ctx: ProgramCtx, affiliateIds: readonly string[]): Promise<Problem[]> {
  const known = await referredAffiliates(ctx, affiliateIds)
  return affiliateIds.flatMap((id, index) =>
    known.has(id)
      ? []
      : [{ field: 'affiliateIds', path: ['affiliateIds', index], message: `Affiliate not found: ${excerpt(id)}` }],
  )
}

/** The groups with these ids. */
export async function referredGroups(ctx: ProgramCtx, ids: readonly string[]): Promise<Set<string>> {
  const given = ids.filter(isId)
  if (given.length === 0) return new Set()
  const where = { programId: ctx.program.id, id: { in: given } }
  const groups = await ctx.db.affiliateGroup.findMany({ where, select: { id: true } })
  return new Set(groups.map(({ id }) => id))
}

/** @throws NOT_FOUND if the group was deleted meanwhile */
async function lockGroup(tx: Tx, ctx: ProgramCtx, id: string): Promise<AffiliateGroup> {
  await tx.$queryRaw`
    select 1 from affiliate_groups where program_id = ${ctx.program.id}::uuid and id = ${id}::uuid for update`
  const group = await tx.affiliateGroup.findUnique({ where: keyOf(ctx, id) })
  if (!group) throw notFound('Affiliate group', id)
  return group
}
