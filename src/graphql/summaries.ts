import { countRowsBy } from '../listing/count.ts'
import type { Listing } from '../listing/listing.ts'
import type { Rule } from '../listing/rule.ts'
import { type Summary, summarise } from '../listing/summarise.ts'
import { batched, isRequested } from './batch.ts'
import type { GraphQLContext } from './context.ts'
import { groupKeysOf } from './groups.ts'

type SummaryRequest = { listing: Listing; owner: { programId: string; column: string; id: string }; rule: Rule }
/** The totals of a connection's rows, by group, in one statement for connections that differ only in their owner. */
export function summariesOf(ctx: GraphQLContext, request: SummaryRequest, by: readonly string[]): Promise<Summary[]> {
  return batched(ctx, keyOf(request, ['summaries', ...by]), request.owner.id, (ids) =>
    summarised(ctx, request, by, ids),
  )
}

const keyOf = ({ listing, owner, rule }: SummaryRequest, what: readonly string[]) =>
  [listing.noun, owner.programId, owner.column, ...what, textOf(rule)].join(' ')

/** The number of a connection's rows, as above, but without sums. Summaries of the same rows have the number too. */
export function countOf(ctx: GraphQLContext, request: SummaryRequest): Promise<number> {
  const { listing, owner, rule } = request
  const { programId, column } = owner
  const listed = { listing, programId, rule: { AND: [{ programId }, rule] } }
  return batched(ctx, keyOf(request, ['count']), owner.id, (ids) => {
    if (!isRequested(ctx, keyOf(request, ['summaries']))) return countRowsBy(ctx.db, listed, column, ids)
    return Promise.all(
      ids.map(async (id) => {
        const summaries = await summariesOf(ctx, { ...request, owner: { ...owner, id } }, [])
        return summaries.reduce((sum, { count }) => sum + count, 0)
      }),
    )
  })
}

async function summarised(
  ctx: GraphQLContext,
  { listing, owner: { programId, column }, rule }: SummaryRequest,
  by: readonly string[],
  ids: readonly string[],
): Promise<Summary[][]> {
  const { columns, state } = groupKeysOf(listing, by)
  const where = { AND: [{ programId }, { [column]: { in: [...ids] } }, rule] }
  // With one owner there is no need to group by it.
  const owners = ids.length > 1 ? [column] : []
  const summaries = await summarise(ctx.db, listing, where, {
    columns: [...owners, ...columns],
    state,
    now: ctx.now(),
    limit: ids.length > 1 ? undefined : 5000,
  })
  if (ids.length === 1) return [summaries]
  const byOwner = new Map<unknown, Summary[]>(ids.map((id) => [id, []]))
  for (const { keys, ...summary } of summaries) {
    const { [column]: owner, ...rest } = keys
    byOwner.get(owner)?.push({ ...summary, keys: columns.includes(column) ? keys : rest })
  }
  return ids.map((id) => byOwner.get(id) ?? [])
}

const textOf = (rule: Rule) =>
  JSON.stringify(rule, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))
