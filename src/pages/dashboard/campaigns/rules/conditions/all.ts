import { affiliate } from './affiliate.tsx'
import { amount } from './amount.tsx'
import { billingInterval } from './billing-interval.tsx'
import type { RuleCondition } from './condition.ts'
import { coupon } from './coupon.tsx'
import { group } from './group.tsx'
import { payment } from './payment.tsx'
import { product } from './product.tsx'

const all = { affiliate, group, coupon, product, payment, billingInterval, amount }

type ValuesOf<C> = C extends RuleCondition<infer Values> ? (values: Values) => void : never

/** What the form has of all conditions. */
export type ConditionValues =
  ValuesOf<(typeof all)[keyof typeof all]> extends (values: infer Values) => void ? Values : never

/** In the order of the form. */
export const conditions = Object.entries(all as unknown as Record<string, RuleCondition<ConditionValues>>).map(
  ([name, condition]) => ({ name, ...condition }),
)

export const noConditions: ConditionValues = Object.assign({}, ...conditions.map(({ none }) => none))
