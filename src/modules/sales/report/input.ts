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
  amountCents: required(
    described(cents(), 'The amount of the sale, in minor units of its currency.', { example: 4900 }),
  ),
  referralId: optional(
    described(reference(), 'The id of the referral that the sale belongs to, as the tracking script returns it.'),
  ),
  email: optional(described(email(), "The customer's e-mail address.", { example: 'grace@example.com' })),
  coupon: optional(described(token(), 'The token of the coupon that the customer used.', { example: 'ADA20' })),
  currency: optional(
    described(currency(), "The currency of the sale, as an ISO 4217 code. Default: the program's currency."),
  ),
  externalId: optional(
    described(
      text(),
      'The id of the sale in your billing system. Reporting a known id again changes nothing and returns the first sale.',
      { example: 'inv_1001' },
    ),
  ),
  customerName: optional(described(text(), "The customer's name.", { example: 'Grace Hopper' })),
  billingCustomerId: optional(
    described(
      text(),
      "The customer's id in the billing system. Stored on the referral, unless the referral already has one.",
      { example: 'cus_456' },
    ),
  ),
  occurredAt: optional(described(instant(), 'When the sale occurred. Default: now.')),
})

export type ConversionInput = z.output<typeof reportConversionInput>
