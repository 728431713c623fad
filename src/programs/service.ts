import { insertCampaign } from '../campaigns/service.ts'
import type { Ctx } from '../context.ts'
import { withTransaction } from '../database/transaction.ts'
import type { Program } from '../generated/prisma/client.ts'
import { mintId } from '../ids.ts'
import { parseInput } from '../input/parse.ts'
import { findById } from '../lookup.ts'
import { createProgramInput, updateProgramInput } from './input.ts'

const defaultBasisPoints = 2_000

/** Makes a program and its default campaign, which an affiliate without a campaign belongs to. */
export async function createProgram(ctx: Ctx, raw: unknown): Promise<Program> {
  const input = await parseInput(createProgramInput, raw)
  const now = ctx.now()
  return withTransaction(ctx.db, async (tx) => {
    const { name, url, currency } = input
    const program = await tx.program.create({
      data: { id: mintId(now), name, url, currency, createdAt: now, updatedAt: now },
    })
    const campaign = { name: 'Default', url, commissionPercent: input.commissionPercent ?? defaultBasisPoints }
    await insertCampaign(tx, program, now, campaign, true)
    return program
  })
}

/** Changes what is given; campaigns, links and sales that exist keep what they have. @throws NOT_FOUND */
export async function updateProgram(ctx: Ctx, id: string, raw: unknown): Promise<Program> {
  await findProgram(ctx, id)
  const input = await parseInput(updateProgramInput, raw)
  return ctx.db.program.update({ where: { id }, data: { ...input, updatedAt: ctx.now() } })
}

/** @throws NOT_FOUND */
export async function findProgram(ctx: Pick<Ctx, 'db'>, id: string): Promise<Program> {
  return findById('Program', id, () => ctx.db.program.findUnique({ where: { id } }))
}

/** Newest first. */
export const listPrograms = (ctx: Ctx): Promise<Program[]> => ctx.db.program.findMany({ orderBy: { id: 'desc' } })
