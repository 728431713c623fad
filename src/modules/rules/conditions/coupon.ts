import { described, optional } from '../../../kernel/input/fields.ts'
import { several } from '../../../kernel/input/lists.ts'
import { couponCode, couponKey } from '../../affiliates/coupons/code.ts'
import { defineCondition, maxListed, sorted } from './condition.ts'

/** Keys of codes, see `couponKey`. */
export type CouponCondition = { couponTokens?: string[] }

export const coupon = defineCondition({
  miss: { other_coupon: 'The sale was reported without one of its coupon codes.' },
  input: {
    couponTokens: optional(
      described(several(couponCode(), maxListed), 'Only sales that were reported with one of these coupon codes.'),
    ),
  },
  stored: ({ couponTokens }): CouponCondition => ({
    ...(couponTokens && { couponTokens: sorted(couponTokens.map(couponKey)) }),
  }),
  async problems({ couponTokens = [] }, find) {
    const exist = await find.coupons(couponTokens)
    const path = (index: number) => ['couponTokens', index]
    return couponTokens.flatMap((code, index) =>
      exist[index] ? [] : [{ field: 'couponTokens', path: path(index), message: `Coupon not found: ${code}` }],
    )
  },
  holds: ({ couponTokens }, sale) => !couponTokens || sale.couponKeys.some((key) => couponTokens.includes(key)),
  isFor: ({ couponTokens }, { codes }) => !couponTokens || couponTokens.some((key) => codes.has(key)),
  said: ({ couponTokens = [] }, { codes }) => ({ coupons: couponTokens.flatMap((key) => codes.get(key) ?? []) }),
})
