import { withTransaction } from '../../../database/client/transaction.ts'
import { insertRows } from '../../../database/client/write.ts'
import type { Branch, Prisma } from '../../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../../kernel/context.ts'
import { invalid, refused } from '../../../kernel/errors.ts'
import { mintId } from '../../../kernel/ids.ts'
import { parseInput, problem } from '../../../kernel/input/parse.ts'
import { findById } from '../../../kernel/lookup.ts'
import { inSlices } from '../../../kernel/slices.ts'
import { createCommission } from '../../commissions/create.ts'
import { storedActor } from '../../history/actor.ts'
import { recordAction } from '../../history/record.ts'
import { refuseInShadow } from '../../programs/shadow.ts'
import { withProgress } from '../progress.ts'
import { readProposals } from '../proposal.ts'
import { acceptBranchInput, createBranchInput, discardBranchInput } from './input.ts'
import type { BranchRule, Overlay } from './overlay.ts'
import { type Difference, replayBranch } from './replay.ts'

/** How long a replay, or writing corrections, may take in a request. */
const longMs = 120_000

/**
 * Calculates what sales would have earned in another past, and keeps the table. No balance changes.
 * @throws INVALID_INPUT
 */
export async function createBranch(ctx: ProgramCtx, raw: unknown): Promise<Branch> {
  const now = ctx.now()
  const input = await parseInput(createBranchInput, raw, ({ since }) =>
    since && since >= now ? [problem('since', 'must be before now: a branch is about sales that have occurred')] : [],
  )
  const { name, since, rules: given = [], attribution = null } = input
  if (given.length === 0 && attribution === null)
    throw invalid([problem('rules', "can't be empty without another attribution: the branch would change nothing")])
  const rules = await readRules(ctx, given)
  ctx.db.deadline?.extend(longMs)
  const programId = ctx.program.id
  const id = mintId(now)
  const added: Overlay = { id, since, until: now, attribution, rules }
  const accepted = await readAccepted(ctx)
  const { sales, changedSales, differences } = await withProgress(ctx, id, (progress) =>
    replayBranch(ctx, accepted, added, progress),
  )
  const { actorKind: createdByKind, actorId: createdById } = storedActor(ctx.actor)
  const known = { since, until: now, attribution, rules: rules as unknown as Prisma.InputJsonValue }
  const made = { sales, changedSales, createdAt: now, createdByKind, createdById }
  return withTransaction(ctx.db, async (tx) => {
    const branch = await tx.branch.create({ data: { programId, id, name, ...known, ...made } })
    await inSlices(differences, async (slice) => {
      await insertRows(
        tx,
        'branch_differences',
        slice.map((one) => ({ programId, branchId: id, ...one })),
      )
      return []
    })
    const what = { subject: 'program', subjectId: programId, action: 'branch_created' } as const
    await recordAction(tx, ctx, what, { branch: null }, { branch: name }, now)
    return branch
  })
}

/** The rules that were given, as they are stored. Leads are calculated when they become known, so they have no past. */
async function readRules(ctx: ProgramCtx, given: readonly unknown[]): Promise<BranchRule[]> {
  const proposals = await readProposals(ctx, { rules: given, keepOthers: true })
  const named = new Set((given as { campaignId: string; name: string }[]).map((one) => `${one.campaignId} ${one.name}`))
  const rules = proposals.flatMap(({ campaign, planned }) =>
    planned
      .filter(({ name }) => named.has(`${campaign.id} ${name}`))
      .map((rule) => ({ campaignId: campaign.id, rule })),
  )
  if (rules.length < named.size)
    throw invalid([problem('rules', 'cannot all be read: give each its campaign and name')])
  return rules
}

/** In the order in which they were accepted. */
async function readAccepted({ db, program }: ProgramCtx): Promise<Overlay[]> {
  const where = { programId: program.id, state: 'accepted' as const }
  const rows = await db.branch.findMany({ where, orderBy: [{ decidedAt: 'asc' }, { id: 'asc' }] })
  return rows.map(({ rules, ...branch }) => ({ ...branch, rules: rules as unknown as BranchRule[] }))
}

/** @throws NOT_FOUND */
export const findBranch = ({ db, program }: ProgramCtx, id: string): Promise<Branch> =>
  findById('Branch', id, () => db.branch.findUnique({ where: { programId_id: { programId: program.id, id } } }))

