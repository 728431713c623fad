import { z } from 'zod'
import {
  described,
  instant,
  optional,
  positiveCents,
  reference,
  text,
  unchangedIfAbsent,
} from '../../../kernel/input/fields.ts'
import type { RefundedItem } from '../../commissions/lines.ts'
import { refundItems } from '../items/input.ts'

export const refundSaleInput = z.object({
  saleId: optional(described(reference(), 'The id of the sale to refund. Give this or `externalId`.')),
  externalId: optional(
    described(text(), 'The id of the sale in your billing system. Give this or `saleId`.', { example: 'inv_1001' }),
  ),
  // An absent amount refunds all that remains. An empty one is an error, so that a mistake does not become a full
  // refund.
  amountCents: unchangedIfAbsent(
    described(
      positiveCents(),
      "The amount to refund, in minor units of the sale's currency. Default: all that remains of the sale.",
      {
        example: 2000,
      },
    ),
  ),
  refundedTotalCents: unchangedIfAbsent(
    described(
      positiveCents(),
      'All that was refunded of the sale until now, in minor units of its currency, as some billing systems report it. The difference to what is known is recorded. Give this or `amountCents`.',
      { example: 3000 },
    ),
  ),
  refundExternalId: optional(
    described(
      text(),
      'The id of the refund in your billing system. Reporting a known id again changes nothing and returns the first refund.',
      { example: 're_1001' },
    ),
  ),
  items: refundItems(),
  occurredAt: optional(
    described(
      instant(),
      'When the refund was made, at most one day ahead. It counts from then on: a sale after it can take its place under a limit. Default: now.',
    ),
  ),
})

export const reverseRefundInput = z.object({
  refundId: optional(described(reference(), 'The id of the refund. Give this or `externalId`.')),
  externalId: optional(
    described(text(), 'The id of the refund in your billing system. Give this or `refundId`.', { example: 're_1001' }),
  ),
  reason: optional(
    described(text(), 'Why it is reversed, for the history: "dispute won".', { example: 'dispute won' }),
  ),
})

/** `items` are read: see `readRefundItems`. Null if the report names none. */
export type RefundInput = Omit<z.output<typeof refundSaleInput>, 'items'> & { items: RefundedItem[] | null }
