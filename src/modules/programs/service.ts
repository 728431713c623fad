import { randomInt } from 'node:crypto'
import type { z } from 'zod'
import { withTransaction } from '../../database/client/transaction.ts'
import type { Prisma, Program } from '../../generated/prisma/client.ts'
import type { Ctx, ManagementCtx } from '../../kernel/context.ts'
import type { Db } from '../../kernel/db.ts'
import { forbidden, notFound, refused } from '../../kernel/errors.ts'
import { isId, mintId, ownCase } from '../../kernel/ids.ts'
import { parseInput, problem } from '../../kernel/input/parse.ts'
import { slugOf } from '../../kernel/input/slug.ts'
import { findById } from '../../kernel/lookup.ts'
import { insertCampaign } from '../campaigns/service.ts'
import { recordInstallationChange } from '../history/installation.ts'
import { recordAction, recordChange } from '../history/record.ts'
import { fieldProblems } from '../payout-methods/all.ts'
import { forgetCachedPrograms, isSlug } from './cached-lookup.ts'
import { mostDaysAhead } from './clock.ts'
import { advanceClockInput, createProgramInput, updateProgramInput } from './input.ts'
import { linkParametersColumn } from './link-parameters.ts'
import { mintPublishableKey } from './publishable-key.ts'
import { shadowProblems } from './shadow.ts'

const defaultBasisPoints = 2_000

/** Creates a program with a publishable key and a default campaign. @throws INVALID_INPUT */
export async function createProgram(ctx: Ctx, raw: unknown): Promise<Program> {
  const input = await parseInput(createProgramInput, raw, ({ slug }) => slugProblems(ctx.db, slug))
  return withTransaction(ctx.db, (tx) => insertProgram(tx, ctx, input))
}

/** @param since the creation time of the default campaign; now by default */
export async function insertProgram(
  tx: Prisma.TransactionClient,
  ctx: Ctx,
  input: z.output<typeof createProgramInput>,
  since?: Date,
): Promise<Program> {
  const now = ctx.now()
  const { name, url, currency, isSandbox = false, isShadow = false } = input
  const program = await tx.program.create({
    data: {
      id: mintId(now),
      name,
      url,
      currency,
      ...(input.locale !== undefined && { locale: input.locale }),
      ...(input.timeZone !== undefined && { timeZone: input.timeZone }),
      isSandbox,
      isShadow,
      ...linkParametersColumn(input),
      slug: input.slug ?? (await freeSlug(tx, name)),
      publishableKey: mintPublishableKey(ctx.cell),
      createdAt: now,
      updatedAt: now,
    },
  })
  const campaign = { name: 'Default', url, commissionPercent: input.commissionPercent ?? defaultBasisPoints }
  await recordChange(tx, { ...ctx, program }, { ...subjectOf(program), action: 'created' }, null, program, now)
  const created = { action: 'program_created', subjectId: program.id, subjectName: name } as const
  await recordInstallationChange(tx, ctx, created, now)
  await insertCampaign(tx, { ...ctx, program }, since ?? now, campaign, true)
  return program
}

export const subjectOf = ({ id }: Pick<Program, 'id'>) => ({ subject: 'program' as const, subjectId: id })

/**
 * Updates the given fields. Existing campaigns, links and sales do not change.
 * @throws NOT_FOUND; INVALID_INPUT; FORBIDDEN if a manager changes the limit of approvals
 */
export async function updateProgram(ctx: ManagementCtx, id: string, raw: unknown): Promise<Program> {
  const before = await findProgram(ctx, id)
  const input = await parseInput(updateProgramInput, raw, async (given) => [
    ...(await slugProblems(ctx.db, given.slug, id)),
    ...fieldProblems(given),
    ...shadowProblems(before, given),
  ])
  const { linkParameters, agentProvider, ...fields } = input
  const { payoutApprovalAboveCents: limit } = fields
  if (limit !== undefined && limit !== before.payoutApprovalAboveCents && isBelowOwner(ctx.actor))
    throw forbidden('Only an owner can change `payoutApprovalAboveCents`: ask an owner of the program.')
  const now = ctx.now()
  const program = await withTransaction(ctx.db, async (tx) => {
    const updated = await tx.program.update({
      where: { id },
      data: {
        ...fields,
        ...(agentProvider !== undefined && { agentProvider: agentProvider?.trim().toLowerCase() ?? null }),
        ...linkParametersColumn({ linkParameters }),
        updatedAt: now,
      },
    })
    // Lists of affiliates are sorted by sums in the program's currency.
    if (updated.currency !== before.currency) await tx.$queryRaw`select affiliates_money_rebuild(${id}::uuid)::text`
    await recordChange(
      tx,
      { ...ctx, program: before },
      { ...subjectOf(before), action: 'updated' },
      before,
      updated,
      now,
    )
    return updated
  })
  forgetCachedPrograms(ctx.db)
  return program
}