/**
 * Makes the differences of a branch corrections: one for each affiliate, month of sales and currency, in the open
 * month, with one reason. If it is interrupted, the same call goes on: a correction is given once.
 * @throws INVALID_INPUT; NOT_FOUND; REFUSED if it was discarded, or if its table would be another one now
 */
export async function acceptBranch(ctx: ProgramCtx, raw: unknown): Promise<Branch> {
  refuseInShadow(ctx.program)
  const { id, reason } = await parseInput(acceptBranchInput, raw)
  ctx.db.deadline?.extend(longMs)
  await refuseChanged(ctx, await findBranch(ctx, id))
  const branch = await decide(ctx, id, 'accepted', reason)
  if (branch.finishedAt) return branch
  const where = { programId: ctx.program.id, branchId: id }
  const differences = await ctx.db.branchDifference.findMany({ where })
  for (const { affiliateId, month, currency, beforeCents, afterCents } of differences) {
    const given = { affiliateId, currency, kind: 'correction', amountCents: Number(afterCents - beforeCents) }
    const externalId = `branch ${id} ${affiliateId} ${month} ${currency}`
    await createCommission(ctx, { ...given, externalId, reason: `${branch.reason} (${month})` })
  }
  const of = { programId_id: { programId: ctx.program.id, id } }
  return ctx.db.branch.update({ where: of, data: { finishedAt: ctx.now() } })
}

const acceptedSince = ({ programId, until }: Branch) => {
  return { programId, state: 'accepted' as const, decidedAt: { gte: until } }
}

/** Refuses a branch that was made before its sales were changed, refunded or reported late. */
async function refuseChanged(ctx: ProgramCtx, branch: Branch): Promise<void> {
  const { programId, id: branchId, state } = branch
  if (state !== 'open' || (await ctx.db.branch.findFirst({ where: acceptedSince(branch) }))) return
  const known = await ctx.db.branchDifference.findMany({ where: { programId, branchId } })
  const added = { ...branch, rules: branch.rules as unknown as BranchRule[] }
  const accepted = await readAccepted(ctx)
  const { differences } = await withProgress(ctx, branchId, (progress) => replayBranch(ctx, accepted, added, progress))
  if (textOf(differences) !== textOf(known))
    throw refused('Sales of its range have changed since it was made, so its differences are others. Make it again.')
}

const textOf = (differences: readonly Difference[]): string =>
  differences
    .map(({ affiliateId, month, currency, beforeCents, afterCents }) =>
      [affiliateId, month, currency, beforeCents, afterCents].join(' '),
    )
    .sort()
    .join()

/** Throws a branch away. It stays in the list, and changes nothing. @throws NOT_FOUND; REFUSED if it was accepted */
export async function discardBranch(ctx: ProgramCtx, raw: unknown): Promise<Branch> {
  const { id } = await parseInput(discardBranchInput, raw)
  return decide(ctx, id, 'discarded', null)
}

/** Idempotent. The row of the program is locked, so that of two branches one is accepted first. */
async function decide(
  ctx: ProgramCtx,
  id: string,
  state: 'accepted' | 'discarded',
  reason: string | null,
): Promise<Branch> {
  const programId = ctx.program.id
  const now = ctx.now()
  const { name } = await findBranch(ctx, id)
  return withTransaction(ctx.db, async (tx) => {
    await tx.$queryRaw`select 1 from programs where id = ${programId}::uuid for no key update`
    const where = { programId_id: { programId, id } }
    const branch = await tx.branch.findUniqueOrThrow({ where })
    if (branch.state === state) return branch
    if (branch.state !== 'open') throw refused(`The branch was ${branch.state}.`)
    if (state === 'accepted' && (await tx.branch.findFirst({ where: acceptedSince(branch) })))
      throw refused(
        'Another branch was accepted since this one was made, so its differences are others. Make it again.',
      )
    const { actorKind: decidedByKind, actorId: decidedById } = storedActor(ctx.actor)
    const what = { subject: 'program', subjectId: programId, action: `branch_${state}` } as const
    await recordAction(tx, ctx, what, { branch: name, note: null }, { branch: name, note: reason }, now)
    const data = { state, reason, decidedAt: now, decidedByKind, decidedById }
    return tx.branch.update({ where, data })
  })
}
