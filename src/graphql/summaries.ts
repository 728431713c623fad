import type { Listing } from '../kernel/listing/listing.ts'
import { type Summary, summarise } from '../kernel/listing/summarise.ts'
import type { Rule } from '../kernel/listing/where.ts'
import { groupsOf } from './aggregate.ts'
import { batched } from './batch.ts'
import type { GraphQLContext } from './context.ts'

type Asked = { listing: Listing; owner: { programId: string; column: string; id: string }; rule: Rule }
/**
 * What the rows of a connection come to, by groups. Connections that differ only in whose rows they hold (the sales of
 * each affiliate on a page) are summarised in one statement.
 */
export function summariesOf(ctx: GraphQLContext, asked: Asked, by: readonly string[]): Promise<Summary[]> {
  const { listing, owner, rule } = asked
  const key = ['summaries', listing.noun, owner.programId, owner.column, ...by, textOf(rule)].join(' ')
  return batched(ctx, key, owner.id, (ids) => summarised(ctx, asked, by, ids))
}

async function summarised(
  ctx: GraphQLContext,
  { listing, owner: { programId, column }, rule }: Asked,
  by: readonly string[],
  ids: readonly string[],
): Promise<Summary[][]> {
  const { columns, state } = groupsOf(listing, by)
  const where = { AND: [{ programId }, { [column]: { in: [...ids] } }, rule] }
  // Rows of one owner need not be told apart by it.
  const owners = ids.length > 1 ? [column] : []
  const summaries = await summarise(ctx.db, listing, where, {
    columns: [...owners, ...columns],
    state,
    now: ctx.now(),
    most: ids.length > 1 ? undefined : 5000,
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
