import type { z } from 'zod'
import type { Campaign } from '../../../generated/prisma/client.ts'
import type { Problem } from '../../../kernel/errors.ts'
import { problem } from '../../../kernel/input/parse.ts'
import type { Rate } from '../../../texts/en/reward.ts'

/** 100 percent, in basis points. */
const wholeSale = 10_000

/** The largest percentage of a rule that allows more than the sale. The database has the same limit. */
export const maxPercent = 1_000

/** What a reward replaces of the campaign's terms, for a sale. */
export type RewardTerms = Pick<Campaign, 'rewardType' | 'commissionBasisPoints' | 'commissionAmountCents'> & {
  /** Absent: that of the campaign. */
  commissionCurrency?: string
  earnsNothing?: boolean
}

/** What the fields of `CommissionRuleReward` show. An absent one is null. */
type Shown = { percent?: number; amountCents?: bigint; leadAmountCents?: bigint }

type Fields = Readonly<Record<string, z.ZodType>>
type Given<F extends Fields> = { [K in keyof F]?: NonNullable<z.output<F[K]>> }
export type Read<T> = { value: T; problems: Problem[] }

/** A kind of reward. Its file has all that the service knows about it. `all.ts` has the list. */
export type Reward<F extends Fields, Stored extends object> = {
  /** Its field of the input. */
  input: F
  /** Reads the stored form. Null: another kind is given. */
  read(given: Given<F>, campaign: Pick<Campaign, 'commissionCurrency'>): Read<Stored> | null
  /** Whether it is for leads, instead of sales. */
  isForLeads?: boolean
  /** The problems of percentages above 100, which are mostly slips. */
  aboveAll?(stored: Stored): Problem[]
  /** In which a sale earns by it. Null: in that of the sale. */
  currencyOf(stored: Stored): string | null
  /** Absent: the terms depend on more than the reward, or it is for leads. */
  terms?(stored: Stored): RewardTerms
  shown?(stored: Stored): Shown
  /** For the sentences of what an affiliate earns. @param currency of the campaign's fixed amounts */
  rate(stored: Stored, currency: string): Rate
}

/** A kind in the list of all. */
export type AnyReward = Reward<Fields, object>

// Methods take any stored form: `rewardOf` calls that of its kind.
export const defineReward = <F extends Fields, Stored extends object>(reward: Reward<F, Stored>): AnyReward => reward

export const aboveAll = (basisPoints: number): Problem[] =>
  basisPoints > wholeSale
    ? [problem('percent', 'must be at most 100, unless the rule has `confirmAboveAll: true`')]
    : []
