import { Prisma } from '../../generated/prisma/client.ts'
import type { AppDb } from '../../kernel/db.ts'
import { commissions } from '../../resources/commissions.ts'

export const endpointStates = ['active', 'failing', 'disabled'] as const

export type Backlog = {
  endpoints: Record<(typeof endpointStates)[number], number>
  deliveryLagSeconds: number
  sweepLagSeconds: number
  uncountedVisits: number
  analyticsDeltas: number
}

/** More are not counted, so that reading the metrics and the status stays cheap. */
const maximumCounted = 10_000

/** The number of rows of a table, up to the limit. @param rows what follows FROM */
export const counted = (rows: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`(select count(*)::int from (select from ${rows} limit ${maximumCounted}) rows)`

type Row = Backlog['endpoints'] &
  Pick<Backlog, 'uncountedVisits' | 'analyticsDeltas'> & { oldestDelivery: Date | null; oldestDue: Date | null }

/** What waits in the database, for all programs. Each number is found by an index, or counted up to a limit. */
export async function readBacklog(db: AppDb, now: Date): Promise<Backlog> {
  const [row] = await db.$queryRaw<[Row]>`
    select (count(*) filter (where disabled_at is null and failing_since is null))::int as active,
      (count(*) filter (where disabled_at is null and failing_since is not null))::int as failing,
      (count(*) filter (where disabled_at is not null))::int as disabled,
      least(min(oldest.next_try_at) filter (where disabled_at is null),
        (select time_of_id(event_id) from webhook_queue order by event_id limit 1)) as "oldestDelivery",
      (select min(due_at) from commissions where due_noted_at is null and ${commissions.states.sql('due', now)}) as "oldestDue",
      ${counted(Prisma.sql`referrals where not is_counted`)} as "uncountedVisits",
      ${counted(Prisma.sql`analytics_deltas`)} as "analyticsDeltas"
    from webhook_endpoints e left join lateral (
      select next_try_at from webhook_deliveries d
      where d.program_id = e.program_id and d.endpoint_id = e.id and d.state = 'pending' and d.next_try_at <= ${now}::timestamptz
      order by next_try_at limit 1
    ) oldest on true`
  const { oldestDelivery, oldestDue, uncountedVisits, analyticsDeltas, ...endpoints } = row
  const secondsSince = (at: Date | null) => (at ? Math.max(0, (now.getTime() - at.getTime()) / 1000) : 0)
  const lags = { deliveryLagSeconds: secondsSince(oldestDelivery), sweepLagSeconds: secondsSince(oldestDue) }
  return { endpoints, ...lags, uncountedVisits, analyticsDeltas }
}
