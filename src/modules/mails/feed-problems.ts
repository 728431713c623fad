import { Prisma } from '../../generated/prisma/client.ts'

/** How many of its last events say how a feed is. */
const lastEvents = 100

/** The types of events that every payment sends. */
const paymentTypes = [
  ...['invoice.paid', 'invoice.payment_succeeded', 'transaction.completed', 'transaction.paid'],
  ...['subscription_payment_success', 'payment_succeeded', 'order.paid'],
]

/** How an event begins its reason that cannot be used because it is of the wrong mode or form. */
export const reasonOfMode = 'It is an event of live mode'
export const reasonOfThin = 'This endpoint sends thin events'

/**
 * What is wrong with a feed `f`, by its last events: rows of `problem` and the time `at` when it was last seen. To be
 * joined laterally.
 */
export const feedProblems = (now: Date): Prisma.Sql => Prisma.sql`(
  with last as (
    select e.external_id, e.type, e.outcome, e.reason, e.created_at, row_number() over (order by e.id desc) as n
    from feed_events e where e.program_id = f.program_id and e.feed_id = f.id order by e.id desc limit ${lastEvents}
  )
  select 'requests_rejected' as problem, created_at as at from last where n = 1 and external_id is null
  union all
  select 'live_events_ignored', max(created_at) from last
  where f.mode = 'test' and outcome = 'ignored' and reason like ${`${reasonOfMode}%`} having count(*) > 0
  union all
  select 'thin_events', max(created_at) from last
  where outcome = 'failed' and reason like ${`${reasonOfThin}%`} having count(*) > 0
  union all
  select 'no_payments', max(created_at) + interval '30 days' from last
  where type = any (${paymentTypes}::text[]) having max(created_at) + interval '30 days' <= ${now}::timestamptz)`

/** The last time that something was wrong with a feed `f`, as `troubled.at`. No row if all is well. To be joined. */
export const troubled = (now: Date): Prisma.Sql =>
  Prisma.sql`lateral (select max(at) as at from ${feedProblems(now)} problems having count(*) > 0) troubled`
