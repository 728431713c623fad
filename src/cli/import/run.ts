import type { Show } from './progress.ts'
import { lists, type SourceRecord } from './records.ts'
import type { Source } from './source.ts'
import type { FinalReport, KindProgress, Target } from './target.ts'

export type ImportOptions = { programId?: string | undefined; name?: string | undefined; restart?: boolean }

/**
 * Brings a program over: each list of the source page after page, until a page is empty. Lists are newest first, so that
 * what is new there meanwhile moves rows to later pages, and none is passed over. Each page is kept together with how far
 * it has come, so that a run that is broken off goes on from there.
 */
export async function importProgram(
  source: Source,
  target: Target,
  show: Show,
  options: ImportOptions,
): Promise<{ program: { id: string; name: string }; report: FinalReport }> {
  const campaigns = await readCampaigns(source)
  const { program, progress } = await target.start({ ...startOf(source, campaigns, options), restart: options.restart })
  const totals = new Map<string, number>()
  for (const { list, kind, read } of lists) {
    const at = progress.find((one) => one.kind === kind.toUpperCase())
    if (at?.isDone) continue
    const waiting = waitingIn(at)
    show.begin(list)
    for (let page = at?.nextPage ?? 1; ; page += 1) {
      const found = await source.readPage(list, page)
      // What is new there later may be missed; what was there when the list was begun may not, be its first page empty.
      if (page === 1 && found && found.totalCount !== null) totals.set(kind.toUpperCase(), found.totalCount)
      if (!found || found.rows.length === 0) break
      const records = found.rows.map(read).map((record) => withDefault(record, campaigns))
      // What takes back from a paid commission is newer than it, and so comes before it.
      const [debts, others] = apart(records, (record) => kind === 'commission' && Number(record.amountCents) < 0)
      waiting.push(...debts)
      for (const { records: part, isLast } of parts(others)) {
        const step = isLast ? { nextPage: page + 1, waiting: debts } : {}
        await target.take({ programId: program.id, kind: kind.toUpperCase(), records: part, ...step })
      }
      show.move(found.rows.length, page, found.totalCount)
    }
    for (const { records, isLast } of parts(waiting))
      await target.take({ programId: program.id, kind: kind.toUpperCase(), records, isLast })
    show.end()
  }
  return { program, report: withMissed(await target.finish(program.id), totals) }
}

/** The report, with what the source said that it has and did not show. */
export const withMissed = (report: FinalReport, totals: ReadonlyMap<string, number>): FinalReport => ({
  ...report,
  notes: [
    ...report.kinds.flatMap(({ kind, source }) => {
      const missed = (totals.get(kind) ?? source) - source
      const note = 'Not shown, though the source counts them. Run the same command again.'
      return missed > 0 ? [{ kind, isLeftOut: true, note, count: missed, externalIds: [] }] : []
    }),
    ...report.notes,
  ],
})

const waitingIn = (progress: KindProgress | undefined): SourceRecord[] =>
  progress ? (JSON.parse(progress.waiting) as SourceRecord[]) : []

/** All campaigns: there are few, and the program is made after the default one. */
export async function readCampaigns(source: Source): Promise<SourceRecord[]> {
  const read = lists[0]?.read as (wire: Record<string, unknown>) => SourceRecord
  const campaigns: SourceRecord[] = []
  for (let page = 1; ; page += 1) {
    const found = await source.readPage('campaigns', page)
    if (!found || found.rows.length === 0) return campaigns
    campaigns.push(...found.rows.map(read))
  }
}

/** The default campaign of the source; where it does not say which it is, the oldest. */
const defaultOf = (campaigns: readonly SourceRecord[]): SourceRecord | undefined =>
  campaigns.find(({ isDefault }) => isDefault === true || isDefault === 'true') ?? campaigns.at(-1)

function withDefault(record: SourceRecord, campaigns: readonly SourceRecord[]): SourceRecord {
  if (!('isDefault' in record)) return record
  return { ...record, isDefault: record.externalId === defaultOf(campaigns)?.externalId }
}

/** What a program that has to be made is like. */
export function startOf(source: Source, campaigns: readonly SourceRecord[], { programId, name }: ImportOptions) {
  const campaign = defaultOf(campaigns)
  const { host, origin } = new URL(source.address)
  return {
    programId,
    name: name ?? host,
    url: typeof campaign?.url === 'string' ? campaign.url : origin,
    currency: typeof campaign?.commissionCurrency === 'string' ? campaign.commissionCurrency : 'usd',
    since: typeof campaign?.createdAt === 'string' ? campaign.createdAt : undefined,
    campaignId: campaign?.externalId,
  }
}

function apart<T>(values: readonly T[], isFirst: (value: T) => boolean): [T[], T[]] {
  return [values.filter(isFirst), values.filter((value) => !isFirst(value))]
}

/** A request's body holds one MiB, of which other fields take little. */
const mostCharacters = 600_000
const mostAtOnce = 100

/** Records in parts that a request can hold; one part at least. */
export function parts(records: readonly SourceRecord[]): { records: SourceRecord[]; isLast: boolean }[] {
  const all: SourceRecord[][] = [[]]
  let characters = 0
  for (const record of records) {
    const size = JSON.stringify(record).length
    const last = all.at(-1) as SourceRecord[]
    if (last.length > 0 && (last.length === mostAtOnce || characters + size > mostCharacters)) {
      all.push([record])
      characters = size
    } else {
      last.push(record)
      characters += size
    }
  }
  return all.map((part, index) => ({ records: part, isLast: index === all.length - 1 }))
}
