import { TextField } from '../../../form/fields.tsx'
import { texts } from '../../../texts.ts'
import { defineCondition, listOf } from './condition.ts'

const words = texts.campaigns.rules

export const coupon = defineCondition<{ couponTokens: string }>({
  none: { couponTokens: '' },
  Fields: ({ form }) => <TextField form={form} name="couponTokens" label={words.coupons} hint={words.couponsHint} />,
  input: ({ couponTokens: typed }) => (listOf(typed).length > 0 ? { couponTokens: listOf(typed) } : {}),
  typed: ({ couponTokens }) => ({ couponTokens: couponTokens?.join(', ') ?? '' }),
  said: ({ couponTokens }) => couponTokens && words.withCodes(couponTokens.join(', ')),
})
