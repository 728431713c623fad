/** A slow way that does the same as the fast one beside it. */
export type SlowPath = 'read by Prisma' | 'rows not written as JSON'

const counts: Record<SlowPath, number> = { 'read by Prisma': 0, 'rows not written as JSON': 0 }

/** Counts what took a slow way although there is a fast one, so that no upgrade of a package slows down unnoticed. */
export const noteSlow = (path: SlowPath): void => {
  counts[path] += 1
}

export const slowPaths = (): Readonly<Record<SlowPath, number>> => counts
