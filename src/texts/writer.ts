import { readableAmount } from '../kernel/money/decimals.ts'
import { writtenAmount } from '../kernel/money/written-amount.ts'

/** Amounts are in minor units of `currency`, lower-case ISO 4217. */
export type Money = { cents: bigint; currency: string }

/** Writes the values in a sentence. */
export type Writer = {
  money(amount: Money): string
  percent(basisPoints: number): string
  day(at: Date | string): string
  count(value: bigint): string
  /** "A, B or C" */
  or(words: readonly string[]): string
}

/** As the API writes values, without a locale: "12.50 USD", "20 percent", "2026-01-31" (UTC). */
export const plainWriter: Writer = {
  money: ({ cents, currency }) => readableAmount(cents, currency),
  percent: (basisPoints) => `${basisPoints / 100} percent`,
  day: (at) => (typeof at === 'string' ? at : at.toISOString()).slice(0, 10),
  count: String,
  or: (words) => words.join(' or '),
}

/** As people read values: "$12.50", "20%", "Jan 31, 2026". */
export function writerFor(locale: string, timeZone: string): Writer {
  const percents = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 })
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone })
  const counts = new Intl.NumberFormat(locale)
  const lists = new Intl.ListFormat(locale, { type: 'disjunction' })
  return {
    money: ({ cents, currency }) => writtenAmount(cents, currency, locale),
    percent: (basisPoints) => percents.format(basisPoints / 10_000),
    day: (at) => dates.format(new Date(at)),
    count: (value) => counts.format(value),
    or: (words) => lists.format(words),
  }
}

type Texts = Record<string, (values: never, writer: Writer) => string>

/** A sentence as data: its code, and the values of the text with this code. */
export type LineOf<T extends Texts> = {
  [Code in keyof T & string]: { code: Code } & (Parameters<T[Code]> extends [infer Values, ...unknown[]]
    ? Values
    : unknown)
}[keyof T & string]

/** Says a sentence in the words of a language. */
export const say = <T extends Texts>(texts: T, line: LineOf<T>, writer: Writer): string =>
  (texts[line.code] as (values: LineOf<T>, writer: Writer) => string)(line, writer)
