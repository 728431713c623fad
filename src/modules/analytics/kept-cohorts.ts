import { Prisma } from '../../generated/prisma/client.ts'
import { dayMs, startOfDay } from '../../kernel/time-zone.ts'
import type { Bucket } from './buckets.ts'
import { type Calendar, dayStartIn, localIn, utc } from './calendars.ts'
import { foldedSales, isBuilt, soldTo } from './cohort-rollup.ts'
import type { FactsQuery } from './facts.ts'
import { addIntervals } from './intervals.ts'
import type { Span } from './range.ts'
import { nilId } from './where.ts'

type KeptQuery = {
  to: number
  timeZone: string
  /** The calendar of the rollup. The closer it is to the time zone, the fewer customers are counted anew. */
  calendar: Calendar
  /** Null: the sales of all campaigns. */
  campaignId: string | null
  /** Null: the customers of all currencies, without amounts. */
  currency: string | null
}

/**
 * The cohorts of the sales until `to`: rows of `cohort` and `month` (bucket numbers from 1), `customers` and `sales`,
 * and a row of cohort 0 if the calendar's rollup is complete. Customers with a sale in another bucket of the rollup are
 * counted anew. It is one statement, so it counts every committed write exactly once.
 */
export function keptCohorts(
  { programId, now }: FactsQuery,
  buckets: readonly Bucket[],
  { to, timeZone, calendar, campaignId, currency }: KeptQuery,
): Prisma.Sql {
  const kept = keptMonths(buckets, { to, timeZone, calendar, now: now.getTime() })
  const ofProgram = Prisma.sql`program_id = ${programId}::uuid`
  const matching = Prisma.join(
    [
      campaignId === null ? Prisma.sql`true` : Prisma.sql`campaign_id = ${campaignId}::uuid`,
      currency === null ? Prisma.sql`true` : Prisma.sql`currency = ${currency}`,
    ],
    ' and ',
  )
  const sum = (column: string) => Prisma.raw(currency === null ? '0::numeric' : `sum(${column})`)
  // Read from one row, because a cast of a parameter is evaluated for each row that it is compared with.
  const starts = Prisma.sql`(select starts from times)`
  const cells = cellsOf(kept).map(
    ({ cohortGrain, cohorts, grain, starts: cellStarts }) => Prisma.sql`
      select width_bucket(cohort, ${starts}) as cohort, width_bucket(start, ${starts}) as month, customers, amount as sales
      from analytics_cohorts
      where ${ofProgram} and calendar = ${calendar.id} and campaign_id = ${campaignId ?? nilId}::uuid and currency = ${currency ?? ''}
        and cohort_grain = ${cohortGrain}::analytics_grain and grain = ${grain}::analytics_grain
        and start = any(${times(cellStarts)}) and cohort >= ${time(cohorts.from)} and cohort < ${time(cohorts.to)}`,
  )
  const edges = (end: keyof Span) => times(kept.edges.map((span) => span[end]))
  const day = Prisma.sql`analytics_day(at, (select day_starts from times), (select offsets from times))`
  return Prisma.sql`
    with times as materialized (
      select ${times(kept.starts)} as starts, ${times(buckets.map(({ from }) => from))} as exact_starts,
        ${times(calendar.starts)} as day_starts, ${calendar.offsets}::int[] as offsets
    ), customers as materialized (
      select program_id, customer_id from analytics_deltas where ${ofProgram} and customer_id is not null and ${matching}
      union
      select program_id, customer_id from unnest(${edges('from')}, ${edges('to')}) edges("from", "to") cross join lateral (
        -- By their time alone, whatever the planner expects of a campaign.
        select program_id, campaign_id, currency, coalesce(customer_id, referral_id) as customer_id from sales
        where ${ofProgram} and occurred_at >= edges."from" and occurred_at < edges."to" offset 0
      ) sold where ${matching}
    ), sold as materialized ${soldTo(matching)}, days as (
      select customer_id, ${day} as day, ${sum('amount')} as amount
      from ${foldedSales(matching)} folded group by 1, 2 having sum(count) <> 0
    ), kept as (
      select customer_id, width_bucket(day, ${starts}) as month, min(day) as first, sum(amount) as sales
      from days where day < ${time(kept.to)} group by 1, 2
    ), exact as (
      select customer_id, width_bucket(occurred_at, (select exact_starts from times)) as month,
        ${sum('amount_cents')} as sales
      from sold where occurred_at < ${time(to)} group by 1, 2
    )
    select cohort, month, sum(customers)::int as customers, coalesce(sum(sales), 0)::text as sales from (
      ${Prisma.join(cells, ' union all ')}
      union all
      select cohort, month, -1, -sales
      from (select *, min(month) over sold as cohort, min(first) over sold as first_of_all from kept
        window sold as (partition by customer_id)) kept
      where first_of_all >= ${time(kept.from)}
      union all
      select cohort, month, 1, sales
      from (select *, min(month) over (partition by customer_id) as cohort from exact) exact
      where cohort > 0
    ) parts group by cohort, month
    ${calendar === utc ? Prisma.empty : Prisma.sql`union all select 0, 0, 0, '0' where ${isBuilt(programId, calendar.id)}`}`
}

