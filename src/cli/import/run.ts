import type { ProgressDisplay } from './progress.ts'
import { lists, readCampaign } from './records.ts'
import type { Source } from './source.ts'
import type { FinalReport, KindProgress, Target } from './target.ts'
import { walkList } from './walk.ts'
import type { SourceRecord } from './wire.ts'

export type ImportOptions = { programId?: string | undefined; name?: string | undefined; restart?: boolean }

/**
 * Imports a program, list by list. The target saves each page together with the progress, so an interrupted run
 * continues from there.
 */
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
  for (const sourceList of lists) {
    const kind = sourceList.kind.toUpperCase()
    const before = progress.find((one) => one.kind === kind)
    if (before?.isDone) continue
    const read: typeof sourceList.read = (wire) => withDefault(sourceList.read(wire), campaigns)
    await walkList(
      source,
      display,
      { ...sourceList, read },
      {
        firstPage: before?.nextPage ?? 1,
        waiting: waitingRecords(before),
        onTotal: (totalCount) => totals.set(kind, totalCount),
        send: async (batch) => void (await target.importRecords({ programId: program.id, kind, ...batch })),
      },
    )
  }
  return { program, report: noteMissingRecords(await target.finish(program.id), totals) }
}

/** Adds a note for each kind of which the source counts more records than it showed. */
export const noteMissingRecords = (report: FinalReport, totals: ReadonlyMap<string, number>): FinalReport => ({
  ...report,
  notes: [
    ...report.kinds.flatMap(({ kind, source }) => {
      const count = (totals.get(kind) ?? source) - source
      const note = 'The source counts these records but did not show them. Run the same command again.'
      return count > 0 ? [{ kind, isLeftOut: true, note, count, externalIds: [] }] : []
    }),
    ...report.notes,
  ],
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

function withDefault(record: SourceRecord, campaigns: readonly SourceRecord[]): SourceRecord {
  if (!('isDefault' in record)) return record
  return { ...record, isDefault: record.externalId === defaultOf(campaigns)?.externalId }
}

/** The program to import into, and the settings of a new one. */
function programInput(source: Source, campaigns: readonly SourceRecord[], { programId, name }: ImportOptions) {
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
