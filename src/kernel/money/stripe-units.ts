import { convertUnits, decimalsOf } from './decimals.ts'

/**
 * The decimal places of amounts at Stripe where they differ from ISO 4217. ISK and UGX are in hundredths although they
 * have no minor unit; MGA is whole. Source: docs.stripe.com/currencies, "Zero-decimal currencies" and "Special cases".
 */
const ofStripe: Readonly<Record<string, number>> = { isk: 2, ugx: 2, mga: 0 }

const stripeDecimals = (currency: string): number => ofStripe[currency] ?? decimalsOf(currency)

/** An amount of Stripe in minor units of ISO 4217. What is smaller than one is rounded, halves away from zero. */
export const fromStripeUnits = (amount: bigint, currency: string): bigint =>
  convertUnits(amount, stripeDecimals(currency), decimalsOf(currency))

/** An amount in minor units of ISO 4217 as Stripe counts it. Null if Stripe has no unit that is as small. */
export function toStripeUnits(cents: bigint, currency: string): bigint | null {
  const amount = convertUnits(cents, decimalsOf(currency), stripeDecimals(currency))
  return fromStripeUnits(amount, currency) === cents ? amount : null
}
