import type { Affiliate } from '../../generated/prisma/client.ts'
import { type Minimums, minimumPayoutIn } from '../campaigns/minimum-payouts.ts'
import type { MethodReason } from '../payout-methods/all.ts'
import type { PaidPayout } from '../payout-methods/payee.ts'
import { splitOf } from './withholding.ts'

/** Why a run leaves a payout out, whatever its method. */
export const runReasons = [
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
  'tax_profile_missing',
  'other_method',
  'other_currency',
  'opened_later',
  'file_full',
] as const
export type SkipReason = MethodReason | (typeof runReasons)[number]

export type PayoutWithCampaign = PaidPayout & {
  affiliate: { campaign: Minimums }
  lacksTaxProfile: boolean
  /** How much is withheld now: the affiliate's own rate, or the program's. 0 if neither is set. */
  effectiveBasisPoints: number
}

/**
 * Whether payouts wait, because the affiliate has changed the payout address. The time is in the row of the address, so
 * that nobody reads a new address without it.
 */
export const isHeld = ({ payoutsHeldUntil }: Pick<Affiliate, 'payoutsHeldUntil'>, now: Date): boolean =>
  payoutsHeldUntil !== null && payoutsHeldUntil > now

/** Why nothing of the payout can be paid now, by any method. */
export function reasonNotPayable(
  { amountCents, currency, paidAt, failedAt, affiliate, lacksTaxProfile, effectiveBasisPoints }: PayoutWithCampaign,
  now: Date,
): SkipReason | null {
  if (failedAt) return 'payment_failed'
  if (paidAt) return 'already_paid'
  if (splitOf(amountCents, effectiveBasisPoints).amountCents === 0n) return 'nothing_to_pay'
  if (isHeld(affiliate, now)) return 'address_changed'
  if (lacksTaxProfile) return 'tax_profile_missing'
  return amountCents < minimumPayoutIn(affiliate.campaign, currency) ? 'below_minimum' : null
}

/** Whether a service may ask for the full name: it is one word, or has initials. */
export const isShortName = (name: string) => /^\S*$|(^|\s)\p{L}\.?(\s|$)/u.test(name.trim())
