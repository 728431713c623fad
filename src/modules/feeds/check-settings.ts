import type { FeedKind } from '../../generated/prisma/enums.ts'
import { type Problem, refused } from '../../kernel/errors.ts'
import { problem } from '../../kernel/input/parse.ts'
import { kinds } from './kinds/all.ts'
import { problemOfMapping } from './kinds/generic/evaluate.ts'
import { BudgetUsed } from './kinds/generic/stopped.ts'

/** The settings that only generic feeds have. */
const ofGeneric = [
  'mapping',
  'preset',
  'signatureHeader',
  'signatureEncoding',
  'signaturePrefix',
  'signatureAlgorithm',
  'signatureContent',
  'bodyFormat',
] as const

type Readable = { kind?: FeedKind; secret?: string | undefined } & Partial<Record<(typeof ofGeneric)[number], unknown>>

/** What is wrong with the settings of a feed, beside their form. @throws REFUSED if there is no computing time left */
export async function problemsOfFeed(programId: string, input: Readable): Promise<Problem[]> {
  const { kind, secret, mapping, signatureHeader } = input
  const problems: Problem[] = []
  if (kind && kinds[kind].isMapped) problems.push(...(await problemsOfMapping(programId, mapping)))
  else {
    const given = ofGeneric.filter((name) => input[name] !== undefined && input[name] !== null)
    for (const name of given) problems.push(problem(name, 'is only for feeds of the kind GENERIC'))
  }
  if (typeof signatureHeader === 'string' && !/^[\w-]+$/.test(signatureHeader))
    problems.push(problem('signatureHeader', 'must be the name of a header, such as X-Shopify-Hmac-Sha256'))
  const form = kind && kinds[kind].secretForm
  if (form && secret !== undefined && !form.pattern.test(secret)) problems.push(problem('secret', form.problem))
  return problems
}

async function problemsOfMapping(programId: string, mapping: unknown): Promise<Problem[]> {
  if (typeof mapping !== 'string') return []
  const found = await withBudget(() => problemOfMapping(programId, mapping))
  return found ? [problem('mapping', `cannot be used. ${found}`)] : []
}

/** @throws REFUSED if the program has used its computing time */
export const withBudget = <T>(evaluate: () => Promise<T>): Promise<T> =>
  evaluate().catch((error) => {
    if (error instanceof BudgetUsed) throw refused(`${error.message} Try again in a minute.`)
    throw error
  })
