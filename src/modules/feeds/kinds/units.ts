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
