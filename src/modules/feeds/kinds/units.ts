import type { BillingInterval } from '../../../generated/prisma/enums.ts'
import { normalizeCurrency } from '../../../kernel/money/currencies.ts'
import { decimalsOf } from '../../../kernel/money/decimals.ts'
import { Unusable } from './json.ts'

/**
 * The decimal places of amounts at Stripe where they differ from ISO 4217. ISK and UGX are in hundredths although they
 * have no minor unit; MGA is whole. Source: docs.stripe.com/currencies, "Zero-decimal currencies" and "Special cases".
 */
const ofStripe: Readonly<Record<string, number>> = { isk: 2, ugx: 2, mga: 0 }

export const stripeDecimals = (currency: string): number => ofStripe[currency] ?? decimalsOf(currency)

/** @throws Unusable for a code that ISO 4217 does not have */
export function currencyOf(code: string | undefined): string {
  const currency = code === undefined ? null : normalizeCurrency(code)
  if (currency === null) throw new Unusable(`The currency is not known: ${code ?? 'none'}.`)
  return currency
}

/** Converts an amount to minor units of ISO 4217. What is smaller than one is rounded, halves away from zero. */
export function toMinor(amount: bigint, currency: string, decimals: (currency: string) => number): bigint {
  const places = decimalsOf(currency) - decimals(currency)
  if (places >= 0) return amount * 10n ** BigInt(places)
  const unit = 10n ** BigInt(-places)
  const half = unit / 2n
  return amount < 0n ? -((-amount + half) / unit) : (amount + half) / unit
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
