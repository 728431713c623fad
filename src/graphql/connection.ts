import { queryFromInfo } from '@pothos/plugin-prisma'
import type { GraphQLResolveInfo } from 'graphql'
import type { ProgramCtx } from '../kernel/context.ts'
import type { Listing } from '../kernel/listing/listing.ts'
import { type Rule, toRule, type Where } from '../kernel/listing/where.ts'
import {
  cursorOf,
  queryOf,
  readWindow,
  type Slice,
  sliceOf,
  type Window,
  type WindowInput,
} from '../kernel/listing/window.ts'
import { aggregateType, groupOf, groupType, totalOf } from './aggregate.ts'
import { builder, publicOnly } from './builder.ts'
import { type GraphQLContext, programScope, whereScope } from './context.ts'
import { NodeType } from './node.ts'
import { summariesOf } from './summaries.ts'
import { orderOf, whereOf } from './where.ts'

type Row = Record<string, unknown> & { id: string }

/** A page of rows, and what is needed to tell of all the others: whose they are, and what was asked of them. */
export type Connection = {
  listing: Listing
  window: Window
  /** Read when somebody asks for rows: totals need none. */
  slice: () => Slice<Row> | Promise<Slice<Row>>
  /** The column that says whose rows these are, and the id it has; the program's own rows have its id. */
  owner: { programId: string; column: string; id: string }
  rule: Rule
}

const PageInfo = builder.objectRef<Connection>('PageInfo').implement({
  description: 'Where a page stands among all pages.',
  subGraphs: publicOnly,
  fields: (t) => ({
    hasNextPage: t.boolean({
      forAffiliate: true,
      description: 'Whether rows follow.',
      resolve: async ({ slice }) => (await slice()).hasNextPage,
    }),
    hasPreviousPage: t.boolean({
      forAffiliate: true,
      description: 'Whether rows come before.',
      resolve: async ({ slice }) => (await slice()).hasPreviousPage,
    }),
    startCursor: t.string({
      forAffiliate: true,
      nullable: true,
      description: 'Of the first row on the page; null where there is none.',
      resolve: (connection) => edgeCursor(connection, 0),
    }),
    endCursor: t.string({
      forAffiliate: true,
      nullable: true,
      description: 'Of the last row on the page: `after` this the next page begins.',
      resolve: (connection) => edgeCursor(connection, -1),
    }),
  }),
})

async function edgeCursor({ slice, window }: Connection, index: 0 | -1): Promise<string | null> {
  const row = (await slice()).rows.at(index)
  return row ? cursorOf(window, row) : null
}

/** Where in the answer the rows' own fields are asked for. */
const rowPaths = [[{ name: 'nodes' }], [{ name: 'edges' }, { name: 'node' }]]

type Args = WindowInput & { where?: Where | null }

/**
 * Makes a noun's connection, as Relay specifies it, of what its listing says: `AffiliateConnection` with its edges,
 * totals and groups. Source: relay.dev/graphql/connections.htm.
 */
export function connectionOf(
  listing: Listing,
  type: { name: string; addInterfaces(interfaces: [typeof NodeType]): void },
) {
  type.addInterfaces([NodeType])
  const { forAffiliate = false } = listing
  const edge = builder.objectRef<{ connection: Connection; row: Row }>(`${listing.noun}Edge`).implement({
    description: 'A row of a connection.',
    subGraphs: publicOnly,
    fields: (t) => ({
      cursor: t.string({
        forAffiliate,
        description: 'Opaque; to read on from here. Of use only with the same `orderBy`.',
        resolve: ({ connection, row }) => cursorOf(connection.window, row),
      }),
      node: t.field({
        forAffiliate,
        type: type as never,
        description: 'The row.',
        resolve: ({ row }) => row as never,
      }),
    }),
  })
  const aggregate = aggregateType(listing)
  const groups = groupType(listing)
  const connection = builder.objectRef<Connection>(`${listing.noun}Connection`).implement({
    description: 'A page of rows, and what all of them come to.',
    subGraphs: publicOnly,
    fields: (t) => ({
      edges: t.field({
        forAffiliate,
        type: [edge],
        description: 'The rows of the page, each with its cursor.',
        resolve: async (connection) => (await connection.slice()).rows.map((row) => ({ connection, row })),
      }),
      nodes: t.field({
        forAffiliate,
        type: [type] as never,
        description: 'The rows of the page, without cursors.',
        resolve: async ({ slice }) => (await slice()).rows as never,
      }),
      pageInfo: t.field({ forAffiliate, type: PageInfo, resolve: (connection) => connection }),
      totalCount: t.int({
        forAffiliate,
        description: 'How many rows there are on all pages; counted only where it is asked for.',
        resolve: async (connection, _args, ctx) =>
          (await summariesOf(ctx, connection, [])).reduce((sum, { count }) => sum + count, 0),
      }),
      aggregate: t.field({
        forAffiliate: forAffiliate && { args: ['currency'] },
        type: aggregate,
        description: 'What the rows of all pages come to.',
        args: {
          currency: t.arg({
            type: 'Currency',
            description:
              "Only rows in this currency. Without it `count` is of all rows and amounts are of those in the program's currency. Of no meaning where rows have no amounts.",
          }),
        },
        resolve: async (connection, { currency }, ctx) =>
          totalOf(
            listing,
            await summariesOf(ctx, connection, []),
            currency?.trim().toLowerCase() ?? null,
            ctx.namedProgram?.currency ?? '',
          ),
      }),
      ...(groups && {
        groupBy: t.field({
          type: [groups.group],
          // The rows of its connection are counted already; groups are not more of them.
          complexity: 1,
          description: 'The rows of all pages, grouped; the groups with the most rows first.',
          args: {
            by: t.arg({ type: [groups.by], required: true, description: 'At least one; several are combined.' }),
            limit: t.arg.int({
              required: true,
              defaultValue: 25,
              description: 'The most groups; more than 1000 is served as 1000.',
            }),
          },
          resolve: async (connection, { by, limit }, ctx) => {
            const summaries = await summariesOf(ctx, connection, by as string[])
            return summaries.slice(0, Math.max(0, Math.min(limit, 1000))).map((summary) => groupOf(listing, summary))
          },
        }),
      }),
    }),
  })
  const args = () =>
    builder.args((t) => ({
      first: t.int({ description: 'So many rows from the beginning, 0 to 100. Default: 25.' }),
      last: t.int({ description: 'So many rows from the end, 0 to 100.' }),
      after: t.string({ description: 'Only what follows the row with this cursor.' }),
      before: t.string({ description: 'Only what comes before the row with this cursor.' }),
      where: t.field({ type: whereOf(listing), description: 'Only rows of which this holds.' }),
      orderBy: t.field({
        type: [orderOf(listing)],
        description: 'How rows are sorted, by the first, then the second, …; newest first unless given.',
      }),
    }))
  return { connection, args, listing, typeName: type.name }
}

