import type { Campaign } from '../../../generated/prisma/client.ts'
import { writtenAmount } from '../../../kernel/money/written.ts'

/** What a campaign pays, in plain words: "You earn 20 % of each payment for 12 months." */
export function dealOf(campaign: Campaign, locale: string): string {
  const { rewardType, commissionBasisPoints, commissionAmountCents, commissionCurrency } = campaign
  const { maxCommissions, maxCommissionPeriodInMonths: months } = campaign
  const reward =
    rewardType === 'percent'
      ? `${new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 }).format((commissionBasisPoints ?? 0) / 10_000)} of each payment`
      : `${writtenAmount(commissionAmountCents ?? 0n, commissionCurrency, locale)} for each payment`
  const limits = [
    maxCommissions === null ? '' : ` at most ${maxCommissions} times`,
    months === null ? '' : ` for ${months} ${months === 1 ? 'month' : 'months'}`,
  ]
  return `You earn ${reward} of a customer that you bring${limits.join('')}.`
}
