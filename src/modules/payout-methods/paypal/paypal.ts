import type { Payout, Program } from '../../../generated/prisma/client.ts'
import { decimalsOf, toMajorUnits } from '../../../kernel/money/decimals.ts'
import { csvFile, currencyOf, isUnsafe, withMark } from '../csv.ts'
import { defineMethod } from '../method.ts'
import { digitsOf, noWallet, otherCurrency, type PaidPayout, unsafeEmail } from '../payee.ts'

/**
 * Source: PayPal, "Currency codes", https://developer.paypal.com/api/rest/reference/currency-codes/, read in November
 * 2026.
 */
const currencies = new Set(
  'aud brl cad chf cny czk dkk eur gbp hkd huf ils jpy mxn myr nok nzd php pln sek sgd thb twd usd'.split(' '),
)
const inWholeUnits = new Set(['huf', 'jpy', 'twd'])

/** Source: PayPal, "Payouts", the field `receiver` of an item. */
const longestReceiver = 127

/**
 * The amount that PayPal pays, in minor units: it takes no decimals in HUF, JPY and TWD. Half a unit and more is
 * rounded up. The difference, of less than one unit, stays in the balance of the affiliate.
 */
function centsOf({ amountCents, currency }: Pick<Payout, 'amountCents' | 'currency'>): bigint {
  const unit = 10n ** BigInt(decimalsOf(currency))
  return inWholeUnits.has(currency) ? ((amountCents + unit / 2n) / unit) * unit : amountCents
}

/** An amount as PayPal reads it, with a full stop. It has no parts of a unit where PayPal pays none. */
export const paypalAmount = (cents: bigint, currency: string): string =>
  inWholeUnits.has(currency) ? String(cents / 10n ** BigInt(decimalsOf(currency))) : toMajorUnits(cents, currency)

const amountOf = (payout: PaidPayout, program: Program): string =>
  withMark(paypalAmount(centsOf(payout), payout.currency), program)

/**
 * PayPal's id of a payment, at most 30 characters. The first two digits of all ids are equal, so the others identify
 * the payout.
 */
export const paypalReference = (payout: Pick<Payout, 'id'>) => digitsOf(payout).slice(2)

export const paypal = defineMethod({
  description: "With PayPal's payout file, to the affiliate's e-mail at PayPal.",
  /** PayPal's payout file has no header line. Source: PayPal, "Send payouts from Payouts Web". */
  file: csvFile({
    name: 'paypal.csv',
    format: { word: 'wallet_a', meaning: "is PayPal's payout file" },
    header: false,
    maxRows: 5_000,
    addresses: ['recipient'],
    columns: {
      recipient: ({ affiliate }) => affiliate.paypalEmail ?? '',
      amount: amountOf,
      currency: currencyOf,
      id: paypalReference,
      note: (_payout, program) => `${program.name}: affiliate payout`,
    },
  }),
  report: {
    /**
     * Source: PayPal, "Track payout item status" (September 10, 2026), and "Changed fields" of the activity report
     * (June 14, 2026), whose `Completed` and `Canceled` the API does not have.
     */
    words: {
      success: 'paid',
      completed: 'paid',
      claimed: 'paid',
      failed: 'failed',
      blocked: 'failed',
      denied: 'failed',
      canceled: 'failed',
      returned: 'returned',
      refunded: 'returned',
      reversed: 'returned',
      unclaimed: 'unclaimed',
      pending: 'sent',
      onhold: 'sent',
      processing: 'sent',
    },
    referencesOf: (payout) => [paypalReference(payout)],
  },
  reasons: {
    unsupported_currency: otherCurrency,
    nothing_to_pay: 'The amount is 0, or the service would round it to 0.',
    no_wallet: noWallet,
    unsafe_email: unsafeEmail,
    long_email: 'The e-mail is longer than the 127 characters that PayPal accepts.',
  },
  skipReason(payout) {
    const { paypalEmail: email } = payout.affiliate
    if (!currencies.has(payout.currency)) return 'unsupported_currency'
    if (centsOf(payout) === 0n) return 'nothing_to_pay'
    if (!email) return 'no_wallet'
    if (isUnsafe(email)) return 'unsafe_email'
    return email.length > longestReceiver ? 'long_email' : null
  },
  reportsPayees: true,
  checksName: false,
  rounding: {
    centsOf,
    reasonIn: (currency) =>
      `PayPal pays no parts of a unit in ${currency.toUpperCase()}: the rest is in the next payout.`,
  },
})
