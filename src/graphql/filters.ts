import { builder, publicOnly } from './builder.ts'

export const IDFilter = builder.inputType('IDFilter', {
  description: 'Compares an id. Several comparisons all hold.',
  subGraphs: publicOnly,
  fields: (t) => ({
    equals: t.field({ type: 'ID', description: 'Is this; null: has none.' }),
    in: t.field({ type: ['ID'], description: 'Is one of these.' }),
    not: t.field({ type: 'ID', description: 'Is not this; null: has one.' }),
  }),
})
