import { Prisma } from '../../generated/prisma/client.ts'
import { nilId } from './where.ts'

// The rollup of cohorts has the sales of customers by days and months of calendars, for all campaigns and for each, in
// each currency and in all.
// Customers with unfolded sales are counted anew, by folding and by reading: without deltas, as the rollup has them,
// and with them.

const matchingAll = Prisma.sql`true`

/** The matching sales of the rows of `customers`: customers, and referrals without one. */
export const soldTo = (matching = matchingAll): Prisma.Sql => Prisma.sql`(
    select customers.*, campaign_id, occurred_at, currency, amount_cents from customers cross join lateral (
      select campaign_id, occurred_at, currency, amount_cents from sales
      where program_id = customers.program_id and customer_id = customers.customer_id and ${matching}
      union all
      select campaign_id, occurred_at, currency, amount_cents from sales
      where program_id = customers.program_id and referral_id = customers.customer_id and customer_id is null and ${matching}
    ) sales
  )`

/** The matching deltas of `customers`, as changes that take them away. */
const unfolded = (matching = matchingAll): Prisma.Sql => Prisma.sql`
  select program_id, customer_id, campaign_id, start, currency, -count, -amount
  from customers join analytics_deltas using (program_id, customer_id) where ${matching}`

/** The rows of `sold` without any of the matching deltas of `customers`, as changes of `count` and `amount`. */
export const foldedSales = (matching = matchingAll): Prisma.Sql => Prisma.sql`(
  select program_id, customer_id, campaign_id, occurred_at as at, currency, 1 as count, amount_cents as amount from sold
  union all ${unfolded(matching)}
)`

/** Adds to the rollup what `changes` with a `sign` change, by the days of `calendars`. */
const addChanges = Prisma.sql`
  days as (
    select sign, program_id, calendar, any_or_one as campaign_id, customer_id, analytics_day(at, starts, offsets) as day,
      counted.currency, sum(counted.amount) as amount
    from changes join calendars using (program_id) cross join unnest(array[${nilId}::uuid, campaign_id]) any_or_one
      cross join lateral (values ('', 0), (changes.currency, changes.amount)) counted(currency, amount)
    where customer_id <= built_until
    group by 1, 2, 3, 4, 5, 6, 7 having sum(count) <> 0
  ), facts as (
    select sign, program_id, calendar, campaign_id, first_value(day) over sold as cohort, day, currency, amount,
      (lag(analytics_start('month', day)) over sold is distinct from analytics_start('month', day))::int as customers
    from days window sold as (partition by sign, program_id, calendar, campaign_id, customer_id, currency order by day)
  ), sums as (
    select program_id, calendar, campaign_id, cohort, day, currency, sum(sign * customers) as customers,
      sum(sign * amount) as amount
    from facts group by 1, 2, 3, 4, 5, 6 having sum(sign * customers) <> 0 or sum(sign * amount) <> 0
  )
  insert into analytics_cohorts as known
    (program_id, calendar, campaign_id, cohort_grain, grain, start, cohort, currency, customers, amount)
  select program_id, calendar, campaign_id, cohort_grain, grain, analytics_start(grain, day),
    analytics_start(cohort_grain, cohort), currency, sum(customers), sum(amount)
  from sums cross join unnest(array['day', 'month']::analytics_grain[]) cohort_grain
    cross join unnest(array['day', 'month']::analytics_grain[]) grain
  group by 1, 2, 3, 4, 5, 6, 7, 8
  on conflict (program_id, calendar, campaign_id, cohort_grain, grain, start, cohort, currency)
  do update set customers = known.customers + excluded.customers, amount = known.amount + excluded.amount`

/**
 * The rows of `sold` that decide what the deltas of their customers change, summed by what is in the same day of
 * every calendar. Sales between the first one in a campaign and currency and the months of the deltas do not matter,
 * so a batch costs the same for customers with many sales. If the first sale can be among the changed ones, all of
 * them count. Calendars differ by less than two days.
 */
const soldAroundDeltas = Prisma.sql`(
    select program_id, customer_id, campaign_id, at, currency, count, amount from (
      select *, min(at) over (partition by program_id, customer_id, campaign_id, currency) as first_at from (
        select program_id, customer_id, campaign_id, date_bin('15 minutes', occurred_at, 'epoch') as at, currency,
          count(*) as count, sum(amount_cents) as amount
        from sold group by 1, 2, 3, 4, 5
      ) quarter_hours
    ) known join (
      select program_id, customer_id, min(start) as from_at, max(start) as to_at
      from customers join analytics_deltas using (program_id, customer_id) group by 1, 2
    ) changed using (program_id, customer_id)
    where at between from_at - interval '33 days' and to_at + interval '33 days' or at = first_at
      or first_at >= from_at - interval '2 days'
  )`

/** Adds to the rollup what a batch of deltas, the rows of `gone`, changes. */
export const foldCohorts = Prisma.sql`
  with customers as (
    select distinct program_id, customer_id from gone where customer_id is not null
  ), sold as ${soldTo()}, folded as (
    select * from ${soldAroundDeltas} around
    union all ${unfolded()}
  ), changes as (
    select sign, folded.* from folded cross join (values (-1), (1)) signs(sign)
    union all
    select 1, program_id, customer_id, campaign_id, start, currency, count, amount from gone where customer_id is not null
  ), calendars as (select * from analytics_cohort_calendars),
  ${addChanges}`

const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Whether the rollup has all customers by a calendar. */
export const isBuilt = (programId: string, calendarId: string): Prisma.Sql => Prisma.sql`exists (
  select from analytics_calendars
  where program_id = ${programId}::uuid and id = ${calendarId} and built_until = ${lastId}::uuid
)`

/**
 * Adds the next `count` customers of a program to the rollup by a calendar; a row unless they were the last ones. No
 * fold may run at the same time.
 */
export function buildCohorts(programId: string, calendarId: string, count: number): Prisma.Sql {
  const next = (column: string, condition: string) => Prisma.sql`(
    select distinct ${Prisma.raw(column)} as customer_id from sales
    where program_id = ${programId}::uuid and ${Prisma.raw(column)} > (select built_until from calendar)
      and ${Prisma.raw(condition)}
    order by 1 limit ${count})`
  return Prisma.sql`
    with calendar as materialized (
      select program_id, id as calendar, starts, offsets, built_until from analytics_calendars
      where program_id = ${programId}::uuid and id = ${calendarId}
    ), customers as materialized (
      select ${programId}::uuid as program_id, customer_id
      from (${next('customer_id', 'true')} union ${next('referral_id', 'customer_id is null')}) sold_to
      order by customer_id limit ${count}
    ), sold as ${soldTo()}, changes as (select 1 as sign, folded.* from ${foldedSales()} folded),
    calendars as (select program_id, calendar, starts, offsets, ${lastId}::uuid as built_until from calendar),
    added as (with ${addChanges}), last as (
      select case when count(*) = ${count} then (array_agg(customer_id order by customer_id desc))[1] else ${lastId}::uuid end as id
      from customers
    )
    update analytics_calendars set built_until = last.id from last
    where program_id = ${programId}::uuid and analytics_calendars.id = ${calendarId} and built_until <> ${lastId}::uuid
    returning built_until <> ${lastId}::uuid as "hasMore"`
}
