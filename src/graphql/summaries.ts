import type { Listing, Rule } from '../kernel/listing/listing.ts'
import { type Summary, summarise } from '../kernel/listing/summarise.ts'
import { batched } from './batch.ts'
import type { GraphQLContext } from './context.ts'
import { groupKeysOf } from './groups.ts'

/** The connection whose rows are summarized. */
type SummaryRequest = { listing: Listing; owner: { programId: string; column: string; id: string }; rule: Rule }
/**
 * The totals of a connection's rows, by group. Connections that differ only in their owner (the sales of each affiliate
 * on a page) are summarized in one statement.
 */
export function summariesOf(ctx: GraphQLContext, request: SummaryRequest, by: readonly string[]): Promise<Summary[]> {
  const { listing, owner, rule } = request
  const key = ['summaries', listing.noun, owner.programId, owner.column, ...by, textOf(rule)].join(' ')
  return batched(ctx, key, owner.id, (ids) => summarised(ctx, request, by, ids))
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
