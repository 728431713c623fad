import type { ApiKeyWords } from '../generated/prisma/enums.ts'
import { invalid, TributaryError } from '../kernel/errors.ts'
import { listedValues } from '../kernel/input/fields.ts'
import { label } from '../kernel/input/parse.ts'
import { fieldAliases, stateAliases, unusedStates } from './convention/table.ts'
import type { Route } from './route.ts'

type Fields = Record<string, unknown>

const fieldName = (wire: string) => wire.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase())

/** The fields of a route that have another name over REST. */
export type Names = {
  renamed: Readonly<Record<string, string>>
  /** The schema's names that REST does not accept. */
  hidden: readonly string[]
  /** States that a filter accepts, but that match nothing. */
  unusedStates?: readonly string[]
  /** Whether the filter `state` knows states that only the convention has, in the field `conventionState`. */
  hasConventionState?: boolean
}

/** The names of a route's fields. A field with another name over REST is not accepted under its schema name. */
export const namesOf = ({
  operation,
  renamed = {},
  hasConventionState = false,
}: Pick<Route, 'operation' | 'renamed' | 'hasConventionState'>): Names => ({
  renamed,
  hidden: [...Object.values(renamed), ...(hasConventionState ? ['conventionState'] : [])],
  unusedStates: unusedStates[operation] ?? [],
  hasConventionState,
})

/** A request's fields under the schema's names. The contract's name of a field wins over its aliases. */
export function readNames(wire: Fields, names: Names, words: ApiKeyWords = 'contract'): Fields {
  const fields: [string, unknown][] = []
  for (const [name, value] of Object.entries(wire)) {
    const field = fieldOf(name, wire, names)
    if (field === null) continue
    fields.push(
      ...(name === 'state' ? readStates(field, value, names, words) : [[field, readItems(value)] as [string, unknown]]),
    )
  }
  return Object.fromEntries(fields)
}

/** The schema's name of a sent field; null if REST lacks it, or it was sent under the contract's name too. */
function fieldOf(name: string, wire: Fields, { renamed, hidden }: Names): string | null {
  if (/[A-Z]/.test(name)) return null
  const contractName = Object.hasOwn(fieldAliases, name) ? fieldAliases[name] : undefined
  if (contractName !== undefined && Object.hasOwn(wire, contractName)) return null
  const own = contractName ?? name
  if (Object.hasOwn(renamed, own)) return renamed[own] as string
  const field = fieldName(own)
  return hidden.includes(field) ? null : field
}

/** Objects in a list have the schema's names of their fields too. */
function readItems(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  const isObject = (item: unknown): item is Fields => typeof item === 'object' && item !== null && !Array.isArray(item)
  const named = (item: Fields) =>
    Object.fromEntries(Object.entries(item).map(([name, inner]) => [fieldName(name), inner]))
  return value.map((item) => (isObject(item) ? named(item) : item))
}

/** The schema's names of a state, or of states to filter by. States that match nothing are left out. */
function readStates(field: string, value: unknown, names: Names, words: ApiKeyWords): [string, unknown][] {
  const { unusedStates: unused = [], hasConventionState } = names
  if (unused.length === 0 && !hasConventionState) return [[field, readState(value)]]
  const given = listedValues(readState(value))
  const states = given.filter((state) => !unused.includes(wordOf(state)))
  if (!hasConventionState) return [[field, states.length < given.length ? states : value]]
  const asked = states.map(wordOf)
  // In the contract's words every open payout is pending, also one that the convention calls due or processing.
  const isOpenState = (state: unknown) => wordOf(state) === 'due' || wordOf(state) === 'processing'
  if (words === 'convention' || (states.some(isOpenState) && !asked.includes('pending')))
    return [['conventionState', states.length < given.length ? states : value]]
  const known = states.filter((state) => !isOpenState(state))
  return [[field, known.length < given.length ? known : value]]
}

const wordOf = (state: unknown): string => (typeof state === 'string' ? state.trim().toLowerCase() : '')

function readState(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(readState)
  if (typeof value !== 'string') return value
  const inContractWords = (state: string) =>
    Object.hasOwn(stateAliases, wordOf(state)) ? stateAliases[wordOf(state)] : state
  return value.split(',').map(inContractWords).join(',')
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
 * A client that reads a resource, changes a field under one of its names and sends everything back means the new value:
 * the contract's name is left out if its value is the current one.
 * @param current the resource as it is
 */
export function withoutRepeated(wire: Fields, current: Fields): Fields {
  const repeated = conflictingNames(wire).filter((name) => isSame(wire[name], current[name]))
  return Object.fromEntries(Object.entries(wire).filter(([name]) => !repeated.includes(name)))
}

/** Rewrites messages with the request's names of fields, and states in the key's words. */
export function withSentNames(error: unknown, wire: Fields, names: Names, words: ApiKeyWords): unknown {
  if (!(error instanceof TributaryError) || error.code !== 'INVALID_INPUT') return error
  const sent = new Map(Object.entries(names.renamed).map(([name, field]) => [field, name]))
  for (const name of Object.keys(wire)) {
    const field = fieldOf(name, wire, names)
    if (field !== null) sent.set(field, name)
  }
  if (names.hasConventionState) sent.set('conventionState', 'state')
  return invalid(
    error.problems.map((problem) => {
      const { field = '', message } = problem
      const name = sent.get(field)
      if (name === undefined) return problem
      const named = message.replace(label(field), label(fieldName(name)))
      return { ...problem, message: name === 'state' && words === 'convention' ? inConventionWords(named) : named }
    }),
  )
}

/** "must be one of: paid, void" lists `voided`. */
const inConventionWords = (message: string): string =>
  Object.entries(stateAliases).reduce(
    (text, [alias, state]) => text.replace(new RegExp(`\\b${state}\\b`), alias),
    message,
  )

/** The names in `expand`, from query and body: one value or several, with or without brackets, also comma-separated. */
export function readExpand(...given: unknown[]): ReadonlySet<string> {
  const texts = given.flat(2).filter((value) => typeof value === 'string')
  return new Set(texts.flatMap((text) => text.split(',')).map((name) => name.trim()))
}
