import { z } from 'zod'
import {
  anyCents,
  described,
  optional,
  positiveCents,
  required,
  text,
  wholeNumber,
} from '../../../kernel/input/fields.ts'
import { listed } from '../../../kernel/input/lists.ts'
import { productId as anyProductId } from '../../rules/conditions/product.ts'

const mostItems = 100
const productId = required(
  described(anyProductId(), 'The id of the product in your shop or billing system.', { example: 'plan_pro' }),
)

export const saleItemInput = z.object({
  productId,
  name: optional(described(text(), 'What the product is called.', { example: 'Pro plan' })),
  amountCents: required(
    described(
      anyCents(),
      "The amount of all units together, in minor units of the sale's currency. A credit line is negative: what an upgrade gives back for the product before.",
      { example: 4000 },
    ),
  ),
  quantity: optional(described(wholeNumber(1, 1_000_000), 'The number of units. Default: 1.')),
})

export const refundItemInput = z.object({
  productId,
  amountCents: required(
    described(positiveCents(), "The amount that is given back for it, in minor units of the sale's currency.", {
      example: 2000,
    }),
  ),
  quantity: optional(
    described(
      wholeNumber(1, 1_000_000),
      'The number of units that are given back, each of which loses its fixed amount. Default: as many as the amount covers whole, by the price of the sale.',
    ),
  ),
})

export const saleItems = () =>
  optional(
    described(
      listed('SaleItemInput', saleItemInput, mostItems),
      'The products that were sold, at most 100. Their amounts add up to at most the amount of the sale; the rest is no product. Each item earns by itself.',
    ),
  )

export const refundItems = () =>
  optional(
    described(
      listed('RefundItemInput', refundItemInput, mostItems),
      'The products that are given back, at most 100. Their amounts add up to at most the amount of the refund. Without them, the refund is divided among all items.',
    ),
  )
