import type { ObjectRef } from '@pothos/core'
import type { Row } from '../listing/table.ts'
import { cursorOf, type Slice, type Window } from '../listing/window.ts'
import { builder, publicOnly, type Types } from './builder.ts'
import { inWords } from './names.ts'
import { PageInfo } from './page-info.ts'
import { fromSlice } from './slice.ts'

export type ValueConnection<Value> = {
  window: Window
  slice: () => Slice<Value> | Promise<Slice<Value>>
  /** Called only if it is selected. */
  totalCount: () => number | Promise<number>
}

/**
 * Defines the connection of a type without a listing: pages, but no filters, orders or groups. `builder.objectFields`
 * adds fields of a larger `Page`. Source: relay.dev/graphql/connections.htm.
 */
export function valueConnection<Value extends object, Page extends ValueConnection<Value> = ValueConnection<Value>>(
  type: ObjectRef<Types, Value>,
) {
  const noun = inWords(type.name)
  const edge = builder.objectRef<{ window: Window; value: Value }>(`${type.name}Edge`).implement({
    description: `One value on a page of ${noun} values, with its cursor.`,
    subGraphs: publicOnly,
    fields: (t) => ({
      cursor: t.string({
        description: 'The position of the value, for `after` and `before`. Opaque.',
        resolve: ({ window, value }) => cursorOf(window, value as Record<string, unknown>),
      }),
      // TypeScript cannot resolve Pothos's return type for a generic value.
      node: t.field({ type, description: `The ${noun}.`, resolve: ({ value }) => value as never }),
    }),
  })
  return builder.objectRef<Page>(`${type.name}Connection`).implement({
    description: `A page of ${noun} values, and the number on all pages.`,
    subGraphs: publicOnly,
    fields: (t) => ({
      edges: t.field({
        type: [edge],
        description: 'The values on the page, each with its cursor.',
        resolve: ({ window, slice }) => fromSlice(slice, ({ rows }) => rows.map((value) => ({ window, value }))),
      }),
      nodes: t.field({
        type: [type],
        description: 'The values on the page, without cursors.',
        resolve: ({ slice }) => fromSlice(slice, ({ rows }) => rows) as never,
      }),
      pageInfo: t.field({
        type: PageInfo,
        description: 'The position of this page among all pages.',
        resolve: ({ window, slice }) => ({ window, slice: slice as () => Slice<Row> | Promise<Slice<Row>> }),
      }),
      totalCount: t.int({
        description: 'The number on all pages. Counted only when selected.',
        resolve: ({ totalCount }) => totalCount(),
      }),
    }),
  })
}

export const pageArgs = () =>
  builder.args((t) => ({
    first: t.int({ description: 'The number of rows from the start, 0 to 100. Default: 25.' }),
    last: t.int({ description: 'The number of rows from the end, 0 to 100. Cannot be given together with `first`.' }),
    after: t.string({ description: 'Only rows after the row with this cursor.' }),
    before: t.string({ description: 'Only rows before the row with this cursor.' }),
  }))
