import type { InputFieldMap } from '@pothos/core'
import type { Field } from '../kernel/listing/listing.ts'
import { builder, publicOnly } from './builder.ts'
import { enumOf } from './enums.ts'

const either = 'Several comparisons all hold.'

/** `equals`, `in` and `not`, of whatever can be compared so. */
const comparisons = (t: { field(options: object): unknown }, type: unknown) => ({
  equals: t.field({ type, description: 'Is this; null: has none.' }),
  in: t.field({ type: [type], description: 'Is one of these.' }),
  not: t.field({ type, description: 'Is not this; null: has one.' }),
})

const ranges = (t: { field(options: object): unknown }, type: unknown) => ({
  gt: t.field({ type, description: 'More, or later, than this.' }),
  gte: t.field({ type, description: 'This, or more, or later.' }),
  lt: t.field({ type, description: 'Less, or earlier, than this.' }),
  lte: t.field({ type, description: 'This, or less, or earlier.' }),
})

const filter = (name: string, description: string, fields: (t: { field(options: object): unknown }) => object) =>
  builder.inputType(name, {
    description: `${description} ${either}`,
    subGraphs: publicOnly,
    fields: (t: never) => fields(t) as InputFieldMap,
  } as never)

export const IDFilter = filter('IDFilter', 'Compares an id.', (t) => comparisons(t, 'ID'))

const StringFilter = filter('StringFilter', 'Compares a text as a whole.', (t) => comparisons(t, 'String'))

const SearchableFilter = filter('SearchableStringFilter', 'Compares a text, or looks for a part of it.', (t) => ({
  ...comparisons(t, 'String'),
  contains: t.field({ type: 'String', description: 'Has this in it, whatever the case of its letters.' }),
  startsWith: t.field({ type: 'String', description: 'Begins with this, whatever the case of its letters.' }),
}))

const DateTimeFilter = filter('DateTimeFilter', 'Compares a moment.', (t) => ({
  ...comparisons(t, 'DateTime'),
  ...ranges(t, 'DateTime'),
}))

const SafeIntFilter = filter('SafeIntFilter', 'Compares a whole number, or an amount in minor units.', (t) => ({
  ...comparisons(t, 'SafeInt'),
  ...ranges(t, 'SafeInt'),
}))

const BooleanFilter = filter('BooleanFilter', 'Compares a yes or no.', (t) => ({
  equals: t.field({ type: 'Boolean', description: 'Is this.' }),
}))

const wordFilters = new Map<string, ReturnType<typeof filter>>()

function wordFilter(enumName: string) {
  const known = wordFilters.get(enumName)
  if (known) return known
  const made = filter(`${enumName}Filter`, 'Compares a word.', (t) => comparisons(t, enumOf(enumName)))
  wordFilters.set(enumName, made)
  return made
}

/** The input by which a field of `where` that is no other resource is asked for. */
export function filterOf(field: Exclude<Field, { kind: 'one' | 'many' }>) {
  switch (field.kind) {
    case 'id':
      return IDFilter
    case 'text':
      return field.searchable ? SearchableFilter : StringFilter
    case 'instant':
      return DateTimeFilter
    case 'integer':
      return SafeIntFilter
    case 'flag':
      return BooleanFilter
    case 'word':
    case 'state':
      return wordFilter(field.enumName)
  }
}
