import type { OverviewQuery } from '../../../generated/portal/graphql.ts'
import { counted, readableMoney } from './format.tsx'

export type Terms = OverviewQuery['me']['campaign']

/** A campaign's terms as sentences. */
export function termsOf(terms: Terms): string[] {
  const { maxCommissions, daysBeforeCommissionsAreDue, daysBeforeReferralsExpire, minimumPayoutCents } = terms
  return [
    `${rewardOf(terms)} of a customer you bring${limitOf(terms)}.`,
    ...(maxCommissions === null ? [] : [`At most ${counted(maxCommissions, 'commission')} for each customer.`]),
    daysBeforeCommissionsAreDue === 0
      ? 'A commission is due at once.'
      : `A commission is due ${counted(daysBeforeCommissionsAreDue, 'day')} after the sale.`,
    `Who comes through your link counts as yours for ${counted(daysBeforeReferralsExpire, 'day')}.`,
    ...(minimumPayoutCents === 0
      ? []
      : [
          `You are paid once ${readableMoney(minimumPayoutCents, terms.commissionCurrency)} are due, or as much in another currency.`,
        ]),
  ]
}

function rewardOf({ rewardType, commissionPercent, commissionAmountCents, commissionCurrency }: Terms): string {
  return rewardType === 'PERCENT'
    ? `${(commissionPercent ?? 0).toLocaleString()}% of each sale`
    : `${readableMoney(commissionAmountCents ?? 0, commissionCurrency)} for each sale`
}

function limitOf({ maxCommissionPeriodInMonths: months }: Terms): string {
  return months === null ? '' : `, for ${counted(months, 'month')} from their first one`
}
