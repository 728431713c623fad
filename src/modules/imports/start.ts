import type { z } from 'zod'
import { withTransaction } from '../../database/client/transaction.ts'
import type { Import, Prisma, Program } from '../../generated/prisma/client.ts'
import type { Ctx } from '../../kernel/context.ts'
import { invalid, refused } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
import { parseInput, problem } from '../../kernel/input/parse.ts'
import { sweepBeforeImport } from '../event-log/sweep.ts'
import { type Recorder, recordAction } from '../history/record.ts'
import { findProgram, insertProgram } from '../programs/service.ts'
import { startImportInput } from './input.ts'
import { newProgress, progressOf } from './progress.ts'
import { chooseImport } from './target.ts'

/**
 * Starts or continues an import. The program is the given one, else that of an earlier import, else a new one.
 * @throws NOT_FOUND; INVALID_INPUT; REFUSED if the source is the program itself, or as `chooseImport`
 */
export async function startImport(ctx: Ctx, raw: unknown): Promise<Import & { program: Program }> {
  const input = await parseInput(startImportInput, raw)
  const { source, programId, keyHash = null, restart = false } = input
  if (programId !== undefined) {
    await findProgram(ctx, programId)
    await rejectOwnProgram(ctx, programId, input.campaignIds)
  }
  const started = await withTransaction(ctx.db, async (tx) => {
    await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${`import ${source}`}, 0))`
    const existing = await chooseImport(tx, input)
    const now = ctx.now()
    if (existing) {
      const where = { programId_source: { programId: existing.programId, source } }
      // The same program can get another key.
      const key = { keyHash: keyHash ?? existing.keyHash }
      if (!restart && existing.finishedAt === null)
        return tx.import.update({ where, data: key, include: { program: true } })
      const { madeProgram } = progressOf(existing)
      const data = { ...key, progress: newProgress(madeProgram) as object, startedAt: now, finishedAt: null }
      await recordImport(tx, { ...ctx, program: existing.program }, 'started', existing, now)
      return tx.import.update({ where, data, include: { program: true } })
    }
    const program = programId === undefined ? await createProgram(tx, ctx, input) : { id: programId }
    const progress = newProgress(programId === undefined) as object
    const data = { programId: program.id, source, keyHash, progress, startedAt: now }
    await recordImport(tx, { ...ctx, program }, 'started', { source }, now)
    return tx.import.create({ data, include: { program: true } })
  })
  await sweepBeforeImport(ctx, started.programId)
  return started
}

/** An import has no id, so its entries have the id of the program. */
export const recordImport = (
  tx: Prisma.TransactionClient,
  ctx: Recorder,
  action: 'started' | 'finished',
  { source }: Pick<Import, 'source'>,
  at: Date,
): Promise<void> =>
  recordAction(
    tx,
    ctx,
    { subject: 'import', subjectId: ctx.program.id, action, named: ['source'] },
    null,
    { source },
    at,
  )

async function rejectOwnProgram(ctx: Ctx, programId: string, campaignIds: string[] = []): Promise<void> {
  const ownCampaign = await ctx.db.campaign.findFirst({ where: { programId, id: { in: campaignIds.filter(isId) } } })
  if (ownCampaign)
    throw refused('The source is the program itself. Choose another program, or omit it to create a new one.')
}

async function createProgram(
  tx: Prisma.TransactionClient,
  ctx: Ctx,
  { name, url, currency, since }: z.output<typeof startImportInput>,
): Promise<Program> {
  const missing = Object.entries({ name, url, currency }).filter(([, value]) => value === undefined)
  if (name === undefined || url === undefined || currency === undefined)
    throw invalid(missing.map(([field]) => problem(field, "can't be blank, because the import creates a new program")))
  return insertProgram(tx, { ...ctx, isSilent: true }, { name, url, currency }, since)
}

/** The imports into a program, the last started first. A program is imported from one or two sources in its life. */
export async function listImports(
  db: Pick<Prisma.TransactionClient, 'import'>,
  programId: string,
): Promise<(Import & { program: Program })[]> {
  return db.import.findMany({
    where: { programId },
    orderBy: [{ startedAt: 'desc' }, { source: 'asc' }],
    include: { program: true },
    take: 100,
  })
}
