import { type AnalyticsKind, type ListedTable, Prisma } from '../generated/prisma/client.ts'
import type { AppDb } from '../kernel/db.ts'
import { type DimensionValues, type Plan, planOf } from './kept-plan.ts'
import type { Listing } from './listing.ts'
import type { Rule } from './rule.ts'
import { type Row, tableOf } from './table.ts'

/** A program's rows that match a Prisma `where`. */
export type Listed = { listing: Listing; programId: string; rule: Rule }

/** Counts rows, exactly: by kept counts in constant time, else by counting, within the time limit of a statement. */
export async function countRows(db: AppDb, listed: Listed): Promise<number> {
  const sql = sqlOfCount(listed)
  if (!sql) return tableOf(db, listed.listing).count({ where: listed.rule })
  const [count] = await db.reads.row(sql)
  return Number(count)
}

/** A query for the number of rows; null if it is not kept, so that the rows have to be counted. */
function sqlOfCount({ listing, programId, rule }: Listed): Prisma.Sql | null {
  const plan = planOf(listing, programId, rule)
  if (!plan) return null
  return plan.kind === 'states' ? sqlOfStates(programId, plan.table, plan.states) : sqlOfFacts(programId, plan)
}

/** Reads the first rows that `query` selects, and counts all rows: in one statement, if their number is kept. */
export async function readCounted(db: AppDb, listed: Listed, query: object): Promise<{ rows: Row[]; count: number }> {
  const sql = sqlOfCount(listed)
  if (sql) return db.reads.counted(listed.listing.model, query, sql)
  const count = await countRows(db, listed)
  return { count, rows: count === 0 ? [] : await tableOf(db, listed.listing).findMany(query) }
}

export async function countRowsBy(
  db: AppDb,
  { listing, programId, rule }: Listed,
  column: string,
  ids: readonly string[],
): Promise<number[]> {
  const where = { AND: [rule, { [column]: { in: [...ids] } }] }
  const [only] = ids
  if (only !== undefined && ids.length === 1) return [await countRows(db, { listing, programId, rule: where })]
  const dimension = listing.kept?.rollup?.dimensions[column]
  const plan = dimension ? planOf(listing, programId, where) : null
  const counts =
    plan?.kind === 'facts' && dimension
      ? (await db.$queryRaw<{ key: string; count: number }[]>(sqlOfFacts(programId, plan, dimension))).map(
          ({ key, count }): [unknown, number] => [key, count],
        )
      : (await tableOf(db, listing).groupBy({ where, by: [column], _count: { _all: true } })).map(
          (row): [unknown, number] => [row[column], row._count._all],
        )
  const byId = new Map(counts)
  return ids.map((id) => byId.get(id) ?? 0)
}

/** The number of rows, and the id of the row after `skip` rows, newest first; null past the end. */
export type Position = { count: number; id: string | null }

/** Finds the row after `skip` rows, by kept counts, or in the index from the nearer side. */
export async function findPosition(db: AppDb, listed: Listed, skip: number): Promise<Position> {
  const { listing, programId, rule } = listed
  const plan = planOf(listing, programId, rule)
  if (plan?.kind !== 'states') {
    const count = await countRows(db, listed)
    const isNearEnd = skip > count / 2
    const skipped = isNearEnd ? count - 1 - skip : skip
    const direction = isNearEnd ? 'asc' : 'desc'
    return { count, id: skip < count ? await idAfter(db, listing, rule, skipped, direction) : null }
  }
  const sql = sqlOfPosition(programId, plan.table, plan.states, skip)
  const [total, below, skipped] = await db.reads.row(sql)
  const count = Number(total)
  if (skip >= count) return { count, id: null }
  const where = below === null ? rule : { AND: [rule, { id: { lt: below } }] }
  return { count, id: await idAfter(db, listing, where, skip - Number(skipped ?? 0), 'desc') }
}

async function idAfter(
  db: AppDb,
  listing: Listing,
  where: Rule,
  skip: number,
  direction: 'asc' | 'desc',
): Promise<string | null> {
  const query = { where, skip, take: 1, orderBy: { id: direction }, select: { id: true } }
  const [row] = await tableOf(db, listing).findMany(query)
  return row?.id ?? null
}

// Kept numbers are the folded ones plus the deltas that are not folded yet. A statement sees each delta in exactly one
// of them, so the sums are exact. Source: prisma/sql/analytics.sql and prisma/sql/lists.sql.

const conditions = (all: Prisma.Sql[]) => Prisma.join(all, ' and ')

/** The counts of a list as rows of `first_id`, `count` and `is_range`. A delta is a range of one row. */
function listCounts(programId: string, table: ListedTable, states: readonly string[]): Prisma.Sql {
  const where = Prisma.sql`program_id = ${programId}::uuid and list = ${table}::listed_table and state = any(${[...states]}::text[])`
  return Prisma.sql`
    select first_id, count, true as is_range from list_counts where ${where}
    union all select row_id, count, false from list_deltas where ${where}`
}

