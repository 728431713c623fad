import { Prisma } from '../../generated/prisma/client.ts'
import type { Bucket } from './buckets.ts'
import type { FactsQuery } from './facts.ts'
import { addIntervals } from './intervals.ts'
import type { Span } from './range.ts'
import { dayMs, startOfDay } from './zone.ts'

// The rollup of cohorts has the sales of all customers by days and months in UTC. Customers whose sales are not all folded
// are counted anew, by folding and by reading: by their sales without any deltas, as the rollup has them, and by their sales.

/** The sales of the rows of `customers`: customers, and referrals without one. */
const soldTo = Prisma.sql`(
  select customers.*, occurred_at, currency, amount_cents from customers cross join lateral (
    select occurred_at, currency, amount_cents from sales
    where program_id = customers.program_id and customer_id = customers.customer_id
    union all
    select occurred_at, currency, amount_cents from sales
    where program_id = customers.program_id and referral_id = customers.customer_id and customer_id is null
  ) sales
)`

/** The rows of `sold` and `customers` without any deltas, as changes of `count` and `amount`. */
const foldedSales = Prisma.sql`(
  select program_id, customer_id, analytics_start('day', occurred_at) as day, currency, 1 as count, amount_cents as amount
  from sold
  union all
  select program_id, customer_id, analytics_start('day', start), currency, -count, -amount
  from customers join analytics_deltas using (program_id, customer_id)
)`

/** Adds to the rollup what a batch of deltas, the rows of `gone`, changes. */
export const foldCohorts = Prisma.sql`
  with customers as (
    select distinct program_id, customer_id from gone where customer_id is not null
  ), sold as ${soldTo}, changes as (
    select sign, folded.* from ${foldedSales} folded cross join (values (-1), (1)) signs(sign)
    union all
    select 1, program_id, customer_id, analytics_start('day', start), currency, count, amount
    from gone where customer_id is not null
  ), days as (
    select sign, program_id, customer_id, day, currency, sum(amount) as amount
    from changes group by 1, 2, 3, 4, 5 having sum(count) <> 0
  ), facts as (
    select sign, program_id, first_value(day) over sold as cohort, day, currency, amount,
      (lag(analytics_start('month', day)) over sold is distinct from analytics_start('month', day))::int as customers
    from days window sold as (partition by sign, program_id, customer_id order by day, currency)
  ), sums as (
    select program_id, cohort, day, currency, sum(sign * customers) as customers, sum(sign * amount) as amount
    from facts group by 1, 2, 3, 4 having sum(sign * customers) <> 0 or sum(sign * amount) <> 0
  )
  insert into analytics_cohorts as known (program_id, cohort_grain, grain, start, cohort, currency, customers, amount)
  select program_id, cohort_grain, grain, analytics_start(grain, day), analytics_start(cohort_grain, cohort), currency,
    sum(customers), sum(amount)
  from sums cross join unnest(array['day', 'month']::analytics_grain[]) cohort_grain
    cross join unnest(array['day', 'month']::analytics_grain[]) grain
  group by 1, 2, 3, 4, 5, 6
  on conflict (program_id, cohort_grain, grain, start, cohort, currency)
  do update set customers = known.customers + excluded.customers, amount = known.amount + excluded.amount`

/**
 * The cohorts of all sales until `to`: rows of `cohort` and `month` (numbers of buckets, from 1), `customers` and `sales`.
 * Customers with a sale that the rollup counts in another bucket are counted anew too. It is one statement, so it sees every
 * committed write exactly once.
 */
export function keptCohorts(
  { programId, currency, now }: FactsQuery,
  buckets: readonly Bucket[],
  { to, timeZone }: { to: number; timeZone: string },
): Prisma.Sql {
  const kept = keptMonths(buckets, { to, timeZone, now: now.getTime() })
  const ofProgram = Prisma.sql`program_id = ${programId}::uuid`
  const inCurrency = Prisma.sql`filter (where currency = ${currency})`
  const starts = times(kept.starts)
  const cells = cellsOf(kept).map(
    ({ cohortGrain, cohorts, grain, starts: cellStarts }) => Prisma.sql`
      select width_bucket(cohort, ${starts}) as cohort, width_bucket(start, ${starts}) as month, customers,
        case when currency = ${currency} then amount end as sales
      from analytics_cohorts
      where ${ofProgram} and cohort_grain = ${cohortGrain}::analytics_grain and grain = ${grain}::analytics_grain
        and start = any(${times(cellStarts)}) and cohort >= ${time(cohorts.from)} and cohort < ${time(cohorts.to)}`,
  )
  const edges = (end: keyof Span) => times(kept.edges.map((span) => span[end]))
  return Prisma.sql`
    with customers as materialized (
      select program_id, customer_id from analytics_deltas where ${ofProgram} and customer_id is not null
      union
      select program_id, customer_id from unnest(${edges('from')}, ${edges('to')}) edges("from", "to") cross join lateral (
        select program_id, coalesce(customer_id, referral_id) as customer_id from sales
        where ${ofProgram} and occurred_at >= edges."from" and occurred_at < edges."to"
      ) sold
    ), sold as materialized ${soldTo}, days as (
      select customer_id, day, sum(amount) ${inCurrency} as amount
      from ${foldedSales} folded group by 1, 2 having sum(count) <> 0
    ), kept as (
      select customer_id, width_bucket(day, ${starts}) as month, min(day) as first, sum(amount) as sales
      from days where day < ${time(kept.to)} group by 1, 2
    ), exact as (
      select customer_id, width_bucket(occurred_at, ${times(buckets.map(({ from }) => from))}) as month,
        sum(amount_cents) ${inCurrency} as sales
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
    ) parts group by cohort, month`
}

/** The months of the rollup that are closest to the buckets. */
type KeptMonths = {
  starts: number[]
  /** The first days of customers that are counted, and the end of their sales: whole days. */
  from: number
  to: number
  /** The end of the last month. */
  end: number
  /** Times that belong to another bucket than their month. */
  edges: Span[]
}

/** Times after now are taken for whole months, because there are hardly any sales. */
function keptMonths(
  buckets: readonly Bucket[],
  { to, timeZone, now }: { to: number; timeZone: string; now: number },
): KeptMonths {
  const [first, last] = [buckets[0], buckets.at(-1)] as [Bucket, Bucket]
  const starts = buckets.map((bucket) => bucket.first * dayMs)
  const next = addIntervals(last.first, 'month', 1)
  const [start, end] = [first.first * dayMs, next * dayMs]
  const nearestDay = (ms: number, after: number, before: number) =>
    Math.min(Math.max(Math.round(ms / dayMs) * dayMs, after), before)
  const from = first.from === first.start ? start : nearestDay(first.from, start, starts[1] ?? end)
  const isWhole = to > now || to === startOfDay(next, timeZone)
  const keptTo = isWhole ? end : nearestDay(to, Math.max(last.first * dayMs, from), end)
  const differences: [number, number][] = [
    ...buckets.map((bucket, n): [number, number] => [bucket.from, n === 0 ? from : (starts[n] as number)]),
    [to, keptTo],
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
