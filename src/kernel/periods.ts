import { localOf, momentOf } from './time-zone.ts'

export const periods = ['month', 'quarter', 'year', 'ever'] as const
export type Period = (typeof periods)[number]

/** `from` is inclusive, `to` exclusive. Null: without a beginning, or an end. */
export type PeriodSpan = { from: Date | null; to: Date | null }

const lengths = { month: 1, quarter: 3, year: 12 } as const

/** The calendar period of a time zone that contains a time. */
export function periodOf(at: Date, period: Period, timeZone: string): PeriodSpan {
  if (period === 'ever') return { from: null, to: null }
  const local = new Date(localOf(at.getTime(), timeZone))
  const months = lengths[period]
  const first = Math.floor(local.getUTCMonth() / months) * months
  const startOf = (month: number) => new Date(momentOf(Date.UTC(local.getUTCFullYear(), month), timeZone))
  return { from: startOf(first), to: startOf(first + months) }
}