/** Who prepares payout runs cannot lift the sum above which a second person approves them. */
const isBelowOwner = (actor: ManagementCtx['actor']): boolean =>
  actor.kind === 'person' && !actor.isOperator && actor.role !== 'owner'

/**
 * Advances a sandbox's clock: from the next request on, commissions become due, referrals expire, periods end.
 * Concurrent calls add up.
 * @throws NOT_FOUND; INVALID_INPUT; REFUSED if the program is not a sandbox, or its clock would pass the limit
 */
export async function advanceClock(ctx: Ctx, id: string, raw: unknown): Promise<Program> {
  const program = await findProgram(ctx, id)
  const { days } = await parseInput(advanceClockInput, raw)
  if (!program.isSandbox) {
    throw refused(
      'Only the clock of a sandbox can be advanced. Create a sandbox: npx tributary create-program --sandbox, or createProgram(input: {isSandbox: true, …}).',
    )
  }
  const now = ctx.now()
  return withTransaction(ctx.db, async (tx) => {
    const { count } = await tx.program.updateMany({
      where: { id, isSandbox: true, clockAdvancedByDays: { lte: mostDaysAhead - days } },
      data: { clockAdvancedByDays: { increment: days }, updatedAt: now },
    })
    if (count === 0)
      throw refused(`A sandbox's clock can be at most ${mostDaysAhead} days ahead. Create a new sandbox.`)
    const advanced = await tx.program.findUniqueOrThrow({ where: { id } })
    const before = { ...advanced, clockAdvancedByDays: advanced.clockAdvancedByDays - days }
    const what = { ...subjectOf(program), action: 'clock_advanced' as const }
    await recordAction(tx, { ...ctx, program }, what, before, advanced, now)
    return advanced
  })
}

/** The dashboard has other views besides programs: `/dashboard/account`. */
const reservedSlugs: readonly string[] = [
  ...['account', 'assets', 'auth', 'email-change', 'invitation', 'password-reset', 'programs', 'setup', 'sign-in'],
]

async function slugProblems(db: Db, slug: string | undefined, ownId?: string) {
  if (slug !== undefined && reservedSlugs.includes(slug))
    return [problem('slug', 'is a word of the dashboard: choose another.')]
  const taken = slug === undefined ? null : await db.program.findUnique({ where: { slug }, select: { id: true } })
  return taken && taken.id !== ownId ? [problem('slug', 'is already in use.')] : []
}

/** A slug made from the program's name, with a random number if another program has it. */
async function freeSlug(db: Db, name: string): Promise<string> {
  const base = slugOf(name) || 'program'
  const isTaken = async (slug: string) => (await slugProblems(db, slug)).length > 0
  if (!(await isTaken(base))) return base
  return `${base}-${randomInt(100_000, 1_000_000_000)}`
}

/** @throws NOT_FOUND, also for a program that the caller does not manage */
export async function findProgram(
  { db, onlyProgramId }: Pick<ManagementCtx, 'db' | 'onlyProgramId'>,
  id: string,
): Promise<Program> {
  return findById('Program', id, async () =>
    id === (onlyProgramId ?? id) ? db.program.findUnique({ where: { id, deletedAt: null } }) : null,
  )
}

/** The program with this id or slug. An id is preferred: a slug can have the form of an id. @throws NOT_FOUND */
export async function findProgramByName(ctx: Pick<Ctx, 'db'>, idOrSlug: string): Promise<Program> {
  const name = idOrSlug.trim()
  const bySlug = async () =>
    isSlug(name) ? await ctx.db.program.findUnique({ where: { slug: name.toLowerCase() } }) : null
  const byId = isId(ownCase(name))
    ? await ctx.db.program.findUnique({ where: { id: ownCase(name), deletedAt: null } })
    : null
  const program = byId ?? (await bySlug())
  if (!program) throw notFound('Program', name)
  return program
}

export const listPrograms = (ctx: Ctx): Promise<Program[]> =>
  ctx.db.program.findMany({ where: { deletedAt: null }, orderBy: { id: 'desc' } })
