import type { RewardLine } from '../../texts/en/reward.ts'

/**
 * The form of lines that are stored. A change of `RewardLine` needs another number: lines of another form are not
 * compared, so that an update of the service is no news to anybody.
 */
export const linesForm = 1

type Json = string | number | boolean | null | Json[] | { [name: string]: Json }

/** Lines as JSON: amounts are `{"$n": "100"}`, times `{"$at": "2026-01-31T00:00:00.000Z"}`. */
export const packLines = (lines: readonly RewardLine[]): Json => pack(lines)

/** The lines that `packLines` has made of this form. */
export const unpackLines = (stored: unknown): RewardLine[] => unpack(stored) as RewardLine[]

function pack(value: unknown): Json {
  if (typeof value === 'bigint') return { $n: String(value) }
  if (value instanceof Date) return { $at: value.toISOString() }
  if (Array.isArray(value)) return value.map(pack)
  if (value === null || typeof value !== 'object') return value as Json
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, pack(one)]))
}

function unpack(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unpack)
  if (value === null || typeof value !== 'object') return value
  const { $n, $at } = value as { $n?: string; $at?: string }
  if ($n !== undefined) return BigInt($n)
  if ($at !== undefined) return new Date($at)
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, unpack(one)]))
}
