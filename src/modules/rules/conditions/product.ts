import { described, optional, required, text } from '../../../kernel/input/fields.ts'
import { several } from '../../../kernel/input/lists.ts'
import { defineCondition, maxListed, sorted } from './condition.ts'

/** The id of a product, as the shop or the billing system has it. */
export const productId = () => required(text(200))

/** Ids of products. One that ends with `*` is the beginning of ids. */
export type ProductCondition = { productIds?: string[] }

/** Whether the id is one of these, or begins with one that ends with `*`. */
export const isProduct = (id: string, named: readonly string[]): boolean =>
  named.some((name) => (name.endsWith('*') ? id.startsWith(name.slice(0, -1)) : id === name))

export const product = defineCondition({
  miss: { other_product: 'The sale, or the item, is of another product.' },
  input: {
    productIds: optional(
      described(
        several(productId(), maxListed),
        'Only the items of a sale with one of these product ids. An id that ends with `*` matches every id that begins with the rest. Other items earn as without the rule. A cap is for the sum of these items, and tiers give all of them one step.',
      ),
    ),
  },
  stored: ({ productIds }): ProductCondition => ({ ...(productIds && { productIds: sorted(productIds) }) }),
  holds: ({ productIds }, sale) => !productIds || (sale.productId !== null && isProduct(sale.productId, productIds)),
  said: ({ productIds = [] }) => ({ products: productIds }),
})
