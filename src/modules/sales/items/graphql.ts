import { builder, publicOnly } from '../../../graphql/builder.ts'
import { inputOf } from '../../../graphql/inputs.ts'
import type { RefundedItem } from '../../commissions/lines.ts'
import type { SoldItem } from '../../rules/sale.ts'
import { refundItemInput, saleItemInput } from './input.ts'

inputOf('SaleItemInput', saleItemInput)
inputOf('RefundItemInput', refundItemInput)

export const SaleItemType = builder.objectRef<SoldItem>('SaleItem').implement({
  description: 'A product in a sale.',
  subGraphs: publicOnly,
  fields: (t) => ({
    productId: t.exposeString('productId', {
      forAffiliate: true,
      description: 'The id of the product in the shop or the billing system.',
    }),
    name: t.exposeString('name', {
      forAffiliate: true,
      nullable: true,
      description: 'What the product is called. Null if the report did not say.',
    }),
    amountCents: t.field({
      forAffiliate: true,
      type: 'SafeInt',
      description:
        "The amount of all units together, in minor units of the sale's currency. Negative for a credit line, such as what an upgrade gives back for the product before.",
      resolve: ({ amountCents }) => BigInt(amountCents),
    }),
    quantity: t.exposeInt('quantity', { forAffiliate: true, description: 'The number of units.' }),
  }),
})

export const RefundItemType = builder.objectRef<RefundedItem>('RefundItem').implement({
  description: 'A product that was given back.',
  subGraphs: publicOnly,
  fields: (t) => ({
    productId: t.exposeString('productId', { forAffiliate: true, description: 'The id of the product.' }),
    amountCents: t.field({
      forAffiliate: true,
      type: 'SafeInt',
      description: "The amount that was given back for it, in minor units of the sale's currency.",
      resolve: ({ amountCents }) => BigInt(amountCents),
    }),
    quantity: t.int({
      forAffiliate: true,
      nullable: true,
      description: 'The number of units that were given back. Null if the refund did not say.',
      resolve: ({ quantity }) => quantity ?? null,
    }),
  }),
})
