import type { z } from 'zod'
import { withTransaction, writeUnique } from '../../database/transaction.ts'
import type { Import, Prisma, Program } from '../../generated/prisma/client.ts'
import type { Ctx, ProgramCtx } from '../../kernel/context.ts'
import { invalid, type Problem, refused } from '../../kernel/errors.ts'
import { isId } from '../../kernel/ids.ts'
import { parseInput, problem, readFields } from '../../kernel/input/parse.ts'
import { clockOf } from '../programs/clock.ts'
import { findProgram, insertProgram } from '../programs/service.ts'
import { takeAffiliates } from './affiliates.ts'
import { type Batch, leaveOut, newBatch, note, type Result, readable, remember } from './batch.ts'
import { takeCampaigns } from './campaigns.ts'
import { takeCommissions } from './commissions.ts'
import { takeCoupons } from './coupons.ts'
import {
  dispensable,
  importRecordsInput,
  type ListedKind,
  listedKinds,
  type RecordOf,
  recordInputs,
  startImportInput,
} from './input.ts'
import { takeLinks } from './links.ts'
import { takePayouts } from './payouts.ts'
import { advance, noProgress, type Progress, progressOf } from './progress.ts'
import { takeReferrals } from './referrals.ts'
import { storedFields } from './stored.ts'

/** The most records that one batch holds. */
const mostRecords = 200

/**
 * Begins to bring a program over from another server, or finds the import that was begun, with how far it has come. The
 * program is the one that is named, or the one that was made for this source before, or a new one.
 *
 * @throws NOT_FOUND; INVALID_INPUT; REFUSED where the source is the program itself
 */
