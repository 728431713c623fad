import { withTransaction, writeUnique } from '../../database/transaction.ts'
import type { Import, Prisma } from '../../generated/prisma/client.ts'
import type { Ctx, ProgramCtx } from '../../kernel/context.ts'
import { invalid, type Problem, refused } from '../../kernel/errors.ts'
import { parseInput, problem, readFields } from '../../kernel/input/parse.ts'
import { storableText } from '../../kernel/input/storable.ts'
import { clockOf } from '../programs/clock.ts'
import { findProgram, insertProgram } from '../programs/service.ts'
import { importAffiliates } from './affiliates/import.ts'
import { type Batch, newBatch, saveRecords } from './batch.ts'
import { importCampaigns } from './campaigns.ts'
import { importCommissions } from './commissions/import.ts'
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
 * Imports records of one kind, and saves the progress, in one transaction. A record with a problem is left out with a
 * note. A record that was imported before is updated. Importing the same records again is idempotent. Events are
 * recorded only if asked for.
 *
 * @throws INVALID_INPUT if the records are not a readable list; NOT_FOUND; REFUSED if the import was not started
 */
export async function importRecords(ctx: Ctx, raw: unknown): Promise<Result[]> {
  const input = await parseInput(importRecordsInput, raw, (readable) => listProblems(readable))
  const kind = input.kind as ListedKind
  const records = readList('records', input.records)
  const waiting = input.waiting === undefined ? undefined : readList('waiting', input.waiting)
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
      const batch = newBatch(tx, scope, { dryRun, madeProgram: progress.madeProgram })
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

async function importKind(batch: Batch, kind: ListedKind, raws: readonly unknown[]): Promise<void> {
  const readables = new Map<string, unknown>()
  for (const raw of raws) {
    const read = readFields(recordInputs[kind], raw)
    const externalId = idOf(raw)
    const isDroppable = ({ field }: Problem) => droppableFields[kind]?.includes(field ?? '') ?? false
    const problems = read.problems.filter((each) => !isDroppable(each))
    if (problems[0]) {
      const message = problems.map((each) => each.message.replace(/\.?$/, '.')).join(' ')
      leaveOut(batch, kind, externalId, { ...problems[0], message }, snapshotOf(withoutLists(read.readable)))
      continue
    }
    for (const { message } of read.problems)
      addNote(batch, kind, externalId, `${message.replace(/\.?$/, '.')} The field was left empty.`)
    readables.set(externalId, read.readable)
  }
  await (importers[kind] as (batch: Batch, records: unknown[]) => Promise<void>)(batch, [...readables.values()])
}

/** A snapshot contains columns only. Lists are other records. */
const withoutLists = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => !Array.isArray(value)))

const idOf = (raw: unknown): string => {
  const id = (raw as { externalId?: unknown } | null)?.externalId
  return typeof id === 'string' && id.trim() !== '' ? storableText(id.trim()) : '(none)'
}

function listProblems({ kind, records, waiting, programId, dryRun }: Record<string, unknown>): Problem[] {
  const problems: Problem[] = []
  if (kind !== undefined && !listedKinds.includes(kind as ListedKind))
    problems.push(problem('kind', 'must not be SALE: sales are part of commission records'))
  if (programId === undefined && dryRun !== true) problems.push(problem('programId', "can't be blank"))
  for (const [field, text] of Object.entries({ records, waiting }))
    if (typeof text === 'string' && listIn(text) === null)
      problems.push(problem(field, `must be a JSON list of at most ${maxRecords} records`))
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
    return Array.isArray(value) && value.length <= maxRecords ? value : null
  } catch {
    return null
  }
}
