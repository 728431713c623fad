import type { Campaign } from '../../../generated/prisma/client.ts'
import { writtenAmount } from '../../../kernel/money/written.ts'
import type { JoinTexts } from '../../../texts/en/join.ts'

const percentFormat = (locale: string) => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 })

/** What a campaign pays, in plain words: "You earn 20 % of each payment for 12 months." */
export function dealOf(campaign: Campaign, locale: string, { deal }: JoinTexts): string {
  const { rewardType, commissionBasisPoints, commissionAmountCents, commissionCurrency } = campaign
  const { maxCommissions, maxCommissionPeriodInMonths: months } = campaign
  const reward =
    rewardType === 'percent'
      ? deal.percent(percentFormat(locale).format((commissionBasisPoints ?? 0) / 10_000))
      : deal.amount(writtenAmount(commissionAmountCents ?? 0n, commissionCurrency, locale))
  return deal.earn(
    reward,
    maxCommissions === null ? '' : deal.most(maxCommissions),
    months === null ? '' : deal.limit(months),
  )
}
