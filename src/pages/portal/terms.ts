import type { OverviewQuery } from '../../generated/portal/graphql.ts'
import { formatCount, formatMoney } from '../parts/format.tsx'
import { formatNumber } from '../parts/locale.ts'

export type Terms = OverviewQuery['me']['campaign']

/** Returns a campaign's terms as sentences. */
export function termsOf(terms: Terms): string[] {
  const { maxCommissions, daysBeforeCommissionsAreDue, daysBeforeReferralsExpire, minimumPayoutCents } = terms
  return [
    `You earn ${rewardOf(terms)} to a customer you refer${limitOf(terms)}.`,
    ...(maxCommissions === null ? [] : [`You earn at most ${formatCount(maxCommissions, 'commission')} per customer.`]),
    daysBeforeCommissionsAreDue === 0
      ? 'Commissions are due immediately.'
      : `Commissions are due ${formatCount(daysBeforeCommissionsAreDue, 'day')} after the sale.`,
    `A visitor who follows your link counts as your referral for ${formatCount(daysBeforeReferralsExpire, 'day')}.`,
    ...(minimumPayoutCents === 0
      ? []
      : [
          `You are paid when at least ${formatMoney(minimumPayoutCents, terms.commissionCurrency)} is due, or the same number in another currency.`,
        ]),
  ]
}

function rewardOf({ rewardType, commissionPercent, commissionAmountCents, commissionCurrency }: Terms): string {
  return rewardType === 'PERCENT'
    ? `${formatNumber(commissionPercent ?? 0)}% of each sale`
    : `${formatMoney(commissionAmountCents ?? 0, commissionCurrency)} for each sale`
}

function limitOf({ maxCommissionPeriodInMonths: months }: Terms): string {
  return months === null ? '' : `, for ${formatCount(months, 'month')} from their first sale`
}