const sqlOfStates = (programId: string, table: ListedTable, states: readonly string[]): Prisma.Sql =>
  Prisma.sql`/* prepared */ select coalesce(sum(count), 0)::int as count from (${listCounts(programId, table, states)}) kept`

/** Returns `count`, and where to begin: below the id `below`, after `skipped` rows; null without a whole range. */
const sqlOfPosition = (
  programId: string,
  table: ListedTable,
  states: readonly string[],
  skip: number,
): Prisma.Sql => Prisma.sql`
  /* prepared */ with kept as materialized (${listCounts(programId, table, states)}),
  sums as (select first_id, is_range, sum(count) over (order by first_id desc) as skipped from kept),
  position as (
    select first_id as below, skipped from sums where is_range and skipped <= ${skip} order by first_id limit 1
  )
  select (select coalesce(sum(count), 0)::int from kept) as count, (select below::text from position) as below,
    (select skipped::int from position) as skipped`

type Facts = Extract<Plan, { kind: 'facts' }>

/** A statement for the number of rows that the facts add up to; with `by`, one for each `key` of it. */
function sqlOfFacts(
  programId: string,
  { dimensions, factors, untilMoment, moment }: Facts,
  by?: DimensionValues['column'],
): Prisma.Sql {
  const bySource = dimensions.some(({ column }) => column === 'affiliate_id')
  const rollup = bySource ? Prisma.sql`analytics_by_source` : Prisma.sql`analytics_by_campaign`
  const key = by ? Prisma.sql`${Prisma.raw(by)}::text as key,` : Prisma.empty
  const ofRows = [Prisma.sql`program_id = ${programId}::uuid`, ...dimensions.map(conditionOf)]
  const sumsOf = (of: ReadonlyMap<AnalyticsKind, number>, from: Prisma.Sql, more: Prisma.Sql[]) =>
    Prisma.sql`select ${key} count * ${factorOf(of)} as count from ${from} where ${conditions([...ofRows, kindIn(of), ...more])}`
  const deltas = Prisma.sql`analytics_deltas`
  const parts = factors.size === 0 ? [] : [sumsOf(factors, rollup, [grain('month')]), sumsOf(factors, deltas, [])]
  if (untilMoment.size > 0 && moment) {
    const { whole, edge } = segmentsUntil(
      moment,
      bySource ? ['month', 'day'] : ['month', 'day', 'hour', 'quarter_hour'],
    )
    for (const segment of whole) parts.push(sumsOf(untilMoment, rollup, segment))
    parts.push(sumsOf(untilMoment, deltas, [Prisma.sql`start < ${edge}::timestamptz`]))
    parts.push(
      sumsOf(untilMoment, Prisma.sql`analytics_facts`, [
        Prisma.sql`at >= ${edge}::timestamptz and at <= ${moment}::timestamptz`,
      ]),
    )
  }
  if (parts.length === 0)
    parts.push(Prisma.sql`select ${by ? Prisma.sql`null as key,` : Prisma.empty} 0 as count where false`)
  const kept = Prisma.sql`(${Prisma.join(parts, ' union all ')}) kept`
  return by
    ? Prisma.sql`/* prepared */ select key, sum(count)::int as count from ${kept} group by key`
    : Prisma.sql`/* prepared */ select coalesce(sum(count), 0)::int as count from ${kept}`
}

const conditionOf = ({ column, values }: DimensionValues) =>
  Prisma.sql`${Prisma.raw(column)} = any(${values}::${Prisma.raw(column === 'currency' ? 'text' : 'uuid')}[])`

// Kinds and grains are literals instead of parameters, so that the planner can skip the tables of other kinds. They are
// names of enums, not input.
const kindIn = (of: ReadonlyMap<AnalyticsKind, number>) =>
  Prisma.raw(`kind in (${[...of.keys()].map((kind) => `'${kind}'`).join(', ')})`)

const factorOf = (of: ReadonlyMap<AnalyticsKind, number>) =>
  Prisma.raw(`case kind ${[...of].map(([kind, factor]) => `when '${kind}' then ${factor}`).join(' ')} end`)

const grain = (name: Grain) => Prisma.raw(`grain = '${name}'`)

type Grain = 'month' | 'day' | 'hour' | 'quarter_hour'

const lengths: Record<Exclude<Grain, 'month'>, number> = { day: 86_400_000, hour: 3_600_000, quarter_hour: 900_000 }

/** The rollup rows before a moment: whole months, then whole days, and so on. `edge` is where they end. */
function segmentsUntil(moment: Date, grains: readonly Grain[]): { whole: Prisma.Sql[][]; edge: Date } {
  const whole: Prisma.Sql[][] = []
  let edge: Date | undefined
  for (const name of grains) {
    const end = startOf(moment, name)
    const since = edge ? [Prisma.sql`start >= ${edge}::timestamptz`] : []
    whole.push([grain(name), ...since, Prisma.sql`start < ${end}::timestamptz`])
    edge = end
  }
  return { whole, edge: edge ?? moment }
}

const startOf = (moment: Date, name: Grain) =>
  name === 'month'
    ? new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth()))
    : new Date(Math.floor(moment.getTime() / lengths[name]) * lengths[name])
