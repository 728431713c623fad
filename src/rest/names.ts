import type { ApiKeyProfile } from '../generated/prisma/enums.ts'
import { invalid, type TributaryError } from '../kernel/errors.ts'
import { label } from '../kernel/input/parse.ts'
import { fieldAliases, stateAliases, unusedStates } from './convention/table.ts'
import type { Route } from './route.ts'

type Fields = Record<string, unknown>

/** The contract writes `first_name` for the schema's `firstName`. */
export const wireName = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const fieldName = (wire: string) => wire.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase())

/** The fields of a route that have another name over REST. */
export type Names = {
  renamed: Readonly<Record<string, string>>
  /** The schema's names that REST does not accept. */
  hidden: readonly string[]
  /** States that a filter accepts, but that match nothing. */
  unusedStates?: readonly string[]
}

/** The names of a route's fields. A field with another name over REST is not accepted under its schema name. */
export function namesOf(
  { operation, renamed = {}, inSuperset = {} }: Pick<Route, 'operation' | 'renamed' | 'inSuperset'>,
  profile: ApiKeyProfile,
): Names {
  const hidden = [...Object.values(renamed), ...Object.values(inSuperset)]
  if (profile === 'contract') return { renamed, hidden }
  return { renamed: { ...renamed, ...inSuperset }, hidden, unusedStates: unusedStates[operation] ?? [] }
}

/** A request's fields under the schema's names. The contract's name of a field wins over its aliases. */
export function readNames(wire: Fields, { renamed, hidden, unusedStates: unused = [] }: Names): Fields {
  const fields: [string, unknown][] = []
  for (const [name, value] of Object.entries(wire)) {
    if (/[A-Z]/.test(name)) continue
    const contractName = Object.hasOwn(fieldAliases, name) ? fieldAliases[name] : undefined
    if (contractName !== undefined && Object.hasOwn(wire, contractName)) continue
    const own = contractName ?? name
    const field = Object.hasOwn(renamed, own) ? (renamed[own] as string) : fieldName(own)
    if (field !== renamed[own] && hidden.includes(field)) continue
    fields.push([field, name === 'state' ? withoutUnused(readState(value), unused) : value])
  }
  return Object.fromEntries(fields)
}

function readState(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(readState)
  const state = typeof value === 'string' ? value.trim().toLowerCase() : ''
  return Object.hasOwn(stateAliases, state) ? stateAliases[state] : value
}

/** The states without those that match nothing. If no other was given, the result is the empty list, which matches nothing. */
function withoutUnused(value: unknown, unused: readonly string[]): unknown {
  const isUnused = (state: unknown) => typeof state === 'string' && unused.includes(state.trim().toLowerCase())
  const given = [value].flat()
  if (!given.some(isUnused)) return value
  return given.filter((state) => !isUnused(state) && state !== '')
}

const isSame = (a: unknown, b: unknown) => String(a ?? '').trim() === String(b ?? '').trim()

/** The contract's names of fields that a request sends under an alias too, with another value. */
const conflictingNames = (wire: Fields): string[] =>
  Object.entries(fieldAliases).flatMap(([alias, name]) =>
    Object.hasOwn(wire, alias) && Object.hasOwn(wire, name) && !isSame(wire[alias], wire[name]) ? [name] : [],
  )

/** Whether a request sends a field under two names, with different values. */
export const hasConflictingAliases = (wire: Fields): boolean => conflictingNames(wire).length > 0

/**
 * Resolves conflicting aliases of a PUT. A client that reads a resource, changes a field under one of its names and sends
 * everything back means the new value. So the contract's name is left out if its value is the current one.
 *
 * @param current the resource as it is
 */
export function withoutRepeated(wire: Fields, current: Fields): Fields {
  const repeated = conflictingNames(wire).filter((name) => isSame(wire[name], current[name]))
  return Object.fromEntries(Object.entries(wire).filter(([name]) => !repeated.includes(name)))
}

/** Rewrites the messages of problems so that they use the route's names of fields. */
export function withRouteNames(error: TributaryError, { renamed }: Names): TributaryError {
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

/** The names in `expand`, from query and body: one value or several, with or without brackets, also comma-separated. */
export function readExpand(...given: unknown[]): ReadonlySet<string> {
  const texts = given.flat(2).filter((value) => typeof value === 'string')
  return new Set(texts.flatMap((text) => text.split(',')).map((name) => name.trim()))
}
