import { z } from 'zod'
import type { SoldPart } from '../sale.ts'
import { type AffiliateCondition, affiliate } from './affiliate.ts'
import { type AmountCondition, amount } from './amount.ts'
import { type BillingIntervalCondition, billingInterval } from './billing-interval.ts'
import type { AnyCondition } from './condition.ts'
import { type CouponCondition, coupon } from './coupon.ts'
import { type GroupCondition, group } from './group.ts'
import { type PaymentCondition, payment } from './payment.ts'
import { type ProductCondition, product } from './product.ts'

/** What makes a rule specific, the strongest first. Those of one line are as strong. Source: docs/rules.md. */
const byStrength = [[affiliate], [group], [coupon], [product], [billingInterval, payment], [amount]] as const

export const conditions = byStrength.flat()

/** All of them have to hold. What is absent is no condition. */
export type StoredConditions = AffiliateCondition &
  GroupCondition &
  CouponCondition &
  ProductCondition &
  BillingIntervalCondition &
  PaymentCondition &
  AmountCondition

type MissOf<C> = C extends AnyCondition<infer Miss> ? Miss : never

export type ConditionMiss = MissOf<(typeof conditions)[number]>

/** Why a rule does not apply to a sale, and the meaning. */
export const conditionMisses = Object.assign({}, ...conditions.map(({ miss }) => miss)) as Record<ConditionMiss, string>

export const commissionRuleConditionsInput = z.object(
  Object.assign({}, ...conditions.map(({ input }) => input)) as Record<string, z.ZodType>,
)

const isGiven = ({ input }: AnyCondition, stored: StoredConditions): boolean =>
  Object.keys(input).some((field) => field in stored)

/** One bit for each line of `byStrength`, the strongest highest. */
export const specificity = (stored: StoredConditions): number =>
  byStrength.reduce((sum, equal) => sum * 2 + (equal.some((one) => isGiven(one, stored)) ? 1 : 0), 0)

/** The conditions of a rule that a part of a sale does not meet. */
export function missesOf(stored: StoredConditions, sale: SoldPart): ConditionMiss[] {
  const misses: ConditionMiss[] = []
  for (const { holds, miss } of conditions)
    if (!holds(stored, sale)) misses.push(...(Object.keys(miss) as ConditionMiss[]))
  return misses
}

/** The fields of conditions that are about the sale. */
export const saleFieldsOf = (stored: StoredConditions): string[] =>
  conditions.flatMap(({ input, isOfAffiliate }) =>
    isOfAffiliate ? [] : Object.keys(input).filter((field) => field in stored),
  )
