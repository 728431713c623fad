import { saidBy } from '../../affiliates/agents/said.ts'

/** Reads of JSON that somebody else has written. */
export type Json = Record<string, unknown>

export const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}

export const listOf = (value: unknown): Json[] =>
  Array.isArray(value) ? value.map(objectOf) : Array.isArray(objectOf(value).data) ? listOf(objectOf(value).data) : []

/** The value at a path of names. */
export const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((found, name) => objectOf(found)[name], value)

export function textAt(value: unknown, path: string): string | undefined {
  const found = at(value, path)
  if (typeof found === 'number' && Number.isFinite(found)) return String(found)
  return typeof found === 'string' && found.trim() !== '' ? found.trim() : undefined
}

/** Reads the claims of an agent's checkout from the metadata of an object. Undefined without any. */
export function agentsIn(...metadata: unknown[]): unknown[] | undefined {
  const claims = metadata
    .flatMap((one) => saidBy(at(one, 'affiliate_attribution')))
    .filter(({ provider }) => provider !== undefined)
  return claims.length === 0 ? undefined : claims
}

/** The id of an object that is given by its id, or as a whole. */
export const idAt = (value: unknown, path: string): string | undefined =>
  textAt(value, path) ?? textAt(value, `${path}.id`)

export const present = <T>(values: readonly (T | undefined | null | '')[]): T[] =>
  values.filter((value): value is T => value !== undefined && value !== null && value !== '')

/** Thrown if a value of an event cannot be used. The event fails with this reason. */
export class Unusable extends Error {}

/** A whole number. Text is not an amount in JSON of Stripe; vendors that send text say so. */
export function wholeAt(value: unknown, path: string, { text = false, negative = false } = {}): bigint {
  const found = at(value, path)
  const isWhole =
    (typeof found === 'number' && Number.isSafeInteger(found)) ||
    (text && typeof found === 'string' && /^-?\d{1,15}$/.test(found))
  if (!isWhole) throw new Unusable(`The amount ${path} is not a whole number: ${JSON.stringify(found)?.slice(0, 60)}.`)
  const amount = BigInt(found as number)
  if (!negative && amount < 0n) throw new Unusable(`The amount ${path} is negative: ${amount}.`)
  return amount
}

/** A whole number, as `wholeAt` reads it. 0 if the field is missing or null. */
export const wholeOrZero = (value: unknown, path: string, options?: Parameters<typeof wholeAt>[2]): bigint =>
  at(value, path) === undefined || at(value, path) === null ? 0n : wholeAt(value, path, options)

export const secondsAt = (value: unknown, path: string): string | undefined => {
  const found = at(value, path)
  return typeof found === 'number' && found > 0 && found < 7_258_118_400
    ? new Date(found * 1000).toISOString()
    : undefined
}

export const timeAt = (value: unknown, path: string): string | undefined => {
  const time = Date.parse(textAt(value, path) ?? '')
  return Number.isNaN(time) ? undefined : new Date(time).toISOString()
}
