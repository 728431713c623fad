import type { AnalyticsInterval, NumbersQuery, SeriesFragment } from '../../../generated/portal/graphql.ts'
import { readableAmount, readableMoney } from './format.tsx'

export type What = 'visitors' | 'leads' | 'conversions' | 'earnings'

/** What a chart draws. Amounts are minor units, which `write` puts into words. */
export type Series = {
  name: string
  points: { start: string; label: string; value: number }[]
  write(value: number): string
  /** The same where the unit is written above or beside. */
  writeShort(value: number): string
  unit?: string
}

/** The four series of an answer. A point is called as a person of the browser's language calls its day, week or month. */
export function seriesOf(analytics: NumbersQuery['me']['analytics']): Record<What, Series> {
  const { currency } = analytics
  const series = (name: string, { interval, points }: SeriesFragment, money?: { unit: string }): Series => ({
    name,
    ...money,
    write: (value) => (money ? readableMoney(value, currency) : value.toLocaleString()),
    writeShort: (value) => (money ? readableAmount(value, currency) : value.toLocaleString()),
    points: points.map(({ start, value, money }) => ({
      start,
      label: nameOf(start, interval),
      value: money?.amountCents ?? value ?? 0,
    })),
  })
  return {
    visitors: series('Visitors', analytics.visitors),
    leads: series('Leads', analytics.leads),
    conversions: series('Conversions', analytics.conversions),
    earnings: series('Earnings', analytics.earnings, { unit: currency.toUpperCase() }),
  }
}

const dayNames = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })
const monthNames = new Intl.DateTimeFormat(undefined, { month: 'short', year: 'numeric' })

const nameOf = (start: string, interval: AnalyticsInterval) =>
  (interval === 'MONTH' ? monthNames : dayNames).format(new Date(start))

/**
 * The lines across a chart: round numbers from at or below the least to at or above the most, always with 0, and whole
 * ones, as neither people nor minor units come in halves.
 */
export function gridOf(values: readonly number[]): number[] {
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)]
  const rough = Math.max(1, (most - least) / 3)
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = Math.max(1, ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power)
  const lines: number[] = []
  for (let line = Math.floor(least / step) * step; line < most + step; line += step) lines.push(line)
  return lines.length > 1 ? lines : [0, 1]
}
