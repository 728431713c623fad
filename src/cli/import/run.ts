import type { ProgressDisplay } from './progress.ts'
import { lists, readCampaign } from './records.ts'
import type { Source } from './source.ts'
import type { FinalReport, KindProgress, Target } from './target.ts'
import { walkList } from './walk.ts'
import type { SourceList, SourceRecord } from './wire.ts'

export type ImportOptions = {
  programId?: string | undefined
  name?: string | undefined
  restart?: boolean
}

/** Imports a program, list by list. The target saves each page with the progress, so an interrupted run continues. */
export async function importProgram(
  source: Source,
  target: Target,
  display: ProgressDisplay,
  options: ImportOptions,
): Promise<{ program: { id: string; name: string }; report: FinalReport }> {
  const campaigns = await readCampaigns(source)
  const { program, progress } = await target.start({
    ...programInput(source, campaigns, options),
    restart: options.restart,
  })
  const totals = new Map<string, number>()
  for (const sourceList of listsOf(campaigns)) {
    const kind = sourceList.kind.toUpperCase()
    const before = progress.find((one) => one.kind === kind)
    if (before?.isDone) continue
    await walkList(source, display, sourceList, {
      firstPage: before?.nextPage ?? 1,
      waiting: waitingRecords(before),
      onTotal: (totalCount) => totals.set(kind, totalCount),
      send: async (batch) => void (await target.importRecords({ programId: program.id, kind, ...batch })),
    })
  }
  return { program, report: noteMissingRecords(await target.finish(program.id), totals) }
}

/** Adds a note for each kind of which the source counts more records than it showed. */
export const noteMissingRecords = (report: FinalReport, totals: ReadonlyMap<string, number>): FinalReport => ({
  ...report,
  notes: [...missingRecords(report.kinds, totals), ...report.notes],
})

/** @param kinds how many records of each kind were read */
export const missingRecords = (
  kinds: readonly { kind: string; source: number }[],
  totals: ReadonlyMap<string, number>,
): FinalReport['notes'] =>
  kinds.flatMap(({ kind, source }) => {
    const count = (totals.get(kind) ?? source) - source
    const note = 'The source counts these records but did not show them. Run the same command again.'
    return count > 0 ? [{ kind, isLeftOut: true, note, count, externalIds: [] }] : []
  })

const waitingRecords = (progress: KindProgress | undefined): SourceRecord[] =>
  progress ? (JSON.parse(progress.waiting) as SourceRecord[]) : []

/** Reads all campaigns before the import starts: a new program takes its settings from the default one. */
export async function readCampaigns(source: Source): Promise<SourceRecord[]> {
  const campaigns: SourceRecord[] = []
  for (let page = 1; ; page += 1) {
    const found = await source.readPage('campaigns', page)
    if (!found || found.rows.length === 0) return campaigns
    campaigns.push(...found.rows.map(readCampaign))
  }
}

/** The default campaign of the source. If none is marked as the default, the oldest one. */
const defaultOf = (campaigns: readonly SourceRecord[]): SourceRecord | undefined =>
  campaigns.find(({ isDefault }) => isDefault === true || isDefault === 'true') ?? campaigns.at(-1)

/** The lists of the source. Exactly one campaign is the default. */
export const listsOf = (campaigns: readonly SourceRecord[]): SourceList[] =>
  lists.map((list) => ({ ...list, read: (wire) => withDefault(list.read(wire), campaigns) }))

function withDefault(record: SourceRecord, campaigns: readonly SourceRecord[]): SourceRecord {
  if (!('isDefault' in record)) return record
  return { ...record, isDefault: record.externalId === defaultOf(campaigns)?.externalId }
}

/** What the import is found by: see `importTargetInput`. */
export function targetInput(source: Source, campaigns: readonly SourceRecord[], { programId, name }: ImportOptions) {
  // Lists are newest first, and the default campaign is usually the oldest.
  const shown = [...new Set([...campaigns.slice(0, 100), ...campaigns.slice(-100)].map(({ externalId }) => externalId))]
  return {
    programId,
    name,
    isNewProgram: name !== undefined && programId === undefined,
    keyHash: source.keyHash,
    campaignIds: shown.filter(Boolean),
  }
}

function programInput(source: Source, campaigns: readonly SourceRecord[], options: ImportOptions) {
  const campaign = defaultOf(campaigns)
  const { host, origin } = new URL(source.address)
  const target = targetInput(source, campaigns, options)
  return {
    ...target,
    name: target.name ?? host,
    url: typeof campaign?.url === 'string' ? campaign.url : origin,
    currency: typeof campaign?.commissionCurrency === 'string' ? campaign.commissionCurrency : 'usd',
    since: typeof campaign?.createdAt === 'string' ? campaign.createdAt : undefined,
  }
}
