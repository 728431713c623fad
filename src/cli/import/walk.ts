import type { ProgressDisplay } from './progress.ts'
import type { Source } from './source.ts'
import type { SourceList, SourceRecord } from './wire.ts'

/** Records for one request. The last batch of a page says where to continue; the last batch of a list ends it. */
export type WalkedBatch = { records: SourceRecord[]; nextPage?: number; waiting?: SourceRecord[]; isLast?: boolean }

type Walk = {
  send: (batch: WalkedBatch) => Promise<void>
  firstPage?: number
  waiting?: readonly SourceRecord[]
  /** Receives the number of records, if the source shows it on the first page. */
  onTotal?: (totalCount: number) => void
}

/** Reads a list until a page is empty. Lists are newest first: rows added meanwhile move others to later pages. */
export async function walkList(
  source: Source,
  display: ProgressDisplay,
  { list, kind, read }: SourceList,
  { send, firstPage = 1, waiting = [], onTotal }: Walk,
): Promise<void> {
  // A negative commission deducts from an older one, which comes later in the list.
  const isPostponed = (record: SourceRecord) => kind === 'commission' && Number(record.amountCents) < 0
  const postponed = [...waiting]
  display.begin(list)
  for (let page = firstPage; ; page += 1) {
    const found = await source.readPage(list, page)
    if (page === 1 && typeof found?.totalCount === 'number') onTotal?.(found.totalCount)
    if (!found || found.rows.length === 0) break
    const records = found.rows.map(read)
    const later = records.filter(isPostponed)
    postponed.push(...later)
    for (const { records: batch, isLast } of batchesOf(records.filter((record) => !isPostponed(record))))
      await send({ records: batch, ...(isLast && { nextPage: page + 1, waiting: later }) })
    display.advance(found.rows.length, found.totalCount)
  }
  for (const batch of batchesOf(postponed)) await send(batch)
  display.end()
}

/** A request body may have one MiB, of which the other fields need little. */
const maxBytes = 600_000
const maxRecords = 100

/** Splits records into batches that fit into a request. There is always at least one, which may be empty. */
function batchesOf(records: readonly SourceRecord[]): { records: SourceRecord[]; isLast: boolean }[] {
  let current: SourceRecord[] = []
  const batches = [current]
  let bytes = 0
  for (const record of records) {
    const size = Buffer.byteLength(JSON.stringify(record))
    if (current.length > 0 && (current.length === maxRecords || bytes + size > maxBytes)) {
      current = []
      batches.push(current)
      bytes = 0
    }
    current.push(record)
    bytes += size
  }
  return batches.map((batch, index) => ({ records: batch, isLast: index === batches.length - 1 }))
}
