import type { OverviewQuery } from '../../generated/portal/graphql.ts'
import { formatAmount, formatCount, formatMoney, listOfMoney } from '../parts/format.tsx'
import { formatNumber } from '../parts/locale.ts'

export type Terms = OverviewQuery['me']['campaign']

/** Returns a campaign's terms as sentences. */
export function termsOf(terms: Terms): string[] {
  const { maxCommissions, daysBeforeCommissionsAreDue, daysBeforeReferralsExpire } = terms
  return [
    `You earn ${rewardOf(terms)} to a customer you refer${limitOf(terms)}.`,
    ...(maxCommissions === null ? [] : [`You earn at most ${formatCount(maxCommissions, 'commission')} per customer.`]),
    daysBeforeCommissionsAreDue === 0
      ? 'Commissions are due immediately.'
      : `Commissions are due ${formatCount(daysBeforeCommissionsAreDue, 'day')} after the sale.`,
    `A visitor who follows your link counts as your referral for ${formatCount(daysBeforeReferralsExpire, 'day')}.`,
    ...minimumOf(terms),
  ]
}

/** The smallest payout, if there is one: by currency, as far as they have their own. */
function minimumOf({ minimumPayoutCents, minimumPayouts, commissionCurrency }: Terms): string[] {
  if (minimumPayouts.length === 0)
    return minimumPayoutCents === 0
      ? []
      : [
          `You are paid when at least ${formatMoney(minimumPayoutCents, commissionCurrency)} is due, or the same number in another currency.`,
        ]
  const ofOthers = { currency: commissionCurrency, amountCents: minimumPayoutCents }
  const hasOwn = minimumPayouts.some(({ currency }) => currency === commissionCurrency)
  const all = hasOwn || minimumPayoutCents === 0 ? minimumPayouts : [ofOthers, ...minimumPayouts]
  const rest =
    minimumPayoutCents === 0 ? 'any amount' : `at least ${formatAmount(minimumPayoutCents, commissionCurrency)}`
  return [`You are paid when at least ${listOfMoney(all, 'or')} is due, or ${rest} in any other currency.`]
}

function rewardOf({ rewardType, commissionPercent, commissionAmountCents, commissionCurrency }: Terms): string {
  return rewardType === 'PERCENT'
    ? `${formatNumber(commissionPercent ?? 0)}% of each sale`
    : `${formatMoney(commissionAmountCents ?? 0, commissionCurrency)} for each sale`
}

function limitOf({ maxCommissionPeriodInMonths: months }: Terms): string {
  return months === null ? '' : `, for ${formatCount(months, 'month')} from their first sale`
}
