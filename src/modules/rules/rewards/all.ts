import { z } from 'zod'
import { type AmountReward, amount } from './amount.ts'
import { type LeadReward, lead } from './lead.ts'
import { type NoReward, none } from './none.ts'
import { type PercentReward, percent } from './percent.ts'
import type { AnyReward } from './reward.ts'
import { type Tiers, tiers } from './tiers.ts'

/** Amounts are in minor units of their currency, percentages in basis points. */
export type StoredReward = PercentReward | AmountReward | NoReward | Tiers | LeadReward

export const rewards = { percent, amount, none, tiers, lead } satisfies Record<StoredReward['kind'], AnyReward>

export const rewardOf = ({ kind }: StoredReward): AnyReward => rewards[kind]

export const commissionRuleRewardInput = z.object(
  Object.assign({}, ...Object.values(rewards).map(({ input }) => input)) as Record<string, z.ZodType>,
)

/** Whether sales can earn more than they bring. */
export const isAboveAll = (reward: StoredReward): boolean => (rewardOf(reward).aboveAll?.(reward).length ?? 0) > 0

/** In which a sale earns. Null: in that of the sale. */
export const rewardCurrency = (reward: StoredReward): string | null => rewardOf(reward).currencyOf(reward)

export const isForLeads = ({ reward }: { reward: StoredReward }): boolean => rewardOf(reward).isForLeads ?? false

/** The tiers of a rule. Null if its reward does not depend on what was sold before. */
export const tiersOf = ({ reward }: { reward: StoredReward }): Tiers | null => (reward.kind === 'tiers' ? reward : null)
