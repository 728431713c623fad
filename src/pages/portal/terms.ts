import type { OverviewQuery } from '../../generated/portal/graphql.ts'
import { formatAmount, formatMoney, listOfMoney } from '../parts/format.tsx'
import { texts } from './texts.ts'

export type Terms = OverviewQuery['me']['campaign']

/** Returns a campaign's terms beside what is earned, as sentences. */
export const termsOf = (terms: Terms): string[] => [
  texts.deal.counts(terms.daysBeforeReferralsExpire),
  ...minimumOf(terms),
]

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
