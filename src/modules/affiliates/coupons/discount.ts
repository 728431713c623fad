import type { AffiliateCoupon, Program } from '../../../generated/prisma/client.ts'
import type { Problem } from '../../../kernel/errors.ts'
import { placedAt } from '../../../kernel/input/entries.ts'
import { problem, readFields } from '../../../kernel/input/parse.ts'
import { readableAmount } from '../../../kernel/money/decimals.ts'
import { couponDiscountInput } from './input.ts'

/** What a customer saves with a coupon: a percentage in basis points, or an amount in minor units of `currency`. */
export type Discount = { basisPoints: number | null; amountCents: bigint | null; currency: string | null }

type Columns = Pick<AffiliateCoupon, 'discountBasisPoints' | 'discountAmountCents' | 'discountCurrency'>

/** Reads a discount: exactly one of percentage and amount. @param raw undefined or null: no discount */
export function readDiscount(
  raw: unknown,
  program: Pick<Program, 'currency'>,
): { value: Discount | null; problems: Problem[] } {
  if (raw === undefined || raw === null) return { value: null, problems: [] }
  const { readable, problems } = readFields(couponDiscountInput, raw)
  const { percent = null, amountCents = null, currency } = readable
  if (problems.length === 0) {
    if ((percent === null) === (amountCents === null))
      problems.push({ field: 'discount', message: 'Discount must be a percentage or an amount.', path: [] })
    if (percent === 0) problems.push(problem('percent', 'must be above 0'))
    if (amountCents === null && currency !== undefined)
      problems.push(problem('currency', 'is only for an amount: a percentage has none'))
  }
  return {
    value: {
      basisPoints: percent,
      amountCents: amountCents === null ? null : BigInt(amountCents),
      currency: amountCents === null ? null : (currency ?? program.currency),
    },
    problems: problems.map((one) => placedAt(['discount'], one)),
  }
}

export const discountColumns = (discount: Discount | null | undefined): Columns => ({
  discountBasisPoints: discount?.basisPoints ?? null,
  discountAmountCents: discount?.amountCents ?? null,
  discountCurrency: discount?.currency ?? null,
})

export const discountOf = (coupon: Columns): Discount | null =>
  coupon.discountBasisPoints === null && coupon.discountAmountCents === null
    ? null
    : {
        basisPoints: coupon.discountBasisPoints,
        amountCents: coupon.discountAmountCents,
        currency: coupon.discountCurrency,
      }

/** For the history. */
export function discountInWords({
  discountBasisPoints,
  discountAmountCents,
  discountCurrency,
}: Columns): string | null {
  if (discountBasisPoints !== null) return `${discountBasisPoints / 100} %`
  return discountAmountCents === null ? null : readableAmount(discountAmountCents, String(discountCurrency))
}
