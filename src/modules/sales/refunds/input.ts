import { z } from 'zod'
import { described, kept, optional, positiveCents, reference, text } from '../../../kernel/input/fields.ts'

export const refundSaleInput = z.object({
  saleId: optional(described(reference(), 'The sale that is given back, as the report of it answered.')),
  externalId: optional(described(text(), 'Or the sale in your billing system.', { example: 'inv_1001' })),
  // Left out it is all that remains; empty it is a mistake, which must not become a full refund.
  amountCents: kept(
    described(
      positiveCents(),
      "How much is given back, in minor units of the sale's currency; all that remains, unless given.",
      {
        example: 2000,
      },
    ),
  ),
  refundExternalId: optional(
    described(text(), 'The refund in your billing system. Reported again, it changes nothing.', { example: 're_1001' }),
  ),
})

export type RefundInput = z.output<typeof refundSaleInput>
