import type { Affiliate, Payout } from '../../generated/prisma/client.ts'
import { decimalsOf } from '../../kernel/money/decimals.ts'
import { type Minimums, minimumPayoutIn } from '../campaigns/minimum-payouts.ts'
import type { FileMethod } from './input.ts'

export const skipReasons = [
  'no_wallet',
  'no_iban',
  'no_name',
  'unsafe_email',
  'long_email',
  'unsupported_currency',
  'too_large',
  'already_paid',
  'payment_failed',
  'below_minimum',
  'nothing_to_pay',
  'in_open_run',
  'unclaimed',
  'dead_address',
  'affiliate_suspicious',
  'affiliate_disabled',
  'address_changed',
  'other_method',
  'other_currency',
  'opened_later',
  'file_full',
] as const
export type SkipReason = (typeof skipReasons)[number]

/** What files and methods need to know of the affiliate who is paid. */
export type Payee = Pick<
  Affiliate,
  | 'email'
  | 'firstName'
  | 'lastName'
  | 'walletAEmail'
  | 'walletBEmail'
  | 'iban'
  | 'bic'
  | 'recipientType'
  | 'preferredPayoutMethod'
  | 'payoutsHeldUntil'
  | 'company'
  | 'state'
>

/** What is read of a payout that is to be paid. */
export type PaidPayout = Pick<
  Payout,
  'programId' | 'id' | 'affiliateId' | 'currency' | 'amountCents' | 'paidAt' | 'failedAt' | 'reference' | 'createdAt'
>

export type PayoutWithCampaign = PaidPayout & { affiliate: Payee & { campaign: Minimums } }

/**
 * Source: PayPal, "Currency codes", https://developer.paypal.com/api/rest/reference/currency-codes/, read in November
 * 2026.
 */
const paypalCurrencies = new Set(
  'aud brl cad chf cny czk dkk eur gbp hkd huf ils jpy mxn myr nok nzd php pln sek sgd thb twd usd'.split(' '),
)
const paypalWhole = new Set(['huf', 'jpy', 'twd'])

/** Source: PayPal, "Payouts", the field `receiver` of an item. */
const longestReceiver = 127

/** Whether a spreadsheet would read the text as a formula. */
export const readsAsFormula = (text: string) => /^[=+\-@\t\r]/.test(text)

/** An address that begins with `+` is no formula to PayPal or Wise, and people have such addresses. */
const isUnsafe = (email: string) => readsAsFormula(email) && !email.startsWith('+')

/**
 * Whether payouts wait, because the affiliate has changed the payout address. The time is in the row of the address, so
 * that nobody reads a new address without it.
 */
export const isHeld = ({ payoutsHeldUntil }: Pick<Affiliate, 'payoutsHeldUntil'>, now: Date): boolean =>
  payoutsHeldUntil !== null && payoutsHeldUntil > now

/** Why nothing of the payout can be paid now, by any method. */
export function reasonNotPayable(
  { amountCents, currency, paidAt, failedAt, affiliate }: PayoutWithCampaign,
  now: Date,
): SkipReason | null {
  if (failedAt) return 'payment_failed'
  if (paidAt) return 'already_paid'
  if (amountCents === 0n) return 'nothing_to_pay'
  if (isHeld(affiliate, now)) return 'address_changed'
  return amountCents < minimumPayoutIn(affiliate.campaign, currency) ? 'below_minimum' : null
}

/** Why a service cannot pay the payout. The generic file accepts all. */
export function reasonOfFormat(
  { amountCents, currency, affiliate }: PayoutWithCampaign,
  method: FileMethod,
): SkipReason | null {
  if (method === 'generic') return null
  if (method === 'paypal' && !paypalCurrencies.has(currency)) return 'unsupported_currency'
  if (method === 'paypal' && paypalCents({ amountCents, currency }) === 0n) return 'nothing_to_pay'
  const email = method === 'paypal' ? affiliate.walletAEmail : affiliate.walletBEmail
  if (!email) return 'no_wallet'
  if (isUnsafe(email)) return 'unsafe_email'
  if (method === 'paypal' && email.length > longestReceiver) return 'long_email'
  return method === 'wise' && !payeeNameOf(affiliate) ? 'no_name' : null
}

/** The name in one line. */
export const nameOf = ({ firstName, lastName }: Pick<Affiliate, 'firstName' | 'lastName'>) =>
  inOneLine([firstName, lastName].filter(Boolean).join(' '))

/** The name that a service pays: a business is paid under its company's name, if it is known. */
export const payeeNameOf = (payee: Pick<Affiliate, 'firstName' | 'lastName' | 'recipientType' | 'company'>) =>
  (payee.recipientType === 'business' && inOneLine(payee.company ?? '')) || nameOf(payee)

/** Whether a service may ask for the full name: it is one word, or has initials. */
export const isShortName = (name: string) => /^\S*$|(^|\s)\p{L}\.?(\s|$)/u.test(name.trim())

export const inOneLine = (text: string) => text.replace(/\s*[\r\n\u2028\u2029]+\s*/g, ' ').trim()

/**
 * The amount that PayPal pays, in minor units: it takes no decimals in HUF, JPY and TWD. Half a unit and more is
 * rounded up. The difference, of less than one unit, stays in the balance of the affiliate.
 */
export function paypalCents({ amountCents, currency }: Pick<Payout, 'amountCents' | 'currency'>): bigint {
  const unit = 10n ** BigInt(decimalsOf(currency))
  return paypalWhole.has(currency) ? ((amountCents + unit / 2n) / unit) * unit : amountCents
}

export const isWholeAtPaypal = (currency: string) => paypalWhole.has(currency)
