import type { ImportKind } from '../../generated/prisma/enums.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import type { Problem } from '../../kernel/errors.ts'
import type { RecordKind } from './input.ts'
import type { Snapshot } from './snapshot.ts'

export type Outcome = 'created' | 'updated' | 'unchanged' | 'left_out'

export type MissingReference = { field: string; kind: RecordKind }

export type Result = {
  kind: RecordKind
  externalId: string
  outcome: Outcome
  field: string | null
  /** Why the record was left out, or which of its data was changed or dropped. */
  message: string | null
}

/** A row of `imported_records` to be written. */
export type RecordWrite = { kind: ImportKind; externalId: string; id: string | null; snapshot: Snapshot }

/** A row of `imported_records` whose record has a row here. */
export type ImportedRecord = { externalId: string; id: string; snapshot: Snapshot }

export type RowWrites<Row> = { created: Row[]; updated: { before: Row; after: Row }[] }

export const noWrites = <Row>(): RowWrites<Row> => ({ created: [], updated: [] })

/** What a batch is planned with. Planning reads no database: it decides from rows that were read before. */
export type BatchPlan = {
  ctx: Pick<ProgramCtx, 'program' | 'actor' | 'requestId'>
  now: Date
  /** The program was created for this import: its default campaign becomes the default campaign of the source. */
  madeProgram: boolean
  results: Map<string, Result>
  records: Map<string, RecordWrite>
  /** Sentences about each record: why it was left out, or which of its data was changed or dropped. */
  notes: Map<string, string[]>
}

const keyOf = (kind: RecordKind, externalId: string) => `${kind} ${externalId}`

/** Records the outcome of a record, the row that it has here, and its fields as they were read. */
export function recordOutcome(
  plan: BatchPlan,
  kind: RecordKind,
  externalId: string,
  outcome: Outcome,
  { id = null, snapshot }: { id?: string | null; snapshot: Snapshot },
): void {
  const key = keyOf(kind, externalId)
  plan.results.set(key, { kind, externalId, outcome, field: null, message: null })
  plan.records.set(key, { kind, externalId, id, snapshot })
}

export function addNote(plan: BatchPlan, kind: RecordKind, externalId: string, sentence: string): void {
  const key = keyOf(kind, externalId)
  plan.notes.set(key, [...(plan.notes.get(key) ?? []), sentence])
}

/** Notes the fields that changed at the source and keep their value here. */
export function noteConflicts(
  plan: BatchPlan,
  kind: RecordKind,
  externalId: string,
  conflicts: readonly string[],
): void {
  if (conflicts.length === 0) return
  const names = conflicts.map((field) => field.replace(/([A-Z])/g, ' $1').toLowerCase()).join(', ')
  addNote(
    plan,
    kind,
    externalId,
    `Changed at the source but kept here, because it was also changed here or is final: ${names}.`,
  )
}

export function leaveOut(
  plan: BatchPlan,
  kind: RecordKind,
  externalId: string,
  problem: Problem,
  snapshot: Snapshot = {},
): void {
  recordOutcome(plan, kind, externalId, 'left_out', { snapshot })
  addNote(plan, kind, externalId, problem.message)
  const result = plan.results.get(keyOf(kind, externalId))
  if (result) result.field = problem.field ?? null
}

/** Leaves out a change of a record that was imported before. A person has to decide. */
export function leaveOutChange(plan: BatchPlan, kind: RecordKind, externalId: string, sentence: string): void {
  const result = plan.results.get(keyOf(kind, externalId))
  if (result) result.outcome = 'left_out'
  addNote(plan, kind, externalId, sentence)
}

export const kindNouns: Record<RecordKind, string> = {
  campaign: 'campaign',
  affiliate: 'affiliate',
  affiliate_link: 'link',
  affiliate_coupon: 'coupon',
  referral: 'referral',
  payout: 'payout',
  commission: 'commission',
  sale: 'sale',
}

/** Leaves out a record with missing references. The note names none of them, so that the report has one line. */
export function leaveOutUnresolved(
  plan: BatchPlan,
  kind: RecordKind,
  externalId: string,
  missing: readonly MissingReference[],
  snapshot: Snapshot,
): void {
  const message = missing.map((one) => `Their ${kindNouns[one.kind]} was not imported.`).join(' ')
  leaveOut(plan, kind, externalId, { message, ...(missing[0] && { field: missing[0].field }) }, snapshot)
}
