import type { RewardType } from '../../generated/prisma/enums.ts'
import type { Problem } from '../../kernel/errors.ts'
import { problem } from '../../kernel/input/parse.ts'

/** What a campaign pays for a sale: either a percentage of it or a fixed amount. */
export type Reward = {
  rewardType: RewardType
  commissionBasisPoints: number | null
  commissionAmountCents: bigint | null
}

/** The reward fields of a request. Undefined means omitted, null means cleared. */
export type RewardInput = {
  rewardType?: RewardType | undefined
  commissionPercent?: number | null | undefined
  commissionAmountCents?: bigint | null | undefined
  commissionCurrency?: string | undefined
}

/** Which reward applies: the given one, by its type if both are given, else the current one; or the problem. */
export function decideReward(input: RewardInput, current: Reward | null): Reward | Problem {
  const percent = input.commissionPercent ?? null
  const amount = input.commissionAmountCents ?? null
  if (percent !== null && amount !== null) {
    if (input.rewardType) return reward(input.rewardType, percent, amount)
    return {
      message:
        'Commission percent and commission amount cents are mutually exclusive. Give one of them, or also give the reward type.',
    }
  }
  if (percent !== null && (current !== null || input.rewardType !== 'amount')) return reward('percent', percent, null)
  if (amount !== null && (current !== null || input.rewardType !== 'percent')) return reward('amount', null, amount)
  if (current === null && !input.rewardType)
    return { message: 'Commission percent or commission amount cents must be given.' }
  return kept(input, current)
}

/** Rejects a new currency of a fixed amount without a new amount: 500.00 EUR must not become 50,000 JPY. */
export function reinterpretedAmount(
  input: RewardInput,
  { rewardType }: Reward,
  current: { commissionCurrency: string },
): Problem | null {
  const { commissionCurrency = current.commissionCurrency, commissionAmountCents: amount } = input
  if (rewardType !== 'amount' || commissionCurrency === current.commissionCurrency || typeof amount === 'bigint')
    return null
  return problem('commissionAmountCents', 'must be given with another commission currency')
}

/** The input gives no new value, so the value of the reward type must already exist. */
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
