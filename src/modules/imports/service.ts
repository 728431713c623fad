import { withTransaction, writeUnique } from '../../database/client/transaction.ts'
import type { Import, Prisma } from '../../generated/prisma/client.ts'
import type { Ctx, ProgramCtx } from '../../kernel/context.ts'
import { invalid, type Problem, refused } from '../../kernel/errors.ts'
import { parseInput, problem, readFields } from '../../kernel/input/parse.ts'
import { storableText } from '../../kernel/text.ts'
import { clockOf } from '../programs/clock.ts'
import { findProgram, insertProgram } from '../programs/service.ts'
import { importAffiliates } from './affiliates/import.ts'
import { type Batch, newBatch, saveRecords } from './batch.ts'
import { importCampaigns } from './campaigns.ts'
import { importCommissions } from './commissions/import.ts'
import { leaveOutSales } from './commissions/left-out-sales.ts'
import { importCoupons } from './coupons.ts'
import { recordImported } from './events.ts'
import {
  droppableFields,
  importRecordsInput,
  type ListedKind,
  listedKinds,
  type RecordOf,
  recordInputs,
} from './input.ts'
import { importLinks } from './links.ts'
import { importPayouts } from './payouts.ts'
import { addNote, leaveOut, type Result } from './plan.ts'
import { advance, newProgress, progressOf } from './progress.ts'
import { importReferrals } from './referrals/import.ts'
import { snapshotOf } from './snapshot.ts'

const maxRecords = 200

/**
 * Imports records of one kind with the progress, in one transaction. A record with a problem is left out with a note;
 * one that was imported before is updated. Idempotent. Events are recorded only if asked for.
 * @throws INVALID_INPUT if the records are not a readable list; NOT_FOUND; REFUSED if the import was not started
 */
