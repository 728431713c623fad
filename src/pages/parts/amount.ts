import { decimalsOf, toMajorUnits, toMinorUnits } from '../../kernel/money/decimals.ts'
import { formatNumber } from './locale.ts'

/** A digit is always one of 0 to 9 in fields, as it is on most keyboards. */
const fieldFormat = { numberingSystem: 'latn', useGrouping: 'always', maximumFractionDigits: 20 } as const

/** What separates decimals, and thousands, in the locale of the program. */
function separators(): { decimal: string; group: string } {
  const [, group = '', decimal = '.'] = /^1(\D*)234(\D+)5$/.exec(formatNumber('1234.5', fieldFormat)) ?? []
  return { decimal: decimal.trim(), group: plain(group) }
}

/** People type a space and an apostrophe for those that locales write. */
const plain = (text: string): string => text.replace(/[\s\u00a0\u202f]/g, ' ').replaceAll('’', "'")

/** "1234,5" in a German program: a decimal number as it stands in a field. */
export const writeDecimal = (decimal: string): string => decimal.replace('.', separators().decimal)

/**
 * Reads a number that is not negative, typed in the locale of the program: "1.234,5" is "1234.5" in a German one. Null
 * if it is not a number in this locale; "12.5" is not, because a German point separates thousands.
 */
export function readDecimal(typed: string): string | null {
  const text = plain(typed).trim()
  const { decimal, group } = separators()
  const [whole = '', part, ...more] = text.split(decimal)
  if (more.length > 0 || part === '' || !/^\d*$/.test(part ?? '')) return null
  const digits = group === '' ? whole : whole.replaceAll(group, '')
  if (!/^\d+$/.test(digits)) return null
  const isGrouped = digits !== whole
  if (isGrouped && plain(formatNumber(digits as `${number}`, fieldFormat)) !== whole) return null
  return part === undefined ? digits : `${digits}.${part}`
}

/** An amount as it stands in a field: "1234,50" in a German program. */
export const writeAmount = (cents: number | bigint, currency: string): string =>
  writeDecimal(toMajorUnits(BigInt(cents), currency))

export type AmountProblem = 'notAmount' | 'ambiguous'

/**
 * Reads an amount that was typed in the locale of the program, in minor units. Ambiguous is what would be another
 * amount where point and comma are swapped: "1.234" in a currency with three decimal places.
 */
export function readAmount(typed: string, currency: string): bigint | AmountProblem {
  const decimal = readDecimal(typed)
  const cents = decimal === null ? null : toMinorUnits(decimal, currency)
  if (cents === null) return 'notAmount'
  const swapped = /^\d+[.,]\d+$/.test(typed.trim()) ? toMinorUnits(typed.trim().replace(',', '.'), currency) : null
  return swapped === null || swapped === cents ? cents : 'ambiguous'
}

/** An amount with all its separators, to show how amounts are written: "1.234,50" in a German program. */
export function exampleAmount(currency: string): string {
  const places = decimalsOf(currency)
  return formatNumber('1234.5', { ...fieldFormat, minimumFractionDigits: places, maximumFractionDigits: places })
}
