import type { z } from 'zod'
import { invalid, type Problem } from '../errors.ts'

/** What of an input could be read, where the whole may have problems. */
export type Readable<S extends z.ZodObject> = Partial<z.output<S>>

/**
 * Reads an input with its schema, field by field, so that every problem is told at once. What a field's schema says is
 * the end of a sentence whose beginning is the field's name ("can't be blank").
 *
 * @param check what a schema can not see (that an e-mail is taken); it is asked even when fields have problems, and
 *   given those that have none, and the problems of the others
 * @throws INVALID_INPUT with every problem
 */
export async function parseInput<S extends z.ZodObject>(
  schema: S,
  raw: unknown,
  check: (readable: Readable<S>, problems: readonly Problem[]) => Problem[] | Promise<Problem[]> = () => [],
): Promise<z.output<S>> {
  const { readable, problems } = readFields(schema, raw)
  problems.push(...(await check(readable, problems)))
  if (problems.length > 0) throw invalid(problems)
  return readable as z.output<S>
}

/** What of an input can be read, field by field, and what is wrong with the others. */
export function readFields<S extends z.ZodObject>(
  schema: S,
  raw: unknown,
): { readable: Readable<S>; problems: Problem[] } {
  const given = raw !== null && typeof raw === 'object' ? (raw as Record<string, unknown>) : {}
  const readable: Record<string, unknown> = {}
  const problems: Problem[] = []
  for (const [field, fieldSchema] of Object.entries(schema.shape as Record<string, z.ZodType>)) {
    const result = fieldSchema.safeParse(given[field])
    if (!result.success) problems.push(problem(field, result.error.issues[0]?.message ?? 'is not valid'))
    else if (result.data !== undefined) readable[field] = result.data
  }
  return { readable: readable as Readable<S>, problems }
}

/**
 * A check that at least one of the fields is given, which `missing` says otherwise. A field that can't be read was given
 * all the same: to call it missing would mislead.
 */
export const needsOneOf =
  (fields: readonly string[], missing: Problem) =>
  (readable: Record<string, unknown>, problems: readonly Problem[]): Problem[] =>
    fields.some((name) => readable[name] !== undefined || problems.some(({ field }) => field === name)) ? [] : [missing]

/** A problem with one field: `problem('email', 'has already been taken')` reads "Email has already been taken". */
export const problem = (field: string, predicate: string): Problem => ({
  field,
  message: `${label(field)} ${predicate}`,
})

/** "firstName" reads "First name", "campaignId" reads "Campaign"; an external id is no resource of ours, and stays one. */
export function label(field: string): string {
  const words = field.replace(/([A-Z])/g, ' $1').toLowerCase()
  const noun = words.replace(/(?<!external) id$/, '')
  return noun.charAt(0).toUpperCase() + noun.slice(1)
}
