import { z } from 'zod'
import {
  clearable,
  currency,
  described,
  optional,
  percent,
  positiveCents,
  reference,
  required,
} from '../../../kernel/input/fields.ts'
import { entries, entry, mostAtOnce } from '../../../kernel/input/lists.ts'
import { pageFields } from '../../../listing/page-fields.ts'
import { couponCode } from './code.ts'

export const couponDiscountInput = z.object({
  percent: optional(
    described(percent(), 'The percentage that the customer saves, above 0 and at most 100.', { example: 20 }),
  ),
  amountCents: optional(
    described(positiveCents(), 'The amount that the customer saves, in minor units of `currency`.', { example: 500 }),
  ),
  currency: optional(
    described(currency(), "The currency of the amount, as an ISO 4217 code. Defaults to the program's currency."),
  ),
})

const discount = described(
  entry('CouponDiscountInput'),
  'What the customer saves with the code: a percentage or an amount. It is shown to the affiliate; the shop gives it.',
)

export const createAffiliateCouponInput = z.object({
  affiliateId: required(
    described(reference(), 'The affiliate that the coupon belongs to. An affiliate can have several.'),
  ),
  token: required(
    described(
      couponCode(),
      "The coupon code: letters and digits of any script, `-`, `_`, `.`, `%`, `+`, and single blanks inside. Unique among the program's coupons, compared without regard to case.",
    ),
  ),
  discount: optional(discount),
})

export const updateAffiliateCouponInput = z.object({ discount: clearable(discount) })

export const createAffiliateCouponsInput = z.object({
  affiliateCoupons: required(
    described(entries('CreateAffiliateCouponInput', mostAtOnce), `1 to ${mostAtOnce} coupons. Creates all or none.`),
  ),
})

export const listAffiliateCouponsInput = z.object({
  ...pageFields,
  affiliateId: optional(described(reference(), 'Only coupons of this affiliate.')),
})
