import { decimalsOf } from '../../../kernel/money/decimals.ts'

/** Whether amounts are written in cents, or in units as "12.50". */
export type AmountUnit = 'cents' | 'units'

/** "$1,234.50", "1234.5 USD" and "12,50" as digits with a point. Null if it is no amount. */
export function plainAmount(text: string): string | null {
  const bare = text.replace(/[\p{Sc}\p{L}\s]/gu, '')
  const pointed = /^-?\d{1,3}(,\d{3})+(\.\d+)?$/.test(bare)
    ? bare.replaceAll(',', '')
    : bare.replace(/,(\d{1,2})$/, '.$1')
  return /^-?\d+(\.\d+)?$/.test(pointed) ? pointed : null
}

/** An amount in minor units. Null if it is no amount, or has more decimals than the currency. */
export function centsOf(text: string, currency: string, unit: AmountUnit): number | null {
  const plain = plainAmount(text)
  const [, sign = '', whole = '', part = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(plain ?? '') ?? []
  if (whole === '') return null
  const places = unit === 'cents' ? 0 : decimalsOf(currency)
  const digits = part.replace(/0+$/, '')
  if (digits.length > places) return null
  const cents = Number(`${sign}${whole}${digits.padEnd(places, '0')}`)
  return Number.isSafeInteger(cents) ? cents : null
}

const isoLike = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?))?\s*(Z|UTC|[+-]\d{2}:?\d{2})?$/

/** A time as ISO 8601, without a zone in UTC. Null if it is no time, or can be read in two ways, as 03/04/2026. */
export function timeOf(text: string): string | null {
  const [, day, time = '00:00', zone = 'Z'] = isoLike.exec(text) ?? []
  const hasMonthName = /[a-z]{3}/i.test(text)
  const written = day ? `${day}T${time}${zone === 'UTC' ? 'Z' : zone}` : hasMonthName ? `${text} UTC` : ''
  const ms = Date.parse(/UTC|GMT|[+-]\d{2}:?\d{2}\b/.test(text) && !day ? text : written)
  return Number.isNaN(ms) ? null : new Date(ms).toISOString()
}

/** The token of a link: of an address, the value of its first parameter, or its last part. */
export function tokenOf(text: string): string {
  if (!URL.canParse(text)) return text
  // A plus in an address is a blank to a form, and a plus to a token.
  const { search, pathname } = new URL(text.replaceAll('+', '%2B'))
  const named = [...new URLSearchParams(search).values()][0]
  return named ?? decoded(pathname.split('/').filter(Boolean).at(-1)) ?? text
}

function decoded(part: string | undefined): string | undefined {
  try {
    return part && decodeURIComponent(part)
  } catch {
    return part
  }
}

export const isTrue = (text: string | undefined): boolean => /^(true|yes|1|t|y)$/i.test(text ?? '')
