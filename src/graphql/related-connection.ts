import type { GraphQLResolveInfo } from 'graphql'
import { connecting } from '../execution/pothos.ts'
import { perRequest } from '../kernel/per-request.ts'
import { pluralOf } from '../kernel/text.ts'
import type { Row } from '../listing/table.ts'
import { listedRule, type Where } from '../listing/where.ts'
import { queryOf, readWindow, type Slice, sliceOf, type WindowInput } from '../listing/window.ts'
import { builder, publicOnly } from './builder.ts'
import type { connectionOf } from './connection.ts'
import { type GraphQLContext, whereScope } from './context.ts'
import { inWords } from './names.ts'
import { type Connection, lazily, readSlice, rowPaths, selectsNothing } from './slice.ts'

type Args = WindowInput & { where?: Where | null; includeArchived?: boolean | null }

type Options = {
  forAffiliate?: boolean
  /** Says which rows these are. Default: that they belong to the owner. */
  description?: string
}

/** Defines a connection such as `Affiliate.sales`, read with its owners. @param column has the owner's id */
export function relatedConnection(
  ownerType: string,
  relation: string,
  column: string,
  { connection, args, listing, typeName }: ReturnType<typeof connectionOf>,
  { forAffiliate = false, description }: Options = {},
): void {
  const read = oncePerRequest((given: Args, ctx: GraphQLContext) => ({
    window: readWindow(listing, given),
    rule: listedRule(listing, given, whereScope(ctx)),
  }))
  /** Pothos calls it when it plans the owner's query. Its result is added to that query. */
  const selectRows = (
    given: Args,
    ctx: GraphQLContext,
    nested: (query: object, indirection: object) => object,
    selectedFields: () => ReadonlySet<string>,
  ) => {
    const { window, rule } = read(given, ctx)
    if (![...selectedFields()].some((name) => fieldsOfRows.has(name))) return { select: {} }
    const query = { where: { AND: [rule, window.beyond] }, ...queryOf(window) }
    const rows = nested(query, { getType: () => typeName, paths: rowPaths })
    return { select: { [relation]: selectsNothing(rows) ? query : rows } }
  }
  const resolve = (owner: OwnerRow, given: Args, ctx: GraphQLContext, info: GraphQLResolveInfo): Connection => {
    const { window, rule } = read(given, ctx)
    const programId = ownerType === 'Program' ? owner.id : owner.programId
    const selected = { listing, window, owner: { programId, column, id: owner.id }, rule }
    const rows = owner[relation] as Row[] | undefined
    // The API key's own program comes from the request's context, without its related rows.
    const slice = (): Slice<Row> | Promise<Slice<Row>> =>
      rows ? sliceOf(window, rows) : readSlice(ctx, info, typeName, selected)
    return { ...selected, slice: lazily(slice) }
  }
  const noun = inWords(listing.noun)
  const prefix = description ?? `The ${pluralOf(noun)} of the ${inWords(ownerType)}.`
  // Pothos types an owner by its model; what is used here, `id` and `programId`, is the same for all of them.
  builder.prismaObjectField(ownerType as 'Affiliate', relation, (t) =>
    t.field({
      type: connection,
      description: `${prefix} Newest first, unless \`orderBy\` is given.`,
      // An affiliate's conditions can use the rows' own fields only: see whereScope.
      ...(forAffiliate && { forAffiliate: { args: ['where', 'orderBy'] } }),
      subGraphs: publicOnly,
      args: args(),
      extensions: connecting(selectRows, relation),
      resolve: (owner, given, ctx, info) => resolve(owner, given, ctx, info),
    }),
  )
}

type OwnerRow = Record<string, unknown> & { id: string; programId: string }

/** Reads arguments once for all rows of a request: the executor gives each row the same object. */
function oncePerRequest<T extends object>(read: (given: Args, ctx: GraphQLContext) => T) {
  const known = perRequest<Args, { ctx: GraphQLContext; value: T }>('read')
  return (given: Args, ctx: GraphQLContext): T => {
    const before = known.of(given)
    return before?.ctx === ctx ? before.value : known.keep(given, { ctx, value: read(given, ctx) }).value
  }
}

/** Fields of a connection that need its rows. The others are counted by the database. */
const fieldsOfRows = new Set(['edges', 'nodes', 'pageInfo'])
