import type { Period } from '../../kernel/periods.ts'
import type { StoredConditions } from './conditions/all.ts'

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

/** Missing limits default to the campaign's. */
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
