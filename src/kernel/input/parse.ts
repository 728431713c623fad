import type { z } from 'zod'
import { invalid, type Problem, type ProblemCode } from '../errors.ts'
import { isBlankText } from '../text.ts'

export type Readable<S extends z.ZodObject> = Partial<z.output<S>>

/**
 * Parses an input field by field, and reports all problems at once. A schema's messages complete a sentence that starts
 * with the field's name: "can't be blank".
 * @param check checks what a schema cannot, such as whether an e-mail is taken. It also runs if fields have problems,
 *   and gets the valid fields and the problems.
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

/** Parses an input field by field. Returns the valid fields, and the problems of the others. */
export function readFields<S extends z.ZodObject>(
  schema: S,
  raw: unknown,
): { readable: Readable<S>; problems: Problem[] } {
  const given = raw !== null && typeof raw === 'object' ? (raw as Record<string, unknown>) : {}
  const readable: Record<string, unknown> = {}
  const problems: Problem[] = []
  for (const [field, fieldSchema] of Object.entries(schema.shape as Record<string, z.ZodType>)) {
    const result = fieldSchema.safeParse(given[field])
    if (!result.success) problems.push(problemOf(field, given[field], result.error.issues[0]))
    else if (result.data !== undefined) readable[field] = result.data
  }
  return { readable: readable as Readable<S>, problems }
}

/** For `params` of a refinement, whose issue says no more. */
export const saysCode = (code: ProblemCode) => ({ code })

function problemOf(field: string, value: unknown, issue: z.core.$ZodIssue | undefined): Problem {
  const found = problem(field, issue?.message ?? 'is not valid')
  if (!issue || issue.path.length > 0) return found
  if (issue.code === 'custom') return withCode(found, issue.params?.code as ProblemCode | undefined)
  if (issue.code === 'invalid_value') return withCode(found, 'not_an_option')
  if (issue.code === 'too_big' && issue.origin === 'string') return withCode(found, 'too_long', Number(issue.maximum))
  const isMissing = value === undefined || value === null || (typeof value === 'string' && isBlankText(value))
  return issue.code === 'invalid_type' && isMissing ? withCode(found, 'blank') : found
}

/** A problem with its code. @param limit what the code refers to */
export const withCode = (found: Problem, code: ProblemCode | undefined, limit?: string | number): Problem =>
  code === undefined ? found : { ...found, code, ...(limit !== undefined && { limit }) }

/** Checks that at least one of the fields is given, and reports `missing` if not. An invalid field counts as given. */
export const needsOneOf =
  (fields: readonly string[], missing: Problem) =>
  (readable: Record<string, unknown>, problems: readonly Problem[]): Problem[] =>
    fields.some((name) => readable[name] !== undefined || problems.some(({ field }) => field === name)) ? [] : [missing]

/** A problem with one field: `problem('email', 'has already been taken')` becomes "Email has already been taken". */
export const problem = (field: string, predicate: string, code?: ProblemCode, limit?: string | number): Problem =>
  withCode({ field, message: `${label(field)} ${predicate}` }, code, limit)

/** "firstName" becomes "First name", and "campaignId" becomes "Campaign". "externalId" stays "External id". */
export function label(field: string): string {
  const words = field.replace(/([A-Z])/g, ' $1').toLowerCase()
  const noun = words.replace(/(?<!external|tax|vat) id$/, '')
  return noun.charAt(0).toUpperCase() + noun.slice(1)
}
