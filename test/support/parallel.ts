import { inject } from 'vitest'

export const isPostgres = inject('databases').postgres !== undefined
export const needsPostgres =
  'needs PostgreSQL (TEST_DATABASE_URL): the embedded database has one connection, which hides every race'

/** Starts all calls at once. */
export const times = <T>(count: number, run: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => run(index)))

/** Makes `count` calls, at most `width` of them at a time. */
export async function stream<T>(count: number, width: number, run: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = []
  let next = 0
  await times(Math.min(width, count), async () => {
    while (next < count) {
      const index = next
      next += 1
      results[index] = await run(index)
    }
  })
  return results
}

export function countBy(values: (string | number)[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  return counts
}