type ConnectionOf = ReturnType<typeof connectionOf>

export type RootOptions = {
  /** What rows there are at all. */
  within?: (ctx: ProgramCtx) => Rule
}

/** `Query.affiliates`: the rows of the program. */
export function rootConnection(
  name: string,
  { connection, args, listing, typeName }: ConnectionOf,
  description: string,
  { within = () => ({}) }: RootOptions = {},
): void {
  builder.queryField(name, (t) =>
    t.field({
      type: connection,
      description,
      args: args() as never,
      resolve: async (_root, given, ctx, info) => {
        const scope = programScope(ctx)
        const asked = given as Args
        const window = readWindow(listing, asked)
        const rule = { AND: [within(scope), toRule(listing, asked.where, whereScope(ctx))] }
        const owner = { programId: scope.program.id, column: 'programId', id: scope.program.id }
        const selection = selectionOf(ctx, info, typeName)
        const slice = once(() => readSlice(ctx, listing, window, owner, rule, selection))
        return { listing, window, slice, owner, rule }
      },
    }),
  )
}

/** Rows of the owner that the rule holds of, those of the window. */
async function readSlice(
  ctx: GraphQLContext,
  listing: Listing,
  window: Window,
  { programId, column, id }: Connection['owner'],
  rule: Rule,
  selection: object,
): Promise<Slice<Row>> {
  const where = { AND: [{ programId }, { [column]: id }, rule, window.beyond] }
  const delegate = ctx.db[listing.model] as unknown as { findMany(query: object): Promise<Row[]> }
  return sliceOf(window, await delegate.findMany({ ...selection, where, ...queryOf(window) }))
}

const selectionOf = (context: GraphQLContext, info: GraphQLResolveInfo, typeName: string): object => {
  const selection = queryFromInfo({ context, info, typeName, paths: rowPaths } as never)
  return selectsNothing(selection) ? {} : selection
}

/** The same, however often it is asked for. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/**
 * `Affiliate.sales`: the rows that belong to a row. They are read in the statement that reads their owners, so that a
 * page of owners costs no more statements than one.
 *
 * @param column the rows' own column that names their owner
 */
export function relatedConnection(
  ownerType: string,
  relation: string,
  column: string,
  { connection, args, listing, typeName }: ConnectionOf,
  { forAffiliate = false }: { forAffiliate?: boolean } = {},
): void {
  const asked = (given: Args, ctx: GraphQLContext) => ({
    window: readWindow(listing, given),
    rule: toRule(listing, given.where, whereScope(ctx)),
  })
  builder.prismaObjectField(ownerType as 'Affiliate', relation as 'sales', (t) =>
    t.field({
      type: connection,
      // Conditions are of the rows' own fields alone for an affiliate: see whereScope.
      ...(forAffiliate && { forAffiliate: { args: ['where', 'orderBy'] } }),
      subGraphs: publicOnly,
      args: args() as never,
      extensions: {
        pothosPrismaSelect: (
          given: Args,
          ctx: GraphQLContext,
          nested: (query: object, indirection: object) => object,
          selected: () => ReadonlySet<string>,
        ) => {
          const { window, rule } = asked(given, ctx)
          if (![...selected()].some((name) => rowFields.has(name))) return { select: {} }
          const query = { where: { AND: [rule, window.beyond] }, ...queryOf(window) }
          const rows = nested(query, { getType: () => typeName, paths: rowPaths })
          return { select: { [relation]: selectsNothing(rows) ? query : rows } }
        },
      },
      resolve: (parent: unknown, given: unknown, ctx: GraphQLContext, info: GraphQLResolveInfo) => {
        const row = parent as Row & { programId: string }
        const { window, rule } = asked(given as Args, ctx)
        const programId = ownerType === 'Program' ? row.id : row.programId
        const owner = { programId, column, id: row.id }
        const rows = row[relation] as Row[] | undefined
        // An owner that was at hand (the key's own program) was read without its rows.
        const slice = (): Slice<Row> | Promise<Slice<Row>> =>
          rows ? sliceOf(window, rows) : readSlice(ctx, listing, window, owner, rule, selectionOf(ctx, info, typeName))
        return { listing, window, slice: once(slice), owner, rule }
      },
    } as never),
  )
}

/** What of a connection needs rows; the rest is counted by the database. */
const rowFields = new Set(['edges', 'nodes', 'pageInfo'])

/** Where of rows nothing but their cursors is asked for, no column is; Prisma refuses that. */
const selectsNothing = ({ select }: { select?: object }) => select !== undefined && Object.keys(select).length === 0