export async function startImport(ctx: Ctx, raw: unknown): Promise<Import & { program: Program }> {
  const input = await parseInput(startImportInput, raw)
  const { source, programId, restart = false } = input
  if (programId !== undefined) {
    await findProgram(ctx, programId)
    await refuseItself(ctx, programId, input.campaignId)
  }
  return withTransaction(ctx.db, async (tx) => {
    await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${`import ${source}`}, 0))`
    const found = await findImport(tx, source, programId)
    const now = ctx.now()
    if (found) {
      const begins = restart || found.finishedAt !== null
      if (!begins) return found
      const { madeProgram } = progressOf(found)
      const where = { programId_source: { programId: found.programId, source } }
      const data = { progress: { madeProgram, kinds: {} }, startedAt: now, finishedAt: null }
      return tx.import.update({ where, data, include: { program: true } })
    }
    const program = programId === undefined ? await makeProgram(tx, ctx, input) : { id: programId }
    const progress: Progress = { madeProgram: programId === undefined, kinds: {} }
    const data = { programId: program.id, source, progress: progress as object, startedAt: now }
    return tx.import.create({ data, include: { program: true } })
  })
}

async function refuseItself(ctx: Ctx, programId: string, campaignId: string | undefined): Promise<void> {
  if (campaignId === undefined || !isId(campaignId)) return
  const own = await ctx.db.campaign.findUnique({ where: { programId_id: { programId, id: campaignId } } })
  if (own) throw refused('The source is this very program: name another one, or none to make a new one.')
}

async function makeProgram(
  tx: Prisma.TransactionClient,
  ctx: Ctx,
  { name, url, currency, since }: z.output<typeof startImportInput>,
): Promise<Program> {
  const missing = Object.entries({ name, url, currency }).filter(([, value]) => value === undefined)
  if (name === undefined || url === undefined || currency === undefined)
    throw invalid(missing.map(([field]) => problem(field, "can't be blank: a program has to be made for this source")))
  return insertProgram(tx, ctx, { name, url, currency }, since)
}

/** The import from a source: into the program that is named, else into the first one that it went into. */
export async function findImport(
  db: Pick<Prisma.TransactionClient, 'import'>,
  source: string,
  programId?: string,
): Promise<(Import & { program: Program }) | null> {
  if (programId !== undefined && !isId(programId)) return null
  return db.import.findFirst({
    where: { source, ...(programId !== undefined && { programId }) },
    orderBy: { programId: 'asc' },
    include: { program: true },
  })
}

/**
 * Takes over records of one kind, in one transaction with how far the import has come. A record with a problem is left
 * out and told, the others are taken over; one that is known by its id at the source is caught up with. Taken over
 * again, by a retry or by many at once, they change nothing.
 *
 * @throws INVALID_INPUT where the records can not be read as a whole; NOT_FOUND
 */
export async function importRecords(ctx: Ctx, raw: unknown): Promise<Result[]> {
  const input = await parseInput(importRecordsInput, raw, (readable) => readableProblems(readable))
  const kind = input.kind as ListedKind
  const records = readList('records', input.records)
  const waiting = input.waiting === undefined ? undefined : readList('waiting', input.waiting)
  const { source, dryRun = false } = input
  const program = input.programId === undefined ? null : await findProgram(ctx, input.programId)
  const rollback = {}
  let results: Result[] = []
  const run = () =>
    withTransaction(ctx.db, async (tx) => {
      const found = program && (await lockImport(tx, program.id, source, dryRun))
      const target = program ?? (await insertProgram(tx, ctx, rehearsed))
      const progress = found ? progressOf(found) : { madeProgram: program === null, kinds: {} }
      const scope: ProgramCtx = { ...ctx, program: target, now: clockOf(target, ctx.now) }
      const batch = newBatch(tx, scope, { dryRun, madeProgram: progress.madeProgram })
      await takeRecords(batch, kind, records)
      await remember(batch)
      results = [...batch.results.values()]
      if (dryRun) throw rollback
      const { nextPage, isLast } = input
      const data = { progress: advance(progress, { kind, nextPage, isLast, waiting }, results) as object }
      await tx.import.update({ where: { programId_source: { programId: target.id, source } }, data })
    })
  await writeUnique(async () => null, run).catch((error) => {
    if (error !== rollback) throw error
  })
  return results
}

/** What a dry run without a program is tried in, until it is rolled back. */
const rehearsed = { name: 'Dry run', url: 'https://example.com', currency: 'usd', slug: undefined }

/** Batches of one import are taken over one after the other. @throws REFUSED where it was not begun */
async function lockImport(
  tx: Prisma.TransactionClient,
  programId: string,
  source: string,
  dryRun: boolean,
): Promise<Import | null> {
  await tx.$queryRaw`select 1 from imports where program_id = ${programId}::uuid and source = ${source} for update`
  const found = await tx.import.findUnique({ where: { programId_source: { programId, source } } })
  if (!found && !dryRun) throw refused('This import was not begun: see startImport.')
  return found
}

const takers = {
  campaign: takeCampaigns,
  affiliate: takeAffiliates,
  affiliate_link: takeLinks,
  affiliate_coupon: takeCoupons,
  referral: takeReferrals,
  payout: takePayouts,
  commission: takeCommissions,
} satisfies { [Kind in ListedKind]: (batch: Batch, records: RecordOf<Kind>[]) => Promise<void> }

async function takeRecords(batch: Batch, kind: ListedKind, raws: readonly unknown[]): Promise<void> {
  const readables = new Map<string, unknown>()
  for (const raw of raws) {
    const read = readFields(recordInputs[kind], raw)
    const externalId = idOf(raw)
    const isDispensable = ({ field }: Problem) => dispensable[kind]?.includes(field ?? '') ?? false
    const problems = read.problems.filter((each) => !isDispensable(each))
    if (problems[0]) {
      const message = problems.map((each) => each.message.replace(/\.?$/, '.')).join(' ')
      leaveOut(batch, kind, externalId, { ...problems[0], message }, storedFields(plain(read.readable)))
      continue
    }
    for (const { message } of read.problems) note(batch, kind, externalId, `${message}: taken over without it.`)
    readables.set(externalId, read.readable)
  }
  await (takers[kind] as (batch: Batch, records: unknown[]) => Promise<void>)(batch, [...readables.values()])
}

/** Without lists, which are no fields of a row. */
const plain = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => !Array.isArray(value)))

const idOf = (raw: unknown): string => {
  const id = (raw as { externalId?: unknown } | null)?.externalId
  return typeof id === 'string' && id.trim() !== '' ? readable(id.trim()) : '(none)'
}

function readableProblems({ kind, records, waiting, programId, dryRun }: Record<string, unknown>): Problem[] {
  const problems: Problem[] = []
  if (kind !== undefined && !listedKinds.includes(kind as ListedKind))
    problems.push(problem('kind', 'comes inside commissions, and is no list of its own'))
  if (programId === undefined && dryRun !== true) problems.push(problem('programId', "can't be blank"))
  for (const [field, text] of Object.entries({ records, waiting }))
    if (typeof text === 'string' && listIn(text) === null)
      problems.push(problem(field, `must be a JSON list of at most ${mostRecords} records`))
  return problems
}

const readList = (field: string, text: string): unknown[] => {
  const list = listIn(text)
  if (!list) throw invalid([problem(field, 'must be a JSON list')])
  return list
}

function listIn(text: string): unknown[] | null {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) && value.length <= mostRecords ? value : null
  } catch {
    return null
  }
}

/** How far each kind has come. */
export const kindProgress = (row: Pick<Import, 'progress'>) =>
  listedKinds.map((kind) => ({ kind, ...(progressOf(row).kinds[kind] ?? noProgress()) }))
