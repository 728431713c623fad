import { decimalsOf, toMajorUnits } from '../../../kernel/money/decimals.ts'
import { formatNumber } from '../locale.ts'

/** A value of a result, by how it is displayed. */
export type Value =
  | { kind: 'empty' }
  | { kind: 'text'; text: string }
  | { kind: 'number'; number: number }
  /** A fraction: 0.05 is 5 per cent. */
  | { kind: 'rate'; number: number }
  | { kind: 'boolean'; truth: boolean }
  | { kind: 'date'; iso: string; milliseconds: number }
  | { kind: 'money'; formatted: string; amount: string; currency: string; minorUnits: number }
  | { kind: 'list'; items: unknown[] }

export type Kind = Value['kind']

const isoMoment = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2}))?$/

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An object of a result. */
export type Row = Record<string, unknown>

export const isListOfObjects = (value: unknown): value is Row[] =>
  Array.isArray(value) && value.length > 0 && value.every(isObject)

/** The labels of the analytics for days, weeks, months, quarters and years, and times. */
const period = /^\d{4}(-(\d{2}(-\d{2})?|W\d{2}|Q[1-4]))?$/

/** Whether all values are intervals of time. */
export const isPeriod = (values: unknown[]): boolean =>
  values.length > 0 &&
  values.every((value) => typeof value === 'string' && (period.test(value) || isoMoment.test(value)))

const moneyFields = new Set(['__typename', 'amountCents', 'cents', 'currency', 'formatted'])

/** Reads a Money object with any selection of its fields. Returns null for other objects. */
export function readMoney(value: Record<string, unknown>): Value | null {
  const { cents, amountCents = cents, currency, formatted } = value
  if (!Object.keys(value).every((name) => moneyFields.has(name))) return null
  if (typeof formatted === 'string') {
    const [, amount, code] = /^(-?[\d.]+) (\w+)$/.exec(formatted) ?? []
    if (!amount || !code) return null
    const minorUnits = typeof amountCents === 'number' ? amountCents : minorUnitsOf(amount)
    return { kind: 'money', formatted, amount, currency: code.toLowerCase(), minorUnits }
  }
  if (typeof amountCents !== 'number' || !Number.isSafeInteger(amountCents) || typeof currency !== 'string') return null
  const code = currency.toLowerCase()
  const amount = toMajorUnits(BigInt(amountCents), code)
  return {
    kind: 'money',
    formatted: `${amount} ${code.toUpperCase()}`,
    amount,
    currency: code,
    minorUnits: amountCents,
  }
}

/** "12.34" has all decimal places of its currency, so without the point it is in minor units. */
const minorUnitsOf = (amount: string): number => Number(amount.replace('.', ''))

/** The schema's names for fractions end like this, and aliases of analysts too. */
export const isRateName = (name: string) => /(rate|ratio|retention)$/i.test(name)

/** @param name the name of the field, which distinguishes rates from counts */
export function readValue(value: unknown, name = ''): Value {
  if (value === null || value === undefined) return { kind: 'empty' }
  if (typeof value === 'number') return { kind: isRateName(name) ? 'rate' : 'number', number: value }
  if (typeof value === 'boolean') return { kind: 'boolean', truth: value }
  if (Array.isArray(value)) return { kind: 'list', items: value }
  if (isObject(value)) return readMoney(value) ?? { kind: 'text', text: JSON.stringify(value) }
  const text = String(value)
  const milliseconds = isoMoment.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(milliseconds) ? { kind: 'text', text } : { kind: 'date', iso: text, milliseconds }
}

/** Formats a value for a table cell. */
export function textOf(value: Value): string {
  switch (value.kind) {
    case 'empty':
      return ''
    case 'text':
      return value.text
    case 'number':
      return formatNumber(value.number, { maximumFractionDigits: 4 })
    case 'boolean':
      return value.truth ? 'yes' : 'no'
    case 'rate':
      return formatRate(value.number)
    case 'date':
      return value.iso.length === 10
        ? value.iso
        : `${new Date(value.milliseconds).toISOString().slice(0, 16).replace('T', ' ')} UTC`
    case 'money':
      return formatMoney(value.amount, value.currency)
    case 'list':
      return listText(value.items)
  }
}

/** A fraction as per cent: 0.0525 is "5.3%". */
export const formatRate = (fraction: number): string =>
  formatNumber(fraction, { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 })

/** An amount in major units, as the locale writes it: "$1,234.50". Exact, because the digits are text. */
export function formatMoney(amount: string, currency: string): string {
  const places = amount.split('.')[1]?.length ?? 0
  const digits = { minimumFractionDigits: places, maximumFractionDigits: places }
  return formatNumber(amount as `${number}`, { style: 'currency', currency, ...digits })
}

const listText = (items: unknown[]) =>
  items.some((item) => typeof item === 'object' && item !== null)
    ? `${items.length} ${items.length === 1 ? 'row' : 'rows'}`
    : items.join(', ')

/** Returns the number that a chart draws, for money in major units; null if the value is not a number. */
export function amountOf(value: Value): number | null {
  if (value.kind === 'number' || value.kind === 'rate') return value.number
  return value.kind === 'money' ? value.minorUnits / 10 ** decimalsOf(value.currency) : null
}

/**
 * Compares two values for sorting: numbers, money and dates by value, texts in natural order. Amounts in different
 * currencies are not comparable, so money is sorted by currency first.
 */
export function compareValues(one: Value, other: Value): number {
  if (one.kind !== other.kind) return textOf(one).localeCompare(textOf(other), 'en', { numeric: true })
  switch (one.kind) {
    case 'number':
    case 'rate':
      return one.number - (other as typeof one).number
    case 'date':
      return one.milliseconds - (other as typeof one).milliseconds
    case 'boolean':
      return Number(one.truth) - Number((other as typeof one).truth)
    case 'money': {
      const { currency, minorUnits } = other as typeof one
      return one.currency.localeCompare(currency) || one.minorUnits - minorUnits
    }
    case 'list':
      return one.items.length - (other as typeof one).items.length
    default:
      return textOf(one).localeCompare(textOf(other), 'en', { numeric: true, sensitivity: 'base' })
  }
}
