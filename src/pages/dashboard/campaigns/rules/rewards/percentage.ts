import { readDecimal } from '../../../../parts/amount.ts'
import { formatNumber } from '../../../../parts/locale.ts'

/** The largest percentage of the service. */
const most = 1_000

/** A percentage that was typed. NaN for other text. */
export const percentOf = (typed: string): number => Number(readDecimal(typed) ?? Number.NaN)

export const isPercentage = (typed: string): boolean => percentOf(typed) >= 0 && percentOf(typed) <= most

export const formatShare = (percent: number): string =>
  formatNumber(percent / 100, { style: 'percent', maximumFractionDigits: 2 })
