import type { BillingInterval } from '../../../generated/prisma/enums.ts'
import { normalizeCurrency } from '../../../kernel/money/currencies.ts'
import { Unusable } from './json.ts'

/** @throws Unusable for a code that ISO 4217 does not have */
export function currencyOf(code: string | undefined): string {
  const currency = code === undefined ? null : normalizeCurrency(code)
  if (currency === null) throw new Unusable(`The currency is not known: ${code ?? 'none'}.`)
  return currency
}

/** The interval of a price. Twelve months are a year; other multiples are unknown to rules. */
export function intervalOfCycle(unit: unknown, count: unknown = 1): BillingInterval | undefined {
  if (unit === 'year' && count === 1) return 'year'
  if (unit !== 'month') return undefined
  return count === 1 ? 'month' : count === 12 ? 'year' : undefined
}

const dayMs = 24 * 3_600_000

/** The interval of a period of about a month or a year. */
export function intervalOfPeriod(from: string | undefined, to: string | undefined): BillingInterval | undefined {
  if (from === undefined || to === undefined) return undefined
  const days = (Date.parse(to) - Date.parse(from)) / dayMs
  if (days >= 27 && days <= 32) return 'month'
  return days >= 355 && days <= 376 ? 'year' : undefined
}
