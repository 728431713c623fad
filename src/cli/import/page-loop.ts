import { createHash } from 'node:crypto'
import type { Wire } from './wire.ts'

/** So many pages in a row without a new record are a loop. Rows that are added meanwhile can fill one page. */
const mostKnownPages = 3

type Read = { page: number; digests: Set<string>; ids: Set<string>; knownPages: number }

/** Detects a list whose pages repeat, by their ids. Pages overlap when rows are added, but almost never entirely. */
export function createLoopDetector() {
  const reads = new Map<string, Read>()
  return {
    /**
     * Whether an earlier page had the same rows, or the last pages have had no new one. Only consecutive pages count:
     * reading a list again is no loop.
     */
    isRepeated(list: string, page: number, rows: readonly Wire[]): boolean {
      if (rows.length === 0) return false
      const last = reads.get(list)
      const isNext = last?.page === page - 1
      const read: Read = isNext ? last : { page, digests: new Set(), ids: new Set(), knownPages: 0 }
      const ids = rows.map((row) => digestOf(row.id ?? row))
      const digest = digestOf(ids)
      const isKnown = read.digests.has(digest)
      const hasNew = ids.some((id) => !read.ids.has(id))
      for (const id of ids) read.ids.add(id)
      read.digests.add(digest)
      read.knownPages = hasNew ? 0 : read.knownPages + 1
      read.page = page
      reads.set(list, read)
      return isKnown || read.knownPages >= mostKnownPages
    },
  }
}

const digestOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64').slice(0, 16)

/** Five million records, a hundred a page. */
const maxPages = 50_000
/** A million records, of a server that does not say how many there are. */
const maxUncountedPages = 10_000
/** Records can be added while a list is read. */
const isPlausible = (read: number, total: number) => read <= total * 1.1 + 1_000

/** What a page says about its list: null if it does not. */
export type Totals = { totalCount: number | null; totalPages: number | null }

/** Counts the records of each list, to find a list that does not end: it shows more than its first page announced. */
export function createEndDetector() {
  const counts = new Map<string, { page: number; read: number; first: Totals }>()
  return {
    /** @returns what the list announced, if it does not end; else null */
    findEndless(list: string, page: number, rows: number, totals: Totals): Totals | null {
      const last = counts.get(list)
      const before = last?.page === page - 1 ? last : { read: 0, first: totals }
      const { first } = before
      const read = before.read + rows
      counts.set(list, { page, read, first })
      const { totalCount, totalPages } = first
      const isCounted = totalCount !== null || totalPages !== null
      const isBeyond =
        page > (isCounted ? maxPages : maxUncountedPages) ||
        (totalCount !== null && !isPlausible(read, totalCount)) ||
        (totalPages !== null && rows > 0 && page > totalPages * 1.1 + 10)
      return isBeyond ? first : null
    },
  }
}
