import { createHash } from 'node:crypto'
import type { Wire } from './source.ts'

/**
 * Knows the pages of a list again, by the ids on them: a list whose pages go in a circle has no end. Where rows are added
 * meanwhile pages overlap, but hardly ever by all of their rows.
 */
export function createRepeats() {
  const reads = new Map<string, { page: number; digests: Set<string> }>()
  return {
    /** Whether an earlier page of this reading of the list held the same; a reading goes on as long as pages follow. */
    has(list: string, page: number, rows: readonly Wire[]): boolean {
      if (rows.length === 0) return false
      const last = reads.get(list)
      const digests = last?.page === page - 1 ? last.digests : new Set<string>()
      const ids = JSON.stringify(rows.map((row) => row.id ?? row))
      const digest = createHash('sha256').update(ids).digest('base64')
      const isRepeated = digests.has(digest)
      digests.add(digest)
      reads.set(list, { page, digests })
      return isRepeated
    },
  }
}
