import type { InputFieldMap, InputRef } from '@pothos/core'
import type { Listing } from '../kernel/listing/listing.ts'
import { listingOf } from '../kernel/listing/registry.ts'
import type { Where } from '../kernel/listing/where.ts'
import type { Sort } from '../kernel/listing/window.ts'
import { builder, publicOnly } from './builder.ts'
import { filterOf } from './filters.ts'

const wheres = new Map<string, InputRef<Where>>()
const quantified = new Map<string, InputRef<Where>>()
const orders = new Map<string, InputRef<Sort>>()

/** The input of this name, made at most once; it is known before its fields are, as conditions name each other in circles. */
function once<T>(made: Map<string, InputRef<T>>, key: string, name: string, implement: (ref: InputRef<T>) => object) {
  const known = made.get(key)
  if (known) return known
  const ref = builder.inputRef<T & object>(name)
  made.set(key, ref as InputRef<T>)
  ref.implement({ subGraphs: publicOnly, ...implement(ref as InputRef<T>) } as never)
  return ref as InputRef<T>
}

/** `AffiliateWhere`: the same for lists, totals and whatever asks of affiliates from somewhere else. */
export function whereOf(listing: Listing): InputRef<Where> {
  return once(wheres, listing.noun, `${listing.noun}Where`, (self) => ({
    description: 'Conditions; all of them hold.',
    fields: (t: FieldBuilder) => whereFields(listing, self, t),
  }))
}

type FieldBuilder = { field(options: object): unknown }

function whereFields(listing: Listing, self: InputRef<Where>, t: FieldBuilder): InputFieldMap {
  const fields: Record<string, unknown> = {
    and: t.field({ type: [self], description: 'All of these hold.' }),
    or: t.field({ type: [self], description: 'One of these holds.' }),
    not: t.field({ type: self, description: 'This does not hold.' }),
  }
  if (listing.search)
    fields.search = t.field({
      type: 'String',
      description: 'Words; each is a part of the name or the e-mail, whatever the case of its letters.',
    })
  for (const [name, field] of Object.entries(listing.fields)) {
    const type =
      field.kind === 'one'
        ? whereOf(listingOf(field.of))
        : field.kind === 'many'
          ? quantifiedOf(listingOf(field.of))
          : filterOf(field)
    fields[name] = t.field({ type, description: field.description })
  }
  return fields as InputFieldMap
}

/** `SomeAffiliateWhere`: what holds of a row's many affiliates. */
function quantifiedOf(listing: Listing): InputRef<Where> {
  return once(quantified, listing.noun, `Some${listing.noun}Where`, () => ({
    description: 'Of how many of the related rows the conditions hold.',
    fields: (t: FieldBuilder) => ({
      some: t.field({
        type: whereOf(listing),
        description: 'Of at least one; {} asks only whether there is any.',
      }),
      none: t.field({ type: whereOf(listing), description: 'Of none; {} asks for there being none at all.' }),
      every: t.field({ type: whereOf(listing), description: 'Of all; also where there are none.' }),
    }),
  }))
}

const SortDirection = builder.enumType('SortDirection', {
  description: 'Which comes first.',
  subGraphs: publicOnly,
  values: {
    ASC: { value: 'asc', description: 'The least, the oldest, the first letter.' },
    DESC: { value: 'desc', description: 'The most, the newest, the last letter.' },
  } as const,
})

/** "occurredAt" is OCCURRED_AT among the words of an enum. */
export const capitals = (name: string) => name.replace(/([A-Z])/g, '_$1').toUpperCase()

/** `AffiliateOrder`: what lists of affiliates can be sorted by; an index stands behind each. */
export function orderOf(listing: Listing): InputRef<Sort> {
  return once(orders, listing.noun, `${listing.noun}Order`, () => {
    const field = builder.enumType(`${listing.noun}OrderField`, {
      description: 'What rows can be sorted by.',
      subGraphs: publicOnly,
      values: Object.fromEntries(
        ['createdAt', ...Object.keys(listing.orders)].map((name) => [capitals(name), { value: name }]),
      ),
    })
    return {
      description: 'How rows are sorted; rows that are alike in it by when they were made.',
      fields: (t: FieldBuilder) => ({
        field: t.field({ type: field, required: true }),
        direction: t.field({ type: SortDirection, required: true, defaultValue: 'desc' }),
      }),
    }
  })
}
