import type { z } from 'zod'
import { invalid, type Problem } from '../errors.ts'
import { inSlices } from '../slices.ts'
import { type Readable, readFields } from './parse.ts'

/** One of several inputs. `input` is complete if there are no problems; otherwise it has the valid fields only. */
export type Entry<S extends z.ZodObject> = { input: z.output<S>; problems: Problem[] }

/** Parses inputs, with every problem of each. @param check returns what the database shows, for each input */
export async function readEntries<S extends z.ZodObject>(
  schema: S,
  raws: readonly unknown[],
  check: (readable: Readable<S>[]) => Promise<Problem[][]>,
): Promise<Entry<S>[]> {
  const read = await inSlices(raws, (slice) => slice.map((raw) => readFields(schema, raw)))
  const checked = await check(read.map(({ readable }) => readable))
  return read.map(({ readable, problems }, index) => ({
    input: readable as z.output<S>,
    problems: [...problems, ...(checked[index] ?? [])],
  }))
}

export type Place = (problem: Problem, index: number) => Problem

/** The problem of an input that is within another one, with its path in the whole. @param place of the inner input */
export const placedAt = (place: readonly (string | number)[], problem: Problem): Problem => ({
  ...problem,
  path: [...place, ...(problem.path ?? (problem.field ? [problem.field] : []))],
})

/** Positions in the input's field `list`. Without `list`, the entry is the input itself. */
export const placeIn =
  (list?: string): Place =>
  (problem, index) =>
    list === undefined ? problem : placedAt([list, index], problem)

/** Returns the inputs if none has a problem. @throws INVALID_INPUT with every problem of every entry */
export function allOrNone<S extends z.ZodObject>(entries: Entry<S>[], place: Place): z.output<S>[] {
  const problems = entries.flatMap((entry, index) => entry.problems.map((problem) => place(problem, index)))
  if (problems.length > 0) throw invalid(problems)
  return entries.map(({ input }) => input)
}

/** Returns for each key whether it occurs earlier in the list. Undefined keys never count as repeated. */
export function repeated(keys: readonly (string | undefined)[]): boolean[] {
  const seen = new Set<string>()
  return keys.map((key) => {
    if (key === undefined) return false
    const isRepeated = seen.has(key)
    seen.add(key)
    return isRepeated
  })
}
