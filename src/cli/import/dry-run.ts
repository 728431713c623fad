import type { ProgressDisplay } from './progress.ts'
import { lists } from './records.ts'
import { type ImportOptions, readCampaigns } from './run.ts'
import type { Source } from './source.ts'
import type { ImportedRecord, Target } from './target.ts'
import { walkList } from './walk.ts'
import type { SourceRecord } from './wire.ts'

type KindCounts = { source: number; created: number; updated: number; unchanged: number; leftOut: number }
type Note = { kind: string; isLeftOut: boolean; note: string; externalIds: string[] }

export type DryRunResult = {
  /** The program that a run would import into; null if it would create one. */
  program: { id: string; name: string } | null
  kinds: Map<string, KindCounts>
  notes: Map<string, Note>
}

/** Reads the whole source and has every record checked by the target, which writes nothing. */
export async function dryRunImport(
  source: Source,
  target: Target,
  display: ProgressDisplay,
  { programId }: ImportOptions,
): Promise<DryRunResult> {
  // A run reads the campaigns first, so a source that fails here fails in the same way.
  await readCampaigns(source)
  const found = await target.find(programId)
  const id = programId ?? found?.program.id
  const tally = createTally()
  for (const sourceList of lists)
    await walkList(source, display, sourceList, {
      send: async ({ records }) => {
        if (records.length === 0) return
        const kind = sourceList.kind.toUpperCase()
        tally.add(records, await target.importRecords({ programId: id, kind, records, dryRun: true }))
      },
    })
  return { program: found?.program ?? null, kinds: tally.kinds, notes: tally.notes }
}

/** The fields that have to be unique, with the message of the server. */
const uniqueFields: Record<string, { field: string; message: string }> = {
  AFFILIATE: { field: 'email', message: 'Email has already been taken' },
  AFFILIATE_LINK: { field: 'token', message: 'Token is already in use.' },
  AFFILIATE_COUPON: { field: 'token', message: 'Token is already in use.' },
}

type Counted = 'CREATED' | 'UPDATED' | 'UNCHANGED' | 'LEFT_OUT'
const counterOf = { CREATED: 'created', UPDATED: 'updated', UNCHANGED: 'unchanged', LEFT_OUT: 'leftOut' } as const

/**
 * Counts the outcomes. The target writes nothing, so it cannot know the records of earlier batches: references to them,
 * and unique fields that they share, are checked here.
 */
function createTally() {
  const kinds = new Map<string, KindCounts>()
  const notes = new Map<string, Note>()
  const importable = new Set<string>()
  const counted = new Set<string>()
  const holders = new Map<string, string>()

  const decide = (record: SourceRecord | undefined, result: ImportedRecord): [Counted, string | null] => {
    const { kind, externalId, message } = result
    const missing = result.missing.filter((one) => !importable.has(`${one.kind} ${one.externalId}`))
    if (result.outcome === 'UNRESOLVED' && missing.length > 0)
      return ['LEFT_OUT', missing.map((one) => `${kindLabel(one.kind)} ${one.externalId} was not imported.`).join(' ')]
    const outcome = result.outcome === 'UNRESOLVED' ? 'CREATED' : result.outcome
    const { field, message: takenMessage = null } = uniqueFields[kind] ?? {}
    const value = field === undefined ? undefined : record?.[field]
    if (outcome !== 'CREATED' || typeof value !== 'string') return [outcome, message]
    const key = `${kind} ${value.trim().toLowerCase()}`
    const holder = holders.get(key)
    if (holder !== undefined && holder !== externalId) return ['LEFT_OUT', takenMessage]
    holders.set(key, externalId)
    return [outcome, message]
  }

  return {
    kinds,
    notes,
    add(records: readonly SourceRecord[], results: readonly ImportedRecord[]) {
      const links = records.flatMap((record) => (Array.isArray(record.links) ? (record.links as SourceRecord[]) : []))
      const recordById = new Map([...records, ...links].map((record) => [record.externalId, record]))
      for (const result of results) {
        const { kind, externalId } = result
        const key = `${kind} ${externalId}`
        // Links are read twice: with their affiliate and in their own list.
        if (counted.has(key)) continue
        counted.add(key)
        const record = recordById.get(externalId)
        const [outcome, message] = decide(record, result)
        const counts = kinds.get(kind) ?? { source: 0, created: 0, updated: 0, unchanged: 0, leftOut: 0 }
        kinds.set(kind, counts)
        counts.source += 1
        counts[counterOf[outcome]] += 1
        if (outcome !== 'LEFT_OUT') importable.add(key)
        if (outcome === 'CREATED' && kind === 'COMMISSION') importable.add(`SALE ${saleKey(record)}`)
        if (message !== null) addNote(notes, kind, outcome === 'LEFT_OUT', message, externalId)
      }
    },
  }
}

/** The id of a commission's sale, as the server names it. */
const saleKey = (record: SourceRecord | undefined) => record?.saleId ?? `sale of ${record?.externalId}`

const kindLabel = (kind: string) => {
  const words = kind.toLowerCase().replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function addNote(notes: Map<string, Note>, kind: string, isLeftOut: boolean, note: string, externalId: string): void {
  const key = `${kind} ${note}`
  const known = notes.get(key)
  if (known) known.externalIds.push(externalId)
  else notes.set(key, { kind, isLeftOut, note, externalIds: [externalId] })
}
