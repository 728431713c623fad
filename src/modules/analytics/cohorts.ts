import { Prisma } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import type { AppDb } from '../../kernel/db.ts'
import { invalid } from '../../kernel/errors.ts'
import { problem } from '../../kernel/input/parse.ts'
import { type Bucket, bucketsOf } from './buckets.ts'
import { noteUse } from './build-calendars.ts'
import { type Calendar, calendarOf, utc } from './calendars.ts'
import type { FactsQuery } from './facts.ts'
import { keptCohorts } from './kept-cohorts.ts'
import { rate } from './metrics.ts'
import type { Analytics } from './service.ts'
import { conditionsOf, onlyCampaignOf, rowsWithSource } from './where.ts'

type Period = { index: number; activeCustomers: number; retention: number | null; salesCents: bigint }
export type Cohort = { month: string; customers: number; salesCents: bigint; currency: string; periods: Period[] }

const maxMonths = 60

type Row = { cohort: number; month: number; customers: number; sales: string }

/**
 * Groups customers by the month of their first sale in a currency, and counts how many of them bought in it in each
 * later month. A referral without a customer counts as one. Refunds are not deducted. With filters for more than one
 * campaign, every matching sale is read.
 * @param currency null: the first sale in any currency, so that each customer is once, without amounts
 * @throws INVALID_INPUT if the range has too many months
 */
export async function readCohorts(
  { db }: ProgramCtx,
  { query, timeZone, ...span }: Analytics,
  currency: string | null = query.currency,
): Promise<Cohort[]> {
  const { where, now } = query
  const end = Math.min(span.to, now.getTime() + 1)
  const months = bucketsOf({ ...span, to: end }, 'month', timeZone)
  if (!months || months.length > maxMonths)
    throw invalid([problem('range', `has more than ${maxMonths} months: choose a shorter range for cohorts`)])
  const conditions = conditionsOf(where)
  const campaignId = onlyCampaignOf(where)
  const read = (cohorts: Prisma.Sql) => db.$queryRaw<Row[]>(cohorts)
  const readKept = (calendar: Calendar) =>
    read(keptCohorts(query, months, { to: end, timeZone, calendar, campaignId: campaignId ?? null, currency }))
  const rows =
    conditions.length > 0 && campaignId === undefined
      ? await read(plainCohorts(query, months, { to: end, conditions, currency }))
      : ((await readBuilt(readKept, db, query.programId, calendarOf(timeZone))) ?? (await readKept(utc)))
  const byCohortAndMonth = new Map(rows.map((row) => [`${row.cohort} ${row.month}`, row]))
  return months.map(({ label }, index) => {
    const cohort = index + 1
    const customers = byCohortAndMonth.get(`${cohort} ${cohort}`)?.customers ?? 0
    const periods = months.slice(index).map((_, n): Period => {
      const row = byCohortAndMonth.get(`${cohort} ${cohort + n}`)
      const activeCustomers = row?.customers ?? 0
      const retention = rate(BigInt(activeCustomers), BigInt(customers))
      return { index: n, activeCustomers, retention, salesCents: BigInt(row?.sales ?? 0) }
    })
    const salesCents = periods.reduce((sum, period) => sum + period.salesCents, 0n)
    return { month: label, customers, salesCents, currency: currency ?? '', periods }
  })
}

/** Reads the cohorts by the calendar of a time zone; null if its rollup is UTC's, or not complete yet. */
async function readBuilt(
  read: (calendar: Calendar) => Promise<Row[]>,
  db: AppDb,
  programId: string,
  calendar: Calendar,
): Promise<Row[] | null> {
  if (calendar === utc) return null
  noteUse(db, programId, calendar)
  const rows = await read(calendar)
  return rows.some(({ cohort }) => cohort === 0) ? rows : null
}

/** The same rows as those of `keptCohorts`, from the sales that match the conditions. */
function plainCohorts(
  { programId, where }: FactsQuery,
  months: readonly Bucket[],
  { to, conditions, currency }: { to: number; conditions: Prisma.Sql[]; currency: string | null },
): Prisma.Sql {
  const starts = months.map(({ from }) => new Date(from).toISOString())
  return Prisma.sql`
    with times as materialized (select ${starts}::text[]::timestamptz[] as starts), active as (
      select coalesce(customer_id, referral_id) as customer,
        width_bucket(occurred_at, (select starts from times)) as month,
        ${Prisma.raw(currency === null ? '0' : 'sum(amount_cents)')} as sales
      from ${rowsWithSource('sales', where)}
      where program_id = ${programId}::uuid and ${Prisma.join(conditions, ' and ')} and occurred_at < ${new Date(to)}::timestamptz
        and ${currency === null ? Prisma.sql`true` : Prisma.sql`currency = ${currency}`}
      group by 1, 2
    ), known as (select *, min(month) over (partition by customer) as cohort from active)
    select cohort, month, count(*)::int as customers, sum(sales)::text as sales
    from known where cohort > 0 group by cohort, month`
}
