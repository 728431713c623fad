import type { RewardType } from '../../generated/prisma/enums.ts'
import type { CapLimit } from '../rules/cap.ts'
import type { TierOfSale } from '../rules/tiers.ts'

/** The fields of a campaign that determine what a sale earns. They are copied to the commission. */
export type Rule = {
  rewardType: RewardType
  commissionBasisPoints: number | null
  commissionAmountCents: bigint | null
  commissionCurrency: string
  maxCommissions: number | null
  maxCommissionPeriodInMonths: number | null
  daysBeforeCommissionsAreDue?: number
  /** Whether a commission rule says so. */
  earnsNothing?: boolean
}

/** The rule for one item of a sale. A fixed amount is for each unit of it, and a cap is for all items of the rule. */
export type ItemRule = Rule & { rule: { id: string; name: string }; cap?: readonly CapLimit[]; tier?: TierOfSale }

/** The rule for a sale. `itemTerms` are those of its items, in their order: null if an item earns with the rest. */
export type SaleRule = Rule & {
  itemTerms?: readonly (ItemRule | null)[]
  /** The cap of the commission rule that applies, for the whole commission. */
  cap?: readonly CapLimit[]
  /** How the tiers of the rule apply. */
  tier?: TierOfSale
}
