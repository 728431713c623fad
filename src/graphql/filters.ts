import type { InputFieldMap } from '@pothos/core'
import { memoize } from '../kernel/memoize.ts'
import type { Field } from '../listing/listing.ts'
import { builder, type InputFields, type InputType, publicOnly } from './builder.ts'
import { enumOf } from './enums.ts'

/** `equals`, `in` and `not`, for all types with equality. */
const equality = (t: InputFields, type: InputType) => ({
  equals: t.field({ type, description: 'Matches this value. Null matches records without a value.' }),
  in: t.field({ type: [type], description: 'Matches any of these values.' }),
  not: t.field({
    type,
    description: 'Matches every other value, and records without a value. Null matches records with a value.',
  }),
})

const ranges = (t: InputFields, type: InputType) => ({
  gt: t.field({ type, description: 'Matches values greater (later) than this one.' }),
  gte: t.field({ type, description: 'Matches this value and greater (later) ones.' }),
  lt: t.field({ type, description: 'Matches values less (earlier) than this one.' }),
  lte: t.field({ type, description: 'Matches this value and lesser (earlier) ones.' }),
})

const filter = (name: string, description: string, fields: (t: InputFields) => InputFieldMap) =>
  builder.inputType(name, {
    description: `${description} A value matches when all given comparisons hold.`,
    subGraphs: publicOnly,
    fields,
  })

export const IDFilter = filter('IDFilter', 'Compares an id.', (t) => equality(t, 'ID'))

const StringFilter = filter('StringFilter', 'Compares a whole text.', (t) => equality(t, 'String'))

const SearchableFilter = filter('SearchableStringFilter', 'Compares a whole text, or a part of it.', (t) => ({
  ...equality(t, 'String'),
  contains: t.field({ type: 'String', description: 'Matches texts that contain this one. Case is ignored.' }),
  startsWith: t.field({ type: 'String', description: 'Matches texts that start with this one. Case is ignored.' }),
}))

const DateTimeFilter = filter('DateTimeFilter', 'Compares a date and time.', (t) => ({
  ...equality(t, 'DateTime'),
  ...ranges(t, 'DateTime'),
}))

const SafeIntFilter = filter('SafeIntFilter', 'Compares a whole number, or an amount in minor units.', (t) => ({
  ...equality(t, 'SafeInt'),
  ...ranges(t, 'SafeInt'),
}))

const BooleanFilter = filter('BooleanFilter', 'Compares a boolean.', (t) => ({
  equals: t.field({ type: 'Boolean', description: 'Matches this value.' }),
}))

const OwnFieldFilter = builder.inputType('OwnFieldFilter', {
  description:
    "Compares a value of one of the program's own fields. A value matches when all given comparisons hold. Numbers are compared as numbers, and written as text: `12.5`.",
  subGraphs: publicOnly,
  fields: (t) => ({
    name: t.field({ type: 'String', required: true, description: 'The name of the field.' }),
    ...equality(t, 'String'),
    ...ranges(t, 'String'),
    contains: t.field({ type: 'String', description: 'Matches texts that contain this one. Case is ignored.' }),
  }),
})

const enumFilterOf = memoize((enumName: string) =>
  filter(`${enumName}Filter`, `Compares a value of \`${enumName}\`.`, (t) => equality(t, enumOf(enumName))),
)

/** The filter input of a `where` field that is not a relation. */
export function filterOf(field: Exclude<Field, { kind: 'one' | 'many' }>) {
  switch (field.kind) {
    case 'id':
    case 'ids':
      return IDFilter
    case 'text':
      return field.searchable ? SearchableFilter : StringFilter
    case 'instant':
      return DateTimeFilter
    case 'integer':
      return SafeIntFilter
    case 'flag':
      return BooleanFilter
    case 'own':
      return OwnFieldFilter
    case 'word':
    case 'state':
      return enumFilterOf(field.enumName)
  }
}
