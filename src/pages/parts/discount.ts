import { formatMoney } from './format.tsx'
import { formatNumber } from './locale.ts'

/** What a customer saves with a coupon: a percentage, or an amount. */
export type Discount = { percent: number | null; amountCents: number | null; currency: string | null }

export const discountText = ({ percent, amountCents, currency }: Discount): string =>
  percent === null
    ? formatMoney(amountCents ?? 0, currency ?? '')
    : formatNumber(percent / 100, { style: 'percent', maximumFractionDigits: 2 })
