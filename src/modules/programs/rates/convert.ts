import { decimalsOf } from '../../../kernel/money/decimals.ts'

/** One unit of `base` is `rateBillionths` billionths of a unit of `currency`. The day is `2026-11-27`. */
export type Rate = { base: string; currency: string; day: string; source: RateSource; rateBillionths: bigint }

export const rateSources = ['entered', 'ecb'] as const
export type RateSource = (typeof rateSources)[number]

/** How many units of one currency a unit of another one is: an exact fraction. */
export type Factor = { numerator: bigint; denominator: bigint; day: string; source: RateSource }

export const billion = 1_000_000_000n

/**
 * How one currency is converted to another: by their own rate, or through a currency in which both have one. The day is
 * the older one of the two. Null: no rate leads from one to the other.
 * @param rates the newest of each pair
 */
export function factorOf(rates: readonly Rate[], from: string, to: string): Factor | null {
  const own = directly(rates, from, to)
  if (own) return own
  for (const base of new Set(rates.map((rate) => rate.base))) {
    const [first, second] = [directly(rates, from, base), directly(rates, base, to)]
    if (first && second)
      return {
        numerator: first.numerator * second.numerator,
        denominator: first.denominator * second.denominator,
        day: first.day < second.day ? first.day : second.day,
        source: first.source === 'entered' || second.source === 'entered' ? 'entered' : 'ecb',
      }
  }
  return null
}

function directly(rates: readonly Rate[], from: string, to: string): Factor | null {
  const found = rates.filter(
    ({ base, currency }) => (base === from && currency === to) || (base === to && currency === from),
  )
  const [rate] = found.sort((a, b) => (a.day < b.day ? 1 : -1))
  if (!rate) return null
  const { base, rateBillionths, day, source } = rate
  return base === from
    ? { numerator: rateBillionths, denominator: billion, day, source }
    : { numerator: billion, denominator: rateBillionths, day, source }
}

/** An amount in minor units of another currency, rounded half away from zero. */
export function convertCents(cents: bigint, from: string, to: string, { numerator, denominator }: Factor): bigint {
  const up = numerator * 10n ** BigInt(decimalsOf(to))
  const down = denominator * 10n ** BigInt(decimalsOf(from))
  const size = cents < 0n ? -cents : cents
  const rounded = (2n * size * up + down) / (2n * down)
  return cents < 0n ? -rounded : rounded
}

/** A factor as text with at most nine decimals: `0.922`. */
export function decimalOf({ numerator, denominator }: Pick<Factor, 'numerator' | 'denominator'>): string {
  const billionths = (2n * numerator * billion + denominator) / (2n * denominator)
  const digits = String(billionths).padStart(10, '0')
  return `${digits.slice(0, -9)}.${digits.slice(-9)}`.replace(/\.?0+$/, '')
}

/** "1.0843" as billionths. Null for other text, zero, more than nine decimals, or more than six digits before them. */
export function billionthsOf(text: string): bigint | null {
  const [, whole, part = ''] = /^(\d{1,6})(?:\.(\d{1,9}))?$/.exec(text) ?? []
  if (whole === undefined) return null
  const billionths = BigInt(whole + part.padEnd(9, '0'))
  return billionths > 0n ? billionths : null
}
