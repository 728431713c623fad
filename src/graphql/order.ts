import type { InputRef } from '@pothos/core'
import { memoize } from '../kernel/memoize.ts'
import { pluralOf } from '../kernel/text.ts'
import type { Listing } from '../listing/listing.ts'
import type { Sort } from '../listing/window.ts'
import { builder, publicOnly } from './builder.ts'
import { enumValueName, inWords } from './names.ts'

const SortDirection = builder.enumType('SortDirection', {
  description: 'Whether values ascend or descend.',
  subGraphs: publicOnly,
  values: {
    ASC: { value: 'asc', description: 'Ascending: smallest, oldest or alphabetically first value first.' },
    DESC: { value: 'desc', description: 'Descending: largest, newest or alphabetically last value first.' },
  } as const,
})

/**
 * The field that an order sorts by. An order by an amount that rows do not have, but `where` has, is named without its
 * unit.
 */
const listedAs = ({ fields }: Listing, order: string) =>
  fields[`${order}Cents`]?.description ? `${order}Cents` : order

/** `AffiliateOrder`: how lists of affiliates can be sorted. Each order has an index. */
export const orderOf = memoize((listing: Listing): InputRef<Sort> => {
  const noun = inWords(listing.noun)
  const field = builder.enumType(`${listing.noun}OrderField`, {
    description: `Fields that ${pluralOf(noun)} can be sorted by.`,
    subGraphs: publicOnly,
    values: Object.fromEntries(
      ['createdAt', ...Object.keys(listing.orders)].map((name) => [
        enumValueName(name),
        { value: name, description: `Sorts by the ${noun}'s \`${listedAs(listing, name)}\`.` },
      ]),
    ),
  })
  return builder.inputRef<Sort>(`${listing.noun}Order`).implement({
    description: `How ${pluralOf(noun)} are sorted. When values are equal, \`createdAt\` decides, in the same direction.`,
    subGraphs: publicOnly,
    fields: (t) => ({
      field: t.field({ type: field, required: true, description: 'The field whose values are compared.' }),
      direction: t.field({
        type: SortDirection,
        required: true,
        defaultValue: 'desc',
        description: 'Ascending or descending order.',
      }),
    }),
  })
})
