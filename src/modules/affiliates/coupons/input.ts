import { z } from 'zod'
import { described, optional, reference, required } from '../../../kernel/input/fields.ts'
import { entries, mostAtOnce } from '../../../kernel/input/lists.ts'
import { pageFields } from '../../../listing/page-fields.ts'
import { couponCode } from './code.ts'

export const createAffiliateCouponInput = z.object({
  affiliateId: required(
    described(reference(), 'The affiliate that the coupon belongs to. An affiliate has at most one coupon.'),
  ),
  token: required(
    described(
      couponCode(),
      "The coupon code: letters and digits of any script, `-`, `_`, `.`, `%`, `+`, and single blanks inside. Unique among the program's coupons, compared without regard to case.",
    ),
  ),
})

export const createAffiliateCouponsInput = z.object({
  affiliateCoupons: required(
    described(entries('CreateAffiliateCouponInput', mostAtOnce), `1 to ${mostAtOnce} coupons. Creates all or none.`),
  ),
})

export const listAffiliateCouponsInput = z.object({
  ...pageFields,
  affiliateId: optional(described(reference(), 'Only the coupon of this affiliate.')),
})
