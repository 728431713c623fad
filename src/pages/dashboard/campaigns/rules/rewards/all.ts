import { amount, lead } from './fixed-amount.tsx'
import { none } from './none.tsx'
import { percent } from './percent.tsx'
import type { RuleReward } from './reward.ts'
import { tiers } from './tiers.tsx'

const all = { percent, amount, tiers, lead, none }

export type RewardKind = keyof typeof all

type ValuesOf<R> = R extends RuleReward<infer Values> ? (values: Values) => void : never

/** What the form has of all kinds. */
export type RewardValues = ValuesOf<(typeof all)[RewardKind]> extends (values: infer Values) => void ? Values : never

/** In the order of the form. */
export const rewards = all as unknown as Readonly<Record<RewardKind, RuleReward<RewardValues>>>

export const emptyRewards: RewardValues = Object.assign({}, ...Object.values(rewards).map(({ empty }) => empty))
