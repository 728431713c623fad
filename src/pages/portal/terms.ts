import type { OverviewQuery } from '../../generated/portal/graphql.ts'
import { formatAmount, formatMoney, listOfMoney } from '../parts/format.tsx'
import { formatNumber } from '../parts/locale.ts'
import { texts } from './texts.ts'

export type Terms = OverviewQuery['me']['campaign']

/** Returns a campaign's terms as sentences. */
export function termsOf(terms: Terms): string[] {
  const { maxCommissions, daysBeforeCommissionsAreDue: days, daysBeforeReferralsExpire } = terms
  const words = texts.deal
  const months = terms.maxCommissionPeriodInMonths
  return [
    words.earn(rewardOf(terms), months === null ? '' : words.limit(months)),
    ...(maxCommissions === null ? [] : [words.most(maxCommissions)]),
    days === 0 ? words.dueNow : words.dueAfter(days),
    words.counts(daysBeforeReferralsExpire),
    ...minimumOf(terms),
  ]
}

/** The smallest payout, if there is one: by currency, as far as they have their own. */
function minimumOf({ minimumPayoutCents, minimumPayouts, commissionCurrency }: Terms): string[] {
  const words = texts.deal
  if (minimumPayouts.length === 0)
    return minimumPayoutCents === 0 ? [] : [words.minimum(formatMoney(minimumPayoutCents, commissionCurrency))]
  const ofOthers = { currency: commissionCurrency, amountCents: minimumPayoutCents }
  const hasOwn = minimumPayouts.some(({ currency }) => currency === commissionCurrency)
  const all = hasOwn || minimumPayoutCents === 0 ? minimumPayouts : [ofOthers, ...minimumPayouts]
  const rest =
    minimumPayoutCents === 0 ? words.anyAmount : words.atLeast(formatAmount(minimumPayoutCents, commissionCurrency))
  return [words.minimums(listOfMoney(all, 'or'), rest)]
}

function rewardOf({ rewardType, commissionPercent, commissionAmountCents, commissionCurrency }: Terms): string {
  const words = texts.deal
  return rewardType === 'PERCENT'
    ? words.percent(formatNumber((commissionPercent ?? 0) / 100, { style: 'percent', maximumFractionDigits: 2 }))
    : words.amount(formatMoney(commissionAmountCents ?? 0, commissionCurrency))
}
