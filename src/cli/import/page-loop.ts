import { createHash } from 'node:crypto'
import type { Wire } from './wire.ts'

/** Detects a list whose pages repeat, by their ids. Pages overlap when rows are added, but almost never entirely. */
export function createLoopDetector() {
  const reads = new Map<string, { page: number; digests: Set<string> }>()
  return {
    /** Whether the page before had the same rows. Only consecutive pages count: reading a list again is no loop. */
    isRepeated(list: string, page: number, rows: readonly Wire[]): boolean {
      if (rows.length === 0) return false
      const last = reads.get(list)
      const digests = last?.page === page - 1 ? last.digests : new Set<string>()
      const ids = JSON.stringify(rows.map((row) => row.id ?? row))
      const digest = createHash('sha256').update(ids).digest('base64')
      const isKnown = digests.has(digest)
      digests.add(digest)
      reads.set(list, { page, digests })
      return isKnown
    },
  }
}

/** Five million records, a hundred a page. */
const maxPages = 50_000
/** Records can be added while a list is read. */
const isPlausible = (read: number, total: number) => read <= total * 1.1 + 1_000

/** Counts the records of each list, to find a list that does not end: it shows more records than it counts. */
export function createEndDetector() {
  const counts = new Map<string, { page: number; read: number }>()
  return {
    isEndless(list: string, page: number, rows: number, totalCount: number | null): boolean {
      const last = counts.get(list)
      const read = (last?.page === page - 1 ? last.read : 0) + rows
      counts.set(list, { page, read })
      return page > maxPages || (totalCount !== null && !isPlausible(read, totalCount))
    },
  }
}
