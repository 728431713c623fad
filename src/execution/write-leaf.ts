import { type GraphQLLeafType, isEnumType } from 'graphql'
import { instantText } from '../kernel/instants.ts'
import { isPromise } from './promise.ts'

/** A value has to be awaited or loaded. It will have to be in other rows too. */
export class NotAtHand extends Error {}

/** Writes the values of a type. */
export function leafWriter(type: GraphQLLeafType, serialize: (value: unknown) => unknown): (value: unknown) => string {
  const general = (value: unknown): string => {
    if (value instanceof Error || isPromise(value)) throw new NotAtHand()
    const serialized = serialize(value)
    if (serialized === null || serialized === undefined) throw new Error('A value has no serialized form.')
    return JSON.stringify(serialized)
  }
  if (isEnumType(type)) {
    const texts = new Map(type.getValues().map(({ value }) => [value as unknown, general(value)]))
    return (value) => texts.get(value) ?? general(value)
  }
  switch (type.name) {
    case 'ID':
    case 'String':
    case 'EmailAddress':
    case 'URL':
    case 'Currency':
      return (value) => (typeof value === 'string' ? quoted(value) : general(value))
    case 'Int':
      return (value) => (typeof value === 'number' && (value | 0) === value ? `${value}` : general(value))
    case 'SafeInt':
      return (value) => (typeof value === 'bigint' && isSafe(value) ? `${value}` : general(value))
    case 'Boolean':
      return (value) => (typeof value === 'boolean' ? `${value}` : general(value))
    case 'DateTime':
      return (value) =>
        value instanceof Date && !Number.isNaN(value.getTime()) ? `"${instantText(value)}"` : general(value)
    default:
      return general
  }
}

const isSafe = (value: bigint) => value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER

/** What JSON escapes: quotes, control characters, and surrogates, of which one alone is escaped too. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that JSON escapes.
const escaped = /["\\\u0000-\u001f\ud800-\udfff]/

const quoted = (text: string) => (escaped.test(text) ? JSON.stringify(text) : `"${text}"`)
