import type { z } from 'zod'
import { invalid, type Problem } from '../errors.ts'
import { type Readable, readFields } from './parse.ts'

/** One of several inputs of a kind: what could be read of it, all of it where it has no problems. */
export type Entry<S extends z.ZodObject> = { input: z.output<S>; problems: Problem[] }

/**
 * Reads several inputs of a kind, as `parseInput` reads one: every problem of every one.
 *
 * @param check what a schema can not see, for all at once, so that it can be asked of the database at once; it answers
 *   the problems of each
 */
export async function readEntries<S extends z.ZodObject>(
  schema: S,
  raws: readonly unknown[],
  check: (readable: Readable<S>[]) => Promise<Problem[][]>,
): Promise<Entry<S>[]> {
  const read = raws.map((raw) => readFields(schema, raw))
  const found = await check(read.map(({ readable }) => readable))
  return read.map(({ readable, problems }, index) => ({
    input: readable as z.output<S>,
    problems: [...problems, ...(found[index] ?? [])],
  }))
}

/** Says of a problem which entry it is of. */
export type Place = (problem: Problem, index: number) => Problem

/** The place in the list that the input calls `list`; without one, the entry is the input itself. */
export const placeIn =
  (list?: string): Place =>
  (problem, index) =>
    list === undefined
      ? problem
      : { ...problem, path: [list, index, ...(problem.path ?? (problem.field ? [problem.field] : []))] }

/** The inputs, if none has a problem. @throws INVALID_INPUT with every problem of every entry */
export function allOrNone<S extends z.ZodObject>(entries: Entry<S>[], place: Place): z.output<S>[] {
  const problems = entries.flatMap((entry, index) => entry.problems.map((problem) => place(problem, index)))
  if (problems.length > 0) throw invalid(problems)
  return entries.map(({ input }) => input)
}

/** Which of these were there before in the list; what is absent never was. */
export function repeated(keys: readonly (string | undefined)[]): boolean[] {
  const seen = new Set<string>()
  return keys.map((key) => {
    if (key === undefined) return false
    const isRepeated = seen.has(key)
    seen.add(key)
    return isRepeated
  })
}
