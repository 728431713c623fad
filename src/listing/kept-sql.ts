import { type AnalyticsKind, type ListedTable, Prisma } from '../generated/prisma/client.ts'
import type { DimensionValues, Plan } from './kept-plan.ts'

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

export const sqlOfStates = (programId: string, table: ListedTable, states: readonly string[]): Prisma.Sql =>
  Prisma.sql`/* prepared */ select coalesce(sum(count), 0)::int as count from (${listCounts(programId, table, states)}) kept`

/** Returns `count`, and where to begin: below the id `below`, after `skipped` rows; null without a whole range. */
export const sqlOfPosition = (
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
export function sqlOfFacts(
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
