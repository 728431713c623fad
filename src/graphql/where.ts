import type { InputFieldRef, InputRef } from '@pothos/core'
import { memoize } from '../kernel/memoize.ts'
import { pluralOf } from '../kernel/text.ts'
import type { Field, Listing } from '../listing/listing.ts'
import { listingOf } from '../listing/registry.ts'
import type { Where } from '../listing/where.ts'
import { builder, type InputFields, publicOnly, type Types } from './builder.ts'
import { listedDescription } from './descriptions.ts'
import { filterOf } from './filters.ts'
import { inWords } from './names.ts'

const whereRefOf = memoize((listing: Listing) => builder.inputRef<Where>(`${listing.noun}Where`))

/** `AffiliateWhere`: the conditions on affiliates, the same for lists, totals and relations. */
export const whereOf = (listing: Listing): InputRef<Where> => whereRefOf(listing)

/** Defines the fields of `AffiliateWhere`, once for each listing; they refer to other listings' conditions. */
export function defineWhere(listing: Listing): void {
  whereRefOf(listing).implement({
    description: `Conditions on ${pluralOf(inWords(listing.noun))}. A record matches when all of them hold.`,
    subGraphs: publicOnly,
    fields: (t) => whereFields(listing, t),
  })
}

function whereFields(listing: Listing, t: InputFields) {
  const self = whereOf(listing)
  const fields: Record<string, InputFieldRef<Types, NonNullable<unknown> | null | undefined>> = {
    and: t.field({
      type: [self],
      description: 'Matches when all of these conditions hold. An empty list matches every record.',
    }),
    or: t.field({
      type: [self],
      description: 'Matches when at least one of these conditions holds. An empty list matches no record.',
    }),
    not: t.field({ type: self, description: 'Matches when these conditions do not hold.' }),
  }
  if (listing.search)
    fields.search = t.field({
      type: 'String',
      description:
        'Words to search for. Each word has to be part of the name or the e-mail. Upper and lower case are the same.',
    })
  for (const [name, field] of Object.entries(listing.fields)) fields[name] = whereField(listing, name, field, t)
  return fields
}

function whereField(listing: Listing, name: string, field: Field, t: InputFields) {
  if (field.kind === 'one')
    return t.field({
      type: whereOf(listingOf(field.of)),
      description: `Conditions that the ${inWords(listing.noun)}'s ${inWords(name)} meets.`,
    })
  if (field.kind === 'many')
    return t.field({
      type: relatedWhereOf(listingOf(field.of)),
      description: `Filters by the ${inWords(listing.noun)}'s ${inWords(name)}: at least one, none, or all match.`,
    })
  return t.field({ type: filterOf(field), ...listedDescription(listing, name) })
}

/** `SomeAffiliateWhere`: conditions on the many affiliates of a record. */
const relatedWhereOf = memoize((listing: Listing): InputRef<Where> => {
  const noun = inWords(listing.noun)
  return builder.inputRef<Where>(`Some${listing.noun}Where`).implement({
    description: `Conditions on the ${pluralOf(noun)} that belong to a record.`,
    subGraphs: publicOnly,
    fields: (t) => ({
      some: t.field({
        type: whereOf(listing),
        description: `At least one ${noun} meets these conditions. {} matches when there is any ${noun}.`,
      }),
      none: t.field({
        type: whereOf(listing),
        description: `No ${noun} meets these conditions. {} matches when there is no ${noun}.`,
      }),
      every: t.field({
        type: whereOf(listing),
        description: `All ${pluralOf(noun)} meet these conditions. Also matches when there is no ${noun}.`,
      }),
    }),
  })
})
