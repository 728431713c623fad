import { z } from 'zod'
import { described, optional, text } from '../../../kernel/input/fields.ts'
import { reportConversionInput } from '../report/input.ts'

const { amountCents, currency, email, customerName, occurredAt, billingInterval, paymentNumber, items } =
  reportConversionInput.shape

export const recordSaleInput = z.object({
  amountCents,
  currency,
  email,
  customerName,
  externalId: optional(
    described(text(), 'The id of the sale in your billing system. One that is recorded already is rejected.', {
      example: 'inv_1001',
    }),
  ),
  occurredAt,
  billingInterval,
  paymentNumber,
  items,
})
