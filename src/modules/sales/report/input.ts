import { z } from 'zod'
import {
  cents,
  currency,
  described,
  email,
  instant,
  optional,
  reference,
  required,
  text,
  token,
} from '../../../kernel/input/fields.ts'

export const reportConversionInput = z.object({
  amountCents: required(described(cents(), "The sale's amount in minor units of its currency.", { example: 4900 })),
  referralId: optional(
    described(reference(), 'The referral that the sale came from, as the tracking script gives it.'),
  ),
  email: optional(described(email(), "The customer's e-mail.", { example: 'grace@example.com' })),
  coupon: optional(described(token(), 'The coupon code that was used.', { example: 'ADA20' })),
  currency: optional(described(currency(), "ISO 4217; the program's currency unless given.")),
  externalId: optional(
    described(text(), 'The sale in your billing system. Reported again, it changes nothing.', { example: 'inv_1001' }),
  ),
  customerName: optional(described(text(), "The customer's name.", { example: 'Grace Hopper' })),
  occurredAt: optional(described(instant(), 'When the sale occurred; now, unless given.')),
})

export type ConversionInput = z.output<typeof reportConversionInput>
