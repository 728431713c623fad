import { z } from 'zod'
import {
  cents,
  currency,
  described,
  email,
  instant,
  oneOf,
  optional,
  reference,
  required,
  text,
  wholeNumber,
} from '../../../kernel/input/fields.ts'
import { withWire } from '../../../kernel/input/wire.ts'
import { agentClaims } from '../../affiliates/agents/input.ts'
import type { AgentClaim } from '../../affiliates/agents/read-claims.ts'
import { billingIntervals, type SoldItem } from '../../rules/sale.ts'
import { saleItems } from '../items/input.ts'

/** A report can name at most this many codes. */
const mostCodes = 20

/** The codes that a customer used: one, several with commas, or a list. Shops also have codes with other letters. */
const couponCodes = () =>
  withWire(
    z
      .preprocess(
        (value) => [value].flat().flatMap((item) => (typeof item === 'string' ? item.split(',') : [item])),
        z.array(z.unknown()),
      )
      .transform((items, context) => {
        const codes = items.flatMap((item) => code.safeParse(item).data ?? [])
        if (codes.length > 0) return codes.slice(0, mostCodes)
        context.addIssue({ code: 'custom', message: 'must be a code, or several divided by commas' })
        return z.NEVER
      }),
    { type: 'string', maxLength: 2_000 },
  )
const code = required(text())

export const reportConversionInput = z.object({
  amountCents: required(
    described(cents(), 'The amount of the sale, in minor units of its currency.', { example: 4900 }),
  ),
  referralId: optional(
    described(reference(), 'The id of the referral that the sale belongs to, as the tracking script returns it.'),
  ),
  email: optional(described(email(), "The customer's e-mail address.", { example: 'grace@example.com' })),
  coupon: optional(
    described(
      couponCodes(),
      'The code that the customer used. Several are separated by commas, or a list in JSON; they are tried in order. An unknown code is not an error.',
      { example: 'ADA20' },
    ),
  ),
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
  billingInterval: optional(
    described(
      oneOf('BillingInterval', billingIntervals),
      'How often such a sale is billed: `one_off`, `month` or `year`. Commission rules can ask for it.',
    ),
  ),
  paymentNumber: optional(
    described(
      wholeNumber(1, 1_000_000),
      'Which payment of its subscription it is, as the billing system says: 1 is the first. The rules for `FIRST_OF_SUBSCRIPTION` ask for it. Which payment is the first of a customer follows from the sales.',
    ),
  ),
  items: saleItems(),
  affiliateAttribution: agentClaims(),
})

/** `items` and `affiliateAttribution` are read: see `readSaleItems` and `readClaims`. */
export type ConversionInput = Omit<z.output<typeof reportConversionInput>, 'items' | 'affiliateAttribution'> & {
  items: SoldItem[] | null
  affiliateAttribution?: readonly AgentClaim[] | undefined
}

/** The fields without which a sale can still be recorded. They are left out if they cannot be used. */
export const droppableFields: readonly string[] = [
  'referralId',
  'email',
  'coupon',
  'affiliateAttribution',
  'customerName',
  'billingCustomerId',
  'billingInterval',
  'paymentNumber',
] satisfies (keyof ConversionInput)[]
