import type { PeriodSpan } from '../../kernel/periods.ts'
import { localOf } from '../../kernel/time-zone.ts'
import { measured, periods } from '../../texts/en/why.ts'
import { plainWriter } from '../../texts/writer.ts'
import type { Tiers } from './rewards/tiers.ts'
import type { SoldInPeriod } from './tiers.ts'
import { earnedBy } from './why.ts'

/** The reason of a correction, as it is stored: what all sales of the period earn now, and why. */
export function tierReason(
  name: string,
  tiers: Tiers,
  step: number,
  { conversions, revenueCents, commissionsCents }: SoldInPeriod,
  { from }: PeriodSpan,
  timeZone: string,
  currency: string,
): string {
  const { measure, period } = tiers
  const value = measure === 'conversions' ? conversions : measure === 'revenue' ? revenueCents : commissionsCents
  const earns = earnedBy(tiers, step)
  const rate = 'basisPoints' in earns ? plainWriter.percent(earns.basisPoints) : plainWriter.money(earns)
  const since = from ? ` from ${plainWriter.day(new Date(localOf(from.getTime(), timeZone)))}` : ''
  const has = measured({ measure, value, currency }, plainWriter)
  return `the rule "${name}" gives ${rate} of every sale ${periods[period]}${since}, because the affiliate has ${has}`
}
