import type { Period } from '../../kernel/periods.ts'

/** A commission rule as versions store it, in JSON: amounts are text, times ISO 8601. */
export type StoredRule = {
  id: string
  name: string
  conditions: StoredConditions
  reward: StoredReward
  limits: StoredLimits
  /** Absent without a cap. */
  cap?: StoredCap
  appliesTo: (typeof customersOfRule)[number]
  startsAt: string
  /** Exclusive. Null if it has no end. */
  endsAt: string | null
  createdAt: string
}

/** Whether a rule has not ended. @param now ISO 8601 */
export const isOpen = ({ endsAt }: Pick<StoredRule, 'endsAt'>, now: string): boolean => endsAt === null || endsAt > now

type Dated = Pick<StoredRule, 'name' | 'startsAt' | 'endsAt'>

/** Whether another rule of the same name begins when this one ends: a change of it that is still to come. */
export const isFollowed = ({ name, endsAt }: Dated, all: readonly Dated[]): boolean =>
  endsAt !== null && all.some((other) => other.name === name && other.startsAt >= endsAt)

/** All of them have to hold. What is absent is no condition. */
export type StoredConditions = {
  affiliateIds?: string[]
  groupIds?: string[]
  /** Keys of codes, see `couponKey`. */
  couponTokens?: string[]
  /** Ids of products. One that ends with `*` is the beginning of ids. */
  productIds?: string[]
  billingIntervals?: (typeof billingIntervals)[number][]
  payment?: (typeof payments)[number]
  minimumAmountCents?: string
  /** Inclusive. */
  maximumAmountCents?: string
  /** Lower-case ISO 4217. Always there with an amount. */
  currency?: string
}

/** The percentage is in basis points; an amount is in minor units of `currency`. */
export type StoredReward =
  | { kind: 'percent'; basisPoints: number }
  | { kind: 'amount'; amountCents: string; currency: string }
  | { kind: 'none' }
  /** For a lead: such a rule is not for sales. */
  | { kind: 'lead'; amountCents: string; currency: string }
  | {
      kind: 'tiers'
      measure: (typeof tierMeasures)[number]
      period: Period
      appliesTo: (typeof tierScopes)[number]
      /** The first is from 0, each later one from more. All have a percentage, or all an amount. */
      steps: TierStep[]
      /** Of fixed amounts. Null for percentages. */
      currency: string | null
    }

export const isForLeads = ({ reward }: Pick<StoredRule, 'reward'>): boolean => reward.kind === 'lead'

/** 100 percent, in basis points. */
export const wholeSale = 10_000

/** Whether sales can earn more than they bring. */
export const isAboveAll = (reward: StoredReward): boolean =>
  reward.kind === 'tiers'
    ? reward.steps.some(({ basisPoints = 0 }) => basisPoints > wholeSale)
    : reward.kind === 'percent' && reward.basisPoints > wholeSale

/** What is earned from a value of the measure on: minor units of revenue and commissions, else a number. */
export type TierStep = { from: string; basisPoints?: number; amountCents?: string }

/** What is absent is as in the campaign. */
export type StoredLimits = { maxCommissions?: number; maxPeriodInMonths?: number; daysBeforeDue?: number }

/**
 * The most that a rule pays: for a sale, and to an affiliate in a calendar month and year. In minor units of the
 * commission's currency: each currency counts for itself. What is absent has no cap.
 */
export type StoredCap = { perSaleCents?: string; perMonthCents?: string; perYearCents?: string }

/** Whether a rule applies to all sales from its start on, or to customers whose first sale came after it. */
export const customersOfRule = ['all_sales', 'new_customers'] as const

/** What the steps of tiers are about. */
export const tierMeasures = ['conversions', 'revenue', 'commissions'] as const

/** Whether only what is above a threshold earns by its step, or all sales of the period do. */
export const tierScopes = ['above', 'whole_period'] as const

/** How often a sale is billed. */
export const billingIntervals = ['one_off', 'month', 'year'] as const

/** A customer's first payment in the program, a later one, or what the billing system calls a subscription's first. */
export const payments = ['first', 'renewal', 'first_of_subscription'] as const

/** A product in a sale. `amountCents` is text: all units together, in minor units of the sale's currency. */
export type SoldItem = { productId: string; name: string | null; amountCents: string; quantity: number }

/** What the conditions of a rule are about. */
export type SaleToReward = {
  affiliateId: string
  /** The groups that the affiliate was in when the sale occurred. */
  groupIds: readonly string[]
  /** The keys of all codes that were reported. */
  couponKeys: readonly string[]
  amountCents: bigint
  /** Lower-case ISO 4217. */
  currency: string
  occurredAt: Date
  /** What they leave of the amount is no product. */
  items?: readonly SoldItem[]
  /** Null if the report did not say. */
  billingInterval: (typeof billingIntervals)[number] | null
  /** Which payment of its subscription it is by the billing system, from 1. Null if the report did not say. */
  paymentNumber: number | null
  /** When the first sale of the customer in the program occurred. Null if this is the first one. */
  customerSince: Date | null
}
