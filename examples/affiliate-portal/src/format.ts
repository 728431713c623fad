import { code } from 'currency-codes'

/**
 * An amount in minor units as a person reads it, exact. Decimal places are those of ISO 4217; a browser's own are those
 * of CLDR, which has fewer for some currencies.
 */
export function money(amountCents: number, currency: string): string {
  const digits = code(currency)?.digits ?? 2
  const text = String(Math.abs(amountCents)).padStart(digits + 1, '0')
  const whole = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  // As text, so that no amount is rounded on its way through a floating-point number.
  return format.format(`${amountCents < 0 ? '-' : ''}${whole}` as `${number}`)
}

const days = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' })

export const day = (moment: string): string => days.format(new Date(moment))

export const count = new Intl.NumberFormat('en').format
