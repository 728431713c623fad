import type { Show } from './progress.ts'
import { lists, type SourceRecord } from './records.ts'
import { type ImportOptions, parts, readCampaigns } from './run.ts'
import type { Source } from './source.ts'
import type { TakenRecord, Target } from './target.ts'

type Kind = { source: number; created: number; updated: number; unchanged: number; leftOut: number }
export type Rehearsed = {
  /** The program that a run would go into; null where it would make one. */
  program: { id: string; name: string } | null
  kinds: Map<string, Kind>
  notes: Map<string, { kind: string; isLeftOut: boolean; note: string; externalIds: string[] }>
}

/**
 * A dry run: reads all of the source and has every record looked at, and nothing is written. What a record names may be
 * of a page before it, so the ids that were read are kept for as long as it runs.
 */
export async function rehearseImport(
  source: Source,
  target: Target,
  show: Show,
  { programId }: ImportOptions,
): Promise<Rehearsed> {
  // What a run would stumble over at once is told at once.
  await readCampaigns(source)
  const found = await target.find(programId)
  const id = programId ?? found?.program.id
  const memory = createMemory()
  for (const { list, kind, read } of lists) {
    show.begin(list)
    const waiting: SourceRecord[] = []
    const look = async (records: readonly SourceRecord[]) => {
      for (const { records: part } of parts(records)) {
        if (part.length === 0) continue
        const told = await target.take({ programId: id, kind: kind.toUpperCase(), records: part, dryRun: true })
        memory.take(part, told)
      }
    }
    for (let page = 1; ; page += 1) {
      const answer = await source.readPage(list, page)
      if (!answer || answer.rows.length === 0) break
      const records = answer.rows.map(read)
      waiting.push(...records.filter((record) => kind === 'commission' && Number(record.amountCents) < 0))
      await look(records.filter((record) => !waiting.includes(record)))
      show.move(answer.rows.length, page, answer.totalCount)
    }
    await look(waiting)
    show.end()
  }
  return { program: found?.program ?? null, kinds: memory.kinds, notes: memory.notes }
}

const unique: Record<string, { field: string; message: string }> = {
  AFFILIATE: { field: 'email', message: 'Email has already been taken' },
  AFFILIATE_LINK: { field: 'token', message: 'Token is already in use.' },
  AFFILIATE_COUPON: { field: 'token', message: 'Token is already in use.' },
}

/** What was read so far, to know what later records name, and what they have twice. */
function createMemory() {
  const kinds = new Map<string, Kind>()
  const notes: Rehearsed['notes'] = new Map()
  const here = new Set<string>()
  const told = new Set<string>()
  const taken = new Map<string, string>()

  const judge = (record: SourceRecord | undefined, answer: TakenRecord): [TakenRecord['outcome'], string | null] => {
    const { kind, externalId, message } = answer
    const missing = answer.missing.filter((one) => !here.has(`${one.kind} ${one.externalId}`))
    if (answer.outcome === 'UNRESOLVED' && missing.length > 0)
      return ['LEFT_OUT', missing.map((one) => `${worded(one.kind)} ${one.externalId} was not imported.`).join(' ')]
    const outcome = answer.outcome === 'UNRESOLVED' ? 'CREATED' : answer.outcome
    const { field, message: sentence } = unique[kind] ?? {}
    const value = field === undefined ? undefined : record?.[field]
    if (outcome !== 'CREATED' || typeof value !== 'string') return [outcome, message]
    const key = `${kind} ${value.trim().toLowerCase()}`
    const holder = taken.get(key)
    if (holder !== undefined && holder !== externalId) return ['LEFT_OUT', sentence ?? null]
    taken.set(key, externalId)
    return [outcome, message]
  }

  return {
    kinds,
    notes,
    take(records: readonly SourceRecord[], answers: readonly TakenRecord[]) {
      const inside = records.flatMap(({ links }) => (Array.isArray(links) ? (links as SourceRecord[]) : []))
      const byId = new Map([...records, ...inside].map((record) => [record.externalId, record]))
      for (const answer of answers) {
        const { kind, externalId } = answer
        const key = `${kind} ${externalId}`
        if (told.has(key)) continue
        told.add(key)
        const [outcome, message] = judge(byId.get(externalId), answer)
        const counts = kinds.get(kind) ?? { source: 0, created: 0, updated: 0, unchanged: 0, leftOut: 0 }
        kinds.set(kind, counts)
        counts.source += 1
        counts[counterOf[outcome]] += 1
        if (outcome !== 'LEFT_OUT') here.add(key)
        if (outcome === 'CREATED' && kind === 'COMMISSION') here.add(`SALE ${saleKeyOf(byId.get(externalId))}`)
        if (message !== null) addNote(notes, kind, outcome === 'LEFT_OUT', message, externalId)
      }
    },
  }
}

const counterOf = { CREATED: 'created', UPDATED: 'updated', UNCHANGED: 'unchanged', LEFT_OUT: 'leftOut' } as Record<
  TakenRecord['outcome'],
  'created' | 'updated' | 'unchanged' | 'leftOut'
>

const saleKeyOf = (record: SourceRecord | undefined) => record?.saleId ?? `sale of ${record?.externalId}`

const worded = (kind: string) => {
  const words = kind.toLowerCase().replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function addNote(notes: Rehearsed['notes'], kind: string, isLeftOut: boolean, note: string, externalId: string): void {
  const key = `${kind} ${note}`
  const known = notes.get(key)
  if (known) known.externalIds.push(externalId)
  else notes.set(key, { kind, isLeftOut, note, externalIds: [externalId] })
}