/** The months of the rollup that are closest to the buckets, by local time in the calendar. */
type KeptMonths = {
  starts: number[]
  /** The first days of customers that are counted, and the end of their sales: whole days. */
  from: number
  to: number
  /** The end of the last month. */
  end: number
  /** Times (not local) that belong to another bucket than their month. */
  edges: Span[]
}

/** Times after now are taken for whole months, because there are hardly any sales. */
function keptMonths(
  buckets: readonly Bucket[],
  { to, timeZone, calendar, now }: { to: number; timeZone: string; calendar: Calendar; now: number },
): KeptMonths {
  const [first, last] = [buckets[0], buckets.at(-1)] as [Bucket, Bucket]
  const starts = buckets.map((bucket) => bucket.first * dayMs)
  const next = addIntervals(last.first, 'month', 1)
  const [start, end] = [first.first * dayMs, next * dayMs]
  const nearestDay = (ms: number, after: number, before: number) =>
    Math.min(Math.max(Math.round(localIn(calendar, ms) / dayMs) * dayMs, after), before)
  const timeOf = (local: number) => dayStartIn(calendar, local / dayMs)
  const from = first.from === first.start ? start : nearestDay(first.from, start, starts[1] ?? end)
  const isWhole = to > now || to === startOfDay(next, timeZone)
  const keptTo = isWhole ? end : nearestDay(to, Math.max(last.first * dayMs, from), end)
  const differences: [number, number][] = [
    ...buckets.map((bucket, n): [number, number] => [bucket.from, timeOf(n === 0 ? from : (starts[n] as number))]),
    [to, timeOf(keptTo)],
  ]
  const edges = differences
    .map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) }))
    .filter((span) => span.from < span.to)
  return { starts, from, to: keptTo, end, edges }
}

type Cells = { cohortGrain: 'day' | 'month'; cohorts: Span; grain: 'day' | 'month'; starts: number[] }

/** The rows of the rollup for the months: by month but for days of a first and a last month that are not whole. */
function cellsOf({ starts, from, to, end }: KeptMonths): Cells[] {
  const [first, second = end, last] = [starts[0], starts[1], starts.at(-1)] as [number, number | undefined, number]
  const cohorts =
    from === first
      ? [{ cohortGrain: 'month', cohorts: { from, to: end } } as const]
      : [
          { cohortGrain: 'day', cohorts: { from, to: second } } as const,
          { cohortGrain: 'month', cohorts: { from: second, to: end } } as const,
        ]
  const days = Array.from({ length: Math.max(0, (to - last) / dayMs) }, (_, n) => last + n * dayMs)
  const sales =
    to === end
      ? [{ grain: 'month', starts } as const]
      : [{ grain: 'month', starts: starts.slice(0, -1) } as const, { grain: 'day', starts: days } as const]
  return cohorts.flatMap((some) => sales.map((others) => ({ ...some, ...others })))
}

const time = (ms: number) => Prisma.sql`${new Date(ms)}::timestamptz`
const times = (all: readonly number[]) =>
  Prisma.sql`${all.map((ms) => new Date(ms).toISOString())}::text[]::timestamptz[]`
