import type { ApiKeyProfile } from '../generated/prisma/enums.ts'
import { invalid, type TributaryError } from '../kernel/errors.ts'
import { label } from '../kernel/input/parse.ts'
import { otherNames, otherWords } from './convention/table.ts'
import type { Route } from './routes.ts'

/** The contract writes `first_name` where the schema says `firstName`. */
export const wireName = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const fieldName = (wire: string) => wire.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase())

/** What a route's fields are called, where that is not their own name in snake_case, and which are called nothing at all. */
export type Names = { renamed: Readonly<Record<string, string>>; hidden: readonly string[] }

/** A field that goes by another name over REST is not known by its name in the schema as well. */
export function namesOf(
  { renamed = {}, inSuperset = {} }: Pick<Route, 'renamed' | 'inSuperset'>,
  profile: ApiKeyProfile,
): Names {
  const hidden = [...Object.values(renamed), ...Object.values(inSuperset)]
  return { renamed: profile === 'superset' ? { ...renamed, ...inSuperset } : renamed, hidden }
}

/** A request's fields under the schema's names. The contract's own name wins where another name is given too. */
export function readNames(wire: Record<string, unknown>, { renamed, hidden }: Names): Record<string, unknown> {
  const fields: [string, unknown][] = []
  for (const [name, value] of Object.entries(wire)) {
    if (/[A-Z]/.test(name)) continue
    const contractName = Object.hasOwn(otherNames, name) ? otherNames[name] : undefined
    if (contractName !== undefined && Object.hasOwn(wire, contractName)) continue
    const own = contractName ?? name
    const field = Object.hasOwn(renamed, own) ? (renamed[own] as string) : fieldName(own)
    if (field !== renamed[own] && hidden.includes(field)) continue
    fields.push([field, name === 'state' ? readState(value) : value])
  }
  return Object.fromEntries(fields)
}

function readState(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(readState)
  const word = typeof value === 'string' ? value.trim().toLowerCase() : ''
  return Object.hasOwn(otherWords, word) ? otherWords[word] : value
}

const isSame = (a: unknown, b: unknown) => String(a ?? '').trim() === String(b ?? '').trim()

/** The contract's fields that a request gives by both names, with two values. */
export const givenTwice = (wire: Record<string, unknown>): [other: string, own: string][] =>
  Object.entries(otherNames).filter(
    ([other, own]) => Object.hasOwn(wire, other) && Object.hasOwn(wire, own) && !isSame(wire[other], wire[own]),
  )

/**
 * A request without what it only repeats: a client that reads a resource, changes a field by one of its names and sends all
 * of it back means the name whose value is new.
 *
 * @param current the resource as it is
 */
export function withoutRepeated(
  wire: Record<string, unknown>,
  current: Record<string, unknown>,
): Record<string, unknown> {
  const repeated = givenTwice(wire).flatMap(([, own]) => (isSame(wire[own], current[own]) ? [own] : []))
  return Object.fromEntries(Object.entries(wire).filter(([name]) => !repeated.includes(name)))
}

/** Problems of fields that go by another name over REST, told by that name. */
export function inRouteWords(error: TributaryError, { renamed }: Names): TributaryError {
  if (error.code !== 'INVALID_INPUT') return error
  const names = new Map(Object.entries(renamed).map(([name, field]) => [field, fieldName(name)]))
  return invalid(
    error.problems.map((problem) => {
      const { field = '', message } = problem
      const name = names.get(field)
      return name ? { ...problem, message: message.replace(label(field), label(name)) } : problem
    }),
  )
}

/** What `expand` asks for, in the query or the body: once or several times, with brackets or without, or with commas. */
export function readExpand(...given: unknown[]): ReadonlySet<string> {
  const texts = given.flat(2).filter((value) => typeof value === 'string')
  return new Set(texts.flatMap((text) => text.split(',')).map((name) => name.trim()))
}
