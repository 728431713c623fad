import { queryFromInfo } from '@pothos/plugin-prisma'
import type { GraphQLResolveInfo } from 'graphql'
import type { PlannedInfo } from '../execution/execute.ts'
import { rowPathOf as pathOfRows, withColumns } from '../execution/plan.ts'
import { isPromise, type MaybePromise } from '../execution/write.ts'
import type { Listing } from '../listing/listing.ts'
import type { Rule } from '../listing/rule.ts'
import { type Row, tableOf } from '../listing/table.ts'
import { queryOf, type Slice, sliceOf, type Window } from '../listing/window.ts'
import type { GraphQLContext } from './context.ts'
import { keptQuery } from './nested-query.ts'

/** The value of a connection field: how to read its page, and what to count for its totals. */
export type Connection = {
  listing: Listing
  window: Window
  /** Reads the page. It is not called if the client selects only totals. */
  slice: () => MaybePromise<Slice<Row>>
  /** The column that holds the id of the rows' owner, and that id. The owner of a root connection is the program. */
  owner: { programId: string; column: string; id: string }
  rule: Rule
}

/** Reads from a page. Waits only if the page is not at hand: rows that were read with their owner need no promise. */
export function fromSlice<Value, Result>(
  slice: () => MaybePromise<Slice<Value>>,
  read: (slice: Slice<Value>) => Result,
): MaybePromise<Result> {
  const page = slice()
  return isPromise(page) ? page.then((loaded) => read(loaded as Slice<Value>)) : read(page)
}

export const rowPaths = [[{ name: 'nodes' }], [{ name: 'edges' }, { name: 'node' }]]

/** Reads the rows of the window that belong to the owner and match the rule. */
export async function readSlice(
  ctx: GraphQLContext,
  info: GraphQLResolveInfo,
  typeName: string,
  { listing, window, owner: { programId, column, id }, rule }: Omit<Connection, 'slice'>,
): Promise<Slice<Row>> {
  const where = { AND: [{ programId }, { [column]: id }, rule, window.beyond] }
  const plan = (): object => queryFromInfo({ context: ctx, info, typeName, paths: rowPaths })
  const path = rowPathOf(info)
  const sorted = window.sorts.map((sort) => sort.column)
  const selection = path ? withColumns(keptQuery(info, path, plan), sorted) : plan()
  const query = { ...(selectsNothing(selection) ? {} : selection), where, ...queryOf(window) }
  return sliceOf(window, await tableOf(ctx.db, listing).findMany(query))
}

const rowPathOf = ({ plan }: PlannedInfo) => plan && pathOfRows(plan.shape)

/** Whether no column is selected, as for rows of which only the cursors are requested. Prisma rejects such a query. */
export const selectsNothing = ({ select }: { select?: object }) =>
  select !== undefined && Object.keys(select).length === 0

/** Calls `make` at most once, and returns its result every time. */
export function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
