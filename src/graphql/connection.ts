import type { ObjectRef } from '@pothos/core'
import type { ProgramCtx } from '../kernel/context.ts'
import { pluralOf } from '../kernel/text.ts'
import type { Listing } from '../listing/listing.ts'
import type { Rule } from '../listing/rule.ts'
import type { Row } from '../listing/table.ts'
import { isArchivable, listedRule } from '../listing/where.ts'
import { cursorOf, readWindow } from '../listing/window.ts'
import { aggregateType, totalOf } from './aggregate.ts'
import { builder, type ObjectFields, publicOnly, type Types } from './builder.ts'
import { programScope, whereScope } from './context.ts'
import { costOfField } from './cost.ts'
import { groupOf, groupType } from './groups.ts'
import { inWords } from './names.ts'
import { defineRowNode } from './node.ts'
import { orderOf } from './order.ts'
import { PageInfo } from './page-info.ts'
import { type Connection, fromSlice, lazily, readSlice } from './slice.ts'
import { countOf, summariesOf } from './summaries.ts'
import { defineWhere, whereOf } from './where.ts'

type RowType = ObjectRef<Types, Row> & Parameters<typeof defineRowNode>[0]

/** Defines a listing's connection, with edges, totals and groups. Source: relay.dev/graphql/connections.htm. */
export function connectionOf(listing: Listing, rowType: object) {
  // Prisma's row types have no index signature, so TypeScript does not take them for rows.
  const type = rowType as RowType
  defineRowNode(type)
  defineWhere(listing)
  const { forAffiliate = false } = listing
  const noun = inWords(listing.noun)
  const edge = edgeType(listing, type)
  const total = totalConnectionFields(listing)
  const connection = builder.objectRef<Connection>(`${listing.noun}Connection`).implement({
    description: `A page of ${pluralOf(noun)}, and the totals of all pages.`,
    subGraphs: publicOnly,
    fields: (t) => ({
      edges: t.field({
        forAffiliate,
        type: [edge],
        description: `The ${pluralOf(noun)} on the page, each with its cursor.`,
        resolve: (connection) => fromSlice(connection.slice, ({ rows }) => rows.map((row) => ({ connection, row }))),
      }),
      nodes: t.field({
        forAffiliate,
        type: [type],
        description: `The ${pluralOf(noun)} on the page, without cursors.`,
        resolve: ({ slice }) => fromSlice(slice, ({ rows }) => rows),
      }),
      pageInfo: t.field({
        forAffiliate,
        type: PageInfo,
        description: 'The position of this page among all pages.',
        resolve: (connection) => connection,
      }),
      ...total(t),
    }),
  })
  return { connection, args: () => connectionArgs(listing), listing, typeName: type.name }
}

function edgeType(listing: Listing, type: RowType) {
  const { forAffiliate = false } = listing
  const noun = inWords(listing.noun)
  return builder.objectRef<{ connection: Connection; row: Row }>(`${listing.noun}Edge`).implement({
    description: `One of the ${pluralOf(noun)} on a page, with its cursor.`,
    subGraphs: publicOnly,
    fields: (t) => ({
      cursor: t.string({
        forAffiliate,
        description: 'The position of the row, for `after` and `before`. Opaque; valid only with the same `orderBy`.',
        resolve: ({ connection, row }) => cursorOf(connection.window, row),
      }),
      node: t.field({ forAffiliate, type, description: `The ${noun}.`, resolve: ({ row }) => row }),
    }),
  })
}

