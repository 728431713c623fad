import { decimalsOf } from '../../../kernel/money/decimals.ts'

/** The text with hyphens in place of minus signs and en dashes. */
export const withHyphens = (text: string): string => text.replaceAll('−', '-').replaceAll('–', '-')

/**
 * An amount as services and spreadsheets write it: "-1,234.50", "1.234,50", "(25.00)", "50 USD". The last mark is that
 * of the decimals, unless three digits follow it in a currency that does not have three. Null if it is no amount.
 */
export function readAmount(text: string, currency: string): bigint | null {
  const plain = withHyphens(text).replace(/[^\d.,()-]/g, '')
  if (!/\d/.test(plain)) return null
  const isNegative = plain.includes('-') || plain.startsWith('(')
  const digits = plain.replace(/[()-]/g, '')
  const places = decimalsOf(currency)
  const at = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','))
  const tail = at < 0 ? '' : digits.slice(at + 1)
  const isDecimal = at >= 0 && (tail.length !== 3 || places === 3)
  const whole = (isDecimal ? digits.slice(0, at) : digits).replace(/[.,]/g, '')
  const part = isDecimal ? tail : ''
  // More decimals than the currency has must be zeros.
  if (!/^0*$/.test(part.slice(places))) return null
  const cents = BigInt(`${whole || '0'}${part.slice(0, places).padEnd(places, '0')}`)
  return isNegative ? -cents : cents
}

/** Hours before UTC of the zones that reports name. Others count as UTC: rows of one report still keep their order. */
const zones: Record<string, number> = {
  PST: 8,
  PDT: 7,
  EST: 5,
  EDT: 4,
  CST: 6,
  CDT: 5,
  MST: 7,
  MDT: 6,
  CET: -1,
  CEST: -2,
}
const other: Record<string, number> = {
  UTC: 0,
  GMT: 0,
  BST: -1,
  EET: -2,
  EEST: -3,
  IST: -5.5,
  JST: -9,
  AEST: -10,
  AEDT: -11,
}
const hoursOf = (zone: string) => zones[zone] ?? other[zone] ?? 0

const slashed = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})\b/
const timed = /(\d{1,2}):(\d{2})(?::(\d{2}))?(?:[.,]\d+)?\s*([AP]M)?/i

/**
 * Whether dates such as 11/27/2026 begin with the month: they do, unless one of them cannot. With dots they begin with
 * the day.
 */
export const monthIsFirst = (dates: readonly string[]): boolean =>
  !dates.some((date) => Number(slashed.exec(date.trim())?.[1] ?? 0) > 12)

/** When a row says that it happened. Null without a date that can be read. */
export function readTime(date: string, time: string, zone: string, isMonthFirst: boolean): Date | null {
  const text = date.trim()
  if (/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}.*(Z|[+-]\d{2}:?\d{2})$/.test(text))
    return valid(new Date(text.replace(' ', 'T')))
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})/.exec(text)
  const local = slashed.exec(text)
  if (!iso && !local) return null
  const [, first = '', mark, second = '', year = ''] = local ?? []
  const [month, day] = isMonthFirst && mark !== '.' ? [first, second] : [second, first]
  const [y, m, d] = iso ? [iso[1], iso[2], iso[3]] : [year, month, day]
  const rest = text.slice((iso ?? local)?.[0].length)
  const [, hour = '0', minute = '0', seconds = '0', half] = timed.exec(time.trim() || rest) ?? []
  const hours = half ? (Number(hour) % 12) + (half.toUpperCase() === 'PM' ? 12 : 0) : Number(hour)
  const at = Date.UTC(Number(y), Number(m) - 1, Number(d), hours, Number(minute), Number(seconds))
  const named = /\b[A-Z]{3,4}$/.exec(text)?.[0] ?? zone.trim().toUpperCase()
  return Number(m) > 12 || Number(d) > 31 ? null : valid(new Date(at + hoursOf(named) * 3_600_000))
}

const valid = (at: Date) => (Number.isNaN(at.getTime()) ? null : at)
