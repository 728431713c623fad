import type { RewardType } from '../../generated/prisma/enums.ts'
import type { Problem } from '../../kernel/errors.ts'
import { problem } from '../../kernel/input/parse.ts'

/** What a campaign pays for a sale: a percentage of it, or a fixed amount; never both. */
export type Reward = {
  rewardType: RewardType
  commissionBasisPoints: number | null
  commissionAmountCents: bigint | null
}

/** What a request says of the reward. Left out (undefined) is not the same as cleared (null). */
export type RewardInput = {
  rewardType?: RewardType | undefined
  commissionPercent?: number | null | undefined
  commissionAmountCents?: bigint | null | undefined
}

/**
 * Decides which of the two counts. The one value that is given wins; where both are, the reward type has to say
 * which; where neither is, what was there before stays.
 *
 * @returns the whole reward, or the problem with what was said
 */
export function decideReward(input: RewardInput, current: Reward | null): Reward | Problem {
  const percent = input.commissionPercent ?? null
  const amount = input.commissionAmountCents ?? null
  if (percent !== null && amount !== null) {
    if (input.rewardType) return reward(input.rewardType, percent, amount)
    return {
      message:
        'Commission percent and commission amount cents exclude each other. Give one, or say which counts by reward type.',
    }
  }
  if (percent !== null && (current !== null || input.rewardType !== 'amount')) return reward('percent', percent, null)
  if (amount !== null && (current !== null || input.rewardType !== 'percent')) return reward('amount', null, amount)
  if (current === null && !input.rewardType)
    return { message: 'Commission percent or commission amount cents must be given.' }
  return kept(input, current)
}

/** No new value: the one that counts, or is to count from now on, has to be there already. */
function kept(input: RewardInput, current: Reward | null): Reward | Problem {
  const rewardType = input.rewardType ?? current?.rewardType ?? 'percent'
  const percent = input.commissionPercent === null ? null : (current?.commissionBasisPoints ?? null)
  const amount = input.commissionAmountCents === null ? null : (current?.commissionAmountCents ?? null)
  const missing = rewardType === 'percent' ? percent === null : amount === null
  if (missing)
    return problem(rewardType === 'percent' ? 'commissionPercent' : 'commissionAmountCents', "can't be blank")
  return reward(rewardType, percent, amount)
}

const reward = (rewardType: RewardType, percent: number | null, amount: bigint | null): Reward => ({
  rewardType,
  commissionBasisPoints: rewardType === 'percent' ? percent : null,
  commissionAmountCents: rewardType === 'amount' ? amount : null,
})
