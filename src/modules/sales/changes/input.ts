import { z } from 'zod'
import {
  cents,
  clearable,
  described,
  oneOf,
  optional,
  reference,
  text,
  unchangedIfAbsent,
} from '../../../kernel/input/fields.ts'
import { billingIntervals } from '../../rules/sale.ts'
import { saleItems } from '../items/input.ts'

export const changeSaleInput = z.object({
  amountCents: unchangedIfAbsent(
    described(
      cents(),
      'The amount of the sale before refunds, in minor units of its currency. At least what was refunded.',
      { example: 7900 },
    ),
  ),
  items: saleItems(),
  billingInterval: clearable(
    described(oneOf('BillingInterval', billingIntervals), 'How often such a sale is billed. An empty value: unknown.'),
  ),
  affiliateId: optional(
    described(
      reference(),
      'The id of the affiliate who brought the sale. Only while no commission of it is paid, and nothing is refunded.',
    ),
  ),
  reason: optional(
    described(text(), 'Why, for the history of the sale and of its commission.', { example: 'Two seats were added' }),
  ),
})

export type SaleChange = Omit<z.output<typeof changeSaleInput>, 'reason'>