/** Defines the types of a listing's totals; returns the connection's fields that have them. */
function totalConnectionFields(listing: Listing) {
  const { forAffiliate = false } = listing
  const noun = inWords(listing.noun)
  const aggregate = aggregateType(listing)
  const groups = groupType(listing)
  return (t: ObjectFields<Connection>) => ({
    totalCount: t.int({
      forAffiliate,
      description: `The number of ${pluralOf(noun)} on all pages, exactly. ${costOfCount(listing)}`,
      resolve: (connection, _args, ctx) => countOf(ctx, connection),
    }),
    aggregate: t.field({
      forAffiliate: forAffiliate && { args: ['currency'] },
      type: aggregate,
      description: `Count and statistics of the ${pluralOf(noun)} on all pages.`,
      args: {
        currency: t.arg({
          type: 'Currency',
          description:
            "Only rows in this currency. Without it, `count` is of all rows, and amounts are of the rows in the program's currency. Ignored when rows have no amounts.",
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
        // Groups are summaries of rows that the connection's cost already includes: 25 of them count as one.
        complexity: costOfGroups,
        description: `The ${pluralOf(noun)} on all pages in groups, the largest group first.`,
        args: {
          by: t.arg({
            type: [groups.by],
            required: true,
            description: 'The fields to group by, at least one. Rows are in the same group when all of them are equal.',
          }),
          limit: t.arg.int({
            required: true,
            defaultValue: 25,
            description: 'The maximum number of groups. Values above 1000 count as 1000.',
          }),
        },
        resolve: async (connection, { by, limit }, ctx) => {
          const summaries = await summariesOf(ctx, connection, by)
          return summaries.slice(0, Math.max(0, Math.min(limit, 1000))).map((summary) => groupOf(listing, summary))
        },
      }),
    }),
  })
}

/** Each record of a group counts as 25: see src/schema/records.ts. */
const costOfGroups = (args: { limit: number }, visited: unknown, field: Parameters<typeof costOfField>[2]) => ({
  ...costOfField(args, visited, field),
  multiplier: Math.max(1, Math.ceil(Math.min(args.limit, 1000) / 25)),
})

/** Says which numbers are kept. */
function costOfCount({ kept, fields }: Listing): string {
  const names = [
    ...['state', 'conversionState'].filter((name) => name in fields).map((name) => `\`${name}\``),
    ...Object.keys(kept?.rollup?.dimensions ?? {}).map((column) => `\`${column}\``),
  ]
  const by = names.length > 0 ? ` and by ${new Intl.ListFormat('en').format(names)}` : ''
  if (!kept) return 'The rows are counted one by one.'
  return `The numbers of all rows${by} are kept; with other conditions, the rows are counted one by one.`
}

const connectionArgs = (listing: Listing) =>
  builder.args((t) => ({
    first: t.int({ description: 'The number of rows from the start, 0 to 100. Default: 25.' }),
    last: t.int({ description: 'The number of rows from the end, 0 to 100. Cannot be given together with `first`.' }),
    after: t.string({ description: 'Only rows after the row with this cursor.' }),
    before: t.string({ description: 'Only rows before the row with this cursor.' }),
    where: t.field({ type: whereOf(listing), description: 'Only rows that match these conditions.' }),
    orderBy: t.field({
      type: [orderOf(listing)],
      description: 'The sort order: by the first entry, then by the second, and so on. Default: newest first.',
    }),
    ...(isArchivable(listing) && {
      includeArchived: t.boolean({
        description:
          'Whether archived rows are included. By default they are left out, unless `where` has `archivedAt`.',
      }),
    }),
  }))

type DefinedConnection = ReturnType<typeof connectionOf>

/** Defines a connection of the program's rows: `Query.affiliates`. @param within restricts which rows there are */
export function rootConnection(
  name: string,
  { connection, args, listing, typeName }: DefinedConnection,
  description: string,
  { within = () => ({}) }: { within?: (ctx: ProgramCtx) => Rule } = {},
): void {
  builder.queryField(name, (t) =>
    t.field({
      type: connection,
      description,
      extensions: { isPureRead: true },
      args: args(),
      resolve: (_root, given, ctx, info) => {
        const scope = programScope(ctx)
        const window = readWindow(listing, given)
        const rule = { AND: [within(scope), listedRule(listing, given, whereScope(ctx))] }
        const owner = { programId: scope.program.id, column: 'programId', id: scope.program.id }
        const selected = { listing, window, owner, rule }
        return { ...selected, slice: lazily(() => readSlice(ctx, info, typeName, selected)) }
      },
    }),
  )
}
