import type { StoredConditions } from './conditions/all.ts'
import type { StoredReward } from './rewards/all.ts'

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

/** Missing limits default to the campaign's. */
export type StoredLimits = { maxCommissions?: number; maxPeriodInMonths?: number; daysBeforeDue?: number }

/**
 * The most that a rule pays: for a sale, and to an affiliate in a calendar month and year. In minor units of the
 * commission's currency: each currency counts for itself. What is absent has no cap.
 */
export type StoredCap = { perSaleCents?: string; perMonthCents?: string; perYearCents?: string }

/** Whether a rule applies to all sales from its start on, or to customers whose first sale came after it. */
export const customersOfRule = ['all_sales', 'new_customers'] as const
