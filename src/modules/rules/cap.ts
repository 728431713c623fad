import { type PeriodSpan, periodOf } from '../../kernel/periods.ts'
import type { StoredCap } from './rule.ts'

/** What an affiliate has earned by a rule in the month and year of a sale, before it. */
export type CapUse = { monthCents: bigint; yearCents: bigint }

/** A part of a cap: the most that is paid, and what of it was earned before the sale. In minor units. */
export type CapLimit = { per: 'sale' | 'month' | 'year'; atMostCents: bigint; usedCents: bigint }

export const unused: CapUse = { monthCents: 0n, yearCents: 0n }

/** Whether earlier sales of the affiliate count for the cap. */
export const needsUse = (cap: StoredCap | undefined): cap is StoredCap =>
  cap?.perMonthCents !== undefined || cap?.perYearCents !== undefined

/** The month and the year in which a sale counts. */
export const capPeriods = (at: Date, timeZone: string): { month: PeriodSpan; year: PeriodSpan } => ({
  month: periodOf(at, 'month', timeZone),
  year: periodOf(at, 'year', timeZone),
})

export function limitsOfCap({ perSaleCents, perMonthCents, perYearCents }: StoredCap, use: CapUse): CapLimit[] {
  const limits = [
    { per: 'sale' as const, most: perSaleCents, usedCents: 0n },
    { per: 'month' as const, most: perMonthCents, usedCents: use.monthCents },
    { per: 'year' as const, most: perYearCents, usedCents: use.yearCents },
  ]
  return limits.flatMap(({ per, most, usedCents }) =>
    most === undefined ? [] : [{ per, atMostCents: BigInt(most), usedCents }],
  )
}

/** What a limit leaves for the sale. Never below 0. */
const leftOf = ({ atMostCents, usedCents }: CapLimit): bigint =>
  usedCents < atMostCents ? atMostCents - usedCents : 0n

/** The limit that leaves least. Null without one. */
export const tightest = (limits: readonly CapLimit[]): (CapLimit & { leftCents: bigint }) | null =>
  limits
    .map((limit) => ({ ...limit, leftCents: leftOf(limit) }))
    .reduce<(CapLimit & { leftCents: bigint }) | null>(
      (least, limit) => (least === null || limit.leftCents < least.leftCents ? limit : least),
      null,
    )

/** What a cap leaves of an amount. */
export function cappedCents(cents: bigint, limits: readonly CapLimit[] = []): bigint {
  const limit = tightest(limits)
  return limit && limit.leftCents < cents ? limit.leftCents : cents
}
