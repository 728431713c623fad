import { createHash } from 'node:crypto'
import type { Wire } from './wire.ts'

/**
 * Detects a list whose pages repeat, by the ids on each page. Such a list would never end. Pages overlap when rows are
 * added in between, but almost never in all of their rows.
 */
export function createLoopDetector() {
  const reads = new Map<string, { page: number; digests: Set<string> }>()
  return {
    /** Whether an earlier page had the same rows. Only consecutive pages count: reading the list again is not a loop. */
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