export async function importRecords(ctx: Ctx, raw: unknown): Promise<Result[]> {
  const input = await parseInput(importRecordsInput, raw, (readable) => listProblems(readable))
  const kind = input.kind as ListedKind
  const records = readList('records', input.records)
  const waiting = input.waiting === undefined ? undefined : readList('waiting', input.waiting)
  const earlier = input.earlier === undefined ? [] : readEarlier(input.earlier)
  const { source, dryRun = false, recordEvents = false } = input
  const program = input.programId === undefined ? null : await findProgram(ctx, input.programId)
  const rollback = {}
  let results: Result[] = []
  const run = () =>
    withTransaction(ctx.db, async (tx) => {
      const found = program && (await lockImport(tx, program.id, source, dryRun))
      const target = program ?? (await insertProgram(tx, { ...ctx, isSilent: true }, dryRunProgram))
      const progress = found ? progressOf(found) : newProgress(program === null)
      const scope: ProgramCtx = { ...ctx, isSilent: true, program: target, now: clockOf(target, ctx.now) }
      for (const group of earlier) {
        const rehearsed = newBatch(tx, scope, progress)
        await importKind(rehearsed, group.kind, group.records)
        await saveRecords(rehearsed)
      }
      const batch = newBatch(tx, scope, progress)
      await importKind(batch, kind, records)
      await saveRecords(batch)
      if (recordEvents) await recordImported(batch)
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

/** The program of a dry run without one. The rollback removes it. */
const dryRunProgram = { name: 'Dry run', url: 'https://example.com', currency: 'usd', slug: undefined }

/** Locks the import, so that its batches run one after the other. @throws REFUSED if it was not started */
async function lockImport(
  tx: Prisma.TransactionClient,
  programId: string,
  source: string,
  dryRun: boolean,
): Promise<Import | null> {
  await tx.$queryRaw`select 1 from imports where program_id = ${programId}::uuid and source = ${source} for update`
  const found = await tx.import.findUnique({ where: { programId_source: { programId, source } } })
  if (!found && !dryRun) throw refused('The import was not started. Call startImport first.')
  return found
}

const importers = {
  campaign: importCampaigns,
  affiliate: importAffiliates,
  affiliate_link: importLinks,
  affiliate_coupon: importCoupons,
  referral: importReferrals,
  payout: importPayouts,
  commission: importCommissions,
} satisfies { [Kind in ListedKind]: (batch: Batch, records: RecordOf<Kind>[]) => Promise<void> }

const droppedNote: Partial<Record<ListedKind, string>> = { campaign: 'The default is used instead.' }

async function importKind(batch: Batch, kind: ListedKind, raws: readonly unknown[]): Promise<void> {
  const readables = new Map<string, unknown>()
  const all: Partial<RecordOf<'commission'>>[] = []
  for (const raw of raws) {
    const read = readFields(recordInputs[kind], raw)
    const externalId = idOf(raw)
    all.push({ ...read.readable, externalId })
    const isDroppable = ({ field }: Problem) => droppableFields[kind]?.includes(field ?? '') ?? false
    const problems = read.problems.filter((each) => !isDroppable(each))
    if (problems[0]) {
      const message = problems.map((each) => each.message.replace(/\.?$/, '.')).join(' ')
      leaveOut(batch, kind, externalId, { ...problems[0], message }, snapshotOf(withoutLists(read.readable)))
      continue
    }
    for (const { message } of read.problems)
      addNote(
        batch,
        kind,
        externalId,
        `${message.replace(/\.?$/, '.')} ${droppedNote[kind] ?? 'The field was left empty.'}`,
      )
    readables.set(externalId, { ...read.readable, shown: shownIn(raw) })
  }
  await (importers[kind] as (batch: Batch, records: unknown[]) => Promise<void>)(batch, [...readables.values()])
  if (kind === 'commission') await leaveOutSales(batch, all)
}

/** A snapshot contains columns only. Lists are other records. */
const withoutLists = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => !Array.isArray(value)))

const shownIn = (raw: unknown): Set<string> => new Set(Object.keys(raw as object))

const idOf = (raw: unknown): string => {
  const id = (raw as { externalId?: unknown } | null)?.externalId
  return typeof id === 'string' && id.trim() !== '' ? storableText(id.trim()) : '(none)'
}

function listProblems({ kind, records, waiting, earlier, programId, dryRun }: Record<string, unknown>): Problem[] {
  const problems: Problem[] = []
  if (kind !== undefined && !listedKinds.includes(kind as ListedKind))
    problems.push(problem('kind', 'must not be SALE: sales are part of commission records'))
  if (programId === undefined && dryRun !== true) problems.push(problem('programId', "can't be blank"))
  for (const [field, text] of Object.entries({ records, waiting }))
    if (typeof text === 'string' && listIn(text) === null)
      problems.push(problem(field, `must be a JSON list of at most ${maxRecords} records`))
  if (earlier !== undefined && dryRun !== true) problems.push(problem('earlier', 'is only for a dry run'))
  if (typeof earlier === 'string' && earlierIn(earlier) === null)
    problems.push(problem('earlier', 'must be a JSON list of { kind, records }'))
  return problems
}

const readList = (field: string, text: string): unknown[] => {
  const list = listIn(text)
  if (!list) throw invalid([problem(field, 'must be a JSON list')])
  return list
}

type Earlier = { kind: ListedKind; records: unknown[] }

const readEarlier = (text: string): Earlier[] => {
  const list = earlierIn(text)
  if (!list) throw invalid([problem('earlier', 'must be a JSON list')])
  return list
}

function earlierIn(text: string): Earlier[] | null {
  const isEarlier = (value: unknown): value is Earlier => {
    const { kind, records } = (value ?? {}) as Partial<Earlier>
    return listedKinds.includes(kind as ListedKind) && Array.isArray(records)
  }
  const list = listIn(text)
  return list?.every(isEarlier) ? list : null
}

function listIn(text: string): unknown[] | null {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) && value.length <= maxRecords ? value : null
  } catch {
    return null
  }
}
