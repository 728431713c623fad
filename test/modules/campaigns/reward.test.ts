import { expect, it } from 'vitest'
import { decideReward, type Reward, type RewardInput } from '../../../src/modules/campaigns/reward.ts'

const ten: Reward = { rewardType: 'percent', commissionBasisPoints: 1000, commissionAmountCents: null }
const fiveEuro: Reward = { rewardType: 'amount', commissionBasisPoints: null, commissionAmountCents: 500n }

const decided: [string, RewardInput, Reward | null, Reward][] = [
  ['a percentage alone', { commissionPercent: 1000 }, null, ten],
  ['an amount alone', { commissionAmountCents: 500n }, null, fiveEuro],
  ['0 percent is a reward', { commissionPercent: 0 }, null, { ...ten, commissionBasisPoints: 0 }],
  ['an amount of 0 is a reward', { commissionAmountCents: 0n }, null, { ...fiveEuro, commissionAmountCents: 0n }],
  ['both, percent counts', { rewardType: 'percent', commissionPercent: 1000, commissionAmountCents: 9n }, null, ten],
  ['both, amount counts', { rewardType: 'amount', commissionPercent: 9, commissionAmountCents: 500n }, null, fiveEuro],
  ['nothing said keeps what is there', {}, ten, ten],
  ['an amount replaces a percentage', { commissionAmountCents: 500n }, ten, fiveEuro],
  ['a percentage replaces an amount', { commissionPercent: 1000 }, fiveEuro, ten],
  ['clearing an unset value changes nothing', { commissionAmountCents: null }, ten, ten],
  ['one cleared, one given', { commissionPercent: null, commissionAmountCents: 500n }, ten, fiveEuro],
]
it.each(decided)('%s', (_label, input, current, expected) => {
  expect(decideReward(input, current)).toEqual(expected)
})

const refused: [string, RewardInput, Reward | null][] = [
  ['nothing at all', {}, null],
  ['both cleared', { commissionPercent: null, commissionAmountCents: null }, null],
  ['both and no type', { commissionPercent: 1, commissionAmountCents: 1n }, null],
  ['a type without its value', { rewardType: 'amount' }, null],
  ['a type and the other value', { rewardType: 'percent', commissionAmountCents: 1n }, null],
  ['the only value cleared', { commissionPercent: null }, ten],
  ['a reward type whose value is not set', { rewardType: 'percent' }, fiveEuro],
]
it.each(refused)('rejects %s', (_label, input, current) => {
  expect(decideReward(input, current)).toEqual(expect.objectContaining({ message: expect.any(String) }))
})
