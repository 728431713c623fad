import { TextField } from '../../../form/fields.tsx'
import { texts } from '../../../texts.ts'
import { defineCondition, listOf } from './condition.ts'

const words = texts.campaigns.rules

export const product = defineCondition<{ productIds: string }>({
  none: { productIds: '' },
  Fields: ({ form }) => <TextField form={form} name="productIds" label={words.products} hint={words.productsHint} />,
  input: ({ productIds: typed }) => (listOf(typed).length > 0 ? { productIds: listOf(typed) } : {}),
  typed: ({ productIds }) => ({ productIds: productIds?.join(', ') ?? '' }),
  said: ({ productIds }) => productIds && words.ofProducts(productIds.join(', ')),
})
