import { cursorOf } from '../listing/window.ts'
import { builder, publicOnly } from './builder.ts'
import { type Connection, fromSlice } from './slice.ts'

/** Source: relay.dev/graphql/connections.htm. */
export const PageInfo = builder.objectRef<Pick<Connection, 'slice' | 'window'>>('PageInfo').implement({
  description: 'The position of a page in its connection.',
  subGraphs: publicOnly,
  fields: (t) => ({
    hasNextPage: t.boolean({
      forAffiliate: true,
      description: 'Whether there are rows after this page.',
      resolve: ({ slice }) => fromSlice(slice, ({ hasNextPage }) => hasNextPage),
    }),
    hasPreviousPage: t.boolean({
      forAffiliate: true,
      description: 'Whether there are rows before this page.',
      resolve: ({ slice }) => fromSlice(slice, ({ hasPreviousPage }) => hasPreviousPage),
    }),
    startCursor: t.string({
      forAffiliate: true,
      nullable: true,
      description: 'The cursor of the first row on the page, for `before`; null when the page is empty.',
      resolve: (connection) => edgeCursor(connection, 0),
    }),
    endCursor: t.string({
      forAffiliate: true,
      nullable: true,
      description: 'The cursor of the last row on the page, for `after`; null when the page is empty.',
      resolve: (connection) => edgeCursor(connection, -1),
    }),
  }),
})

const edgeCursor = ({ slice, window }: Pick<Connection, 'slice' | 'window'>, index: 0 | -1) =>
  fromSlice(slice, ({ rows }) => {
    const row = rows.at(index)
    return row ? cursorOf(window, row) : null
  })
