import { emptyPayoutNote } from '../../modules/imports/empty-payouts.ts'
import type { ListedKind } from '../../modules/imports/input.ts'
import { offersOf, paymentNames } from './dependencies.ts'
import type { ProgressDisplay } from './progress.ts'
import { createRehearsal } from './rehearsal.ts'
import { type ImportOptions, listsOf, missingRecords, readCampaigns, targetInput } from './run.ts'
import type { Source } from './source.ts'
import type { ImportedRecord, Target } from './target.ts'
import { walkList } from './walk.ts'
import type { SourceRecord } from './wire.ts'

type KindCounts = { source: number; created: number; updated: number; unchanged: number; leftOut: number }
type Note = { kind: string; isLeftOut: boolean; note: string; externalIds: string[]; count?: number }

export type DryRunResult = {
  /** The program that a run would import into; null if it would create one. */
  program: { id: string; name?: string } | null
  kinds: Map<string, KindCounts>
  notes: Map<string, Note>
}

/** The records and the earlier ones that they depend on are in one request. */
const maxBytes = 650_000
const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

/** Reads the whole source. The target imports every record as in a run, and rolls it back. */
export async function dryRunImport(
  source: Source,
  target: Target,
  display: ProgressDisplay,
  options: ImportOptions,
): Promise<DryRunResult> {
  // A run reads the campaigns first, so a source that fails here fails in the same way.
  const campaigns = await readCampaigns(source)
  const found = await target.find(targetInput(source, campaigns, options))
  const programId = options.programId ?? found?.program.id
  const rehearsal = createRehearsal()
  const tally = createTally()
  const totals = new Map<string, number>()
  const send = async (kind: ListedKind, records: readonly SourceRecord[]): Promise<void> => {
    if (records.length === 0) return
    const room = maxBytes - bytesOf(records)
    const earlier = rehearsal.earlierFor(kind, records, room)
    if (records.length > 1 && bytesOf(earlier) > room) {
      const half = records.length >> 1
      await send(kind, records.slice(0, half))
      return send(kind, records.slice(half))
    }
    tally.add(await target.importRecords({ programId, kind: kind.toUpperCase(), records, earlier, dryRun: true }))
    if (kind === 'payout') tally.addPayouts(records)
    if (kind === 'commission') tally.addPayments(records)
    rehearsal.add(kind, records)
  }
  for (const list of listsOf(campaigns))
    await walkList(source, display, list, {
      onTotal: (totalCount) => totals.set(list.kind.toUpperCase(), totalCount),
      send: ({ records }) => send(list.kind, records),
    })
  tally.noteEmptyPayouts()
  for (const { kind, note, count } of missingRecords(
    [...tally.kinds].map(([kind, { source: read }]) => ({ kind, source: read })),
    totals,
  ))
    tally.notes.set(`${kind} ${note}`, { kind, isLeftOut: true, note, externalIds: [], count })
  const given = options.programId === undefined ? null : { id: options.programId }
  return { program: found?.program ?? given, kinds: tally.kinds, notes: tally.notes }
}

const counterOf = { CREATED: 'created', UPDATED: 'updated', UNCHANGED: 'unchanged', LEFT_OUT: 'leftOut' } as const

/** Counts the outcomes. Links are read twice, with their affiliate and in their own list, and count once. */
function createTally() {
  const kinds = new Map<string, KindCounts>()
  const notes = new Map<string, Note>()
  const outcomes = new Map<string, ImportedRecord['outcome']>()
  const paidPayouts = new Map<string, { lines: number; names: string[] }>()
  const paidNames = new Set<string>()

  return {
    kinds,
    notes,
    add(results: readonly ImportedRecord[]) {
      for (const { kind, externalId, outcome, message } of results) {
        const key = `${kind} ${externalId}`
        if (outcomes.has(key)) continue
        outcomes.set(key, outcome)
        const counts = kinds.get(kind) ?? { source: 0, created: 0, updated: 0, unchanged: 0, leftOut: 0 }
        kinds.set(kind, counts)
        counts.source += 1
        counts[counterOf[outcome]] += 1
        if (message !== null) addNote(notes, kind, outcome === 'LEFT_OUT', message, externalId)
      }
    },
    addPayouts(records: readonly SourceRecord[]) {
      for (const record of records) {
        if (outcomes.get(`PAYOUT ${record.externalId}`) === 'LEFT_OUT') continue
        if (!record.paidAt && record.state !== 'paid') continue
        const lines = Array.isArray(record.commissionIds) ? record.commissionIds.length : 0
        paidPayouts.set(record.externalId, { lines, names: offersOf('payout', record) })
      }
    },
    addPayments(records: readonly SourceRecord[]) {
      for (const record of records)
        if (outcomes.get(`COMMISSION ${record.externalId}`) !== 'LEFT_OUT')
          for (const name of paymentNames(record)) paidNames.add(name)
    },
    /** The row of a paid payout is created with its first commission. */
    noteEmptyPayouts() {
      for (const [externalId, { lines, names }] of paidPayouts)
        if (!names.some((name) => paidNames.has(name)))
          addNote(notes, 'PAYOUT', true, emptyPayoutNote(lines), externalId)
    },
  }
}

function addNote(notes: Map<string, Note>, kind: string, isLeftOut: boolean, note: string, externalId: string): void {
  const key = `${kind} ${note}`
  const known = notes.get(key)
  if (known) known.externalIds.push(externalId)
  else notes.set(key, { kind, isLeftOut, note, externalIds: [externalId] })
}
