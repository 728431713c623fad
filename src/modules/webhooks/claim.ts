import { randomUUID } from 'node:crypto'
import { Prisma, type WebhookDelivery, type WebhookEndpoint } from '../../generated/prisma/client.ts'
import type { AppDb } from '../../kernel/db.ts'
import { readEvents } from '../event-log/service.ts'
import type { SentEvent } from './body.ts'

/** How long a worker may take for a try. Then any other worker takes it over. */
export const leaseMs = 45_000

export type Concurrency = {
  /** Tries at a time, of one instance. */
  total: number
  perEndpoint: number
  /** To an endpoint that is failing, so that endpoints that do not answer take no turns from others. */
  perFailingEndpoint: number
}

export type Claimed = {
  delivery: Pick<
    WebhookDelivery,
    'programId' | 'id' | 'endpointId' | 'eventId' | 'eventType' | 'body' | 'tries' | 'createdAt'
  >
  lease: string
  endpoint: WebhookEndpoint
  /** Null if it is not in the log any more. */
  event: SentEvent | null
}

/**
 * Leases due deliveries to this worker. Programs, and in a program its endpoints, take turns, so that a backlog delays
 * no other.
 * @param busy how many tries to each endpoint this worker is making
 */
export async function claimDeliveries(
  db: AppDb,
  now: Date,
  limit: number,
  busy: ReadonlyMap<string, number>,
  { perEndpoint, perFailingEndpoint }: Concurrency,
): Promise<Claimed[]> {
  if (limit <= 0) return []
  const lease = randomUUID()
  const leaseEndsAt = new Date(now.getTime() + leaseMs)
  const busyJson = JSON.stringify([...busy].map(([id, count]) => ({ id, count })))
  const taken = await db.$queryRaw<{ programId: string; id: string }[]>`
    with busy as (
      select * from jsonb_to_recordset(${busyJson}::jsonb) as busy(id uuid, count int)
    ), due as (
      select e.program_id, e.id as endpoint_id, d.id, d.place
      from webhook_endpoints e
        left join busy on busy.id = e.id
        cross join lateral (
          select id, row_number() over (order by next_try_at, id) as place from (
            select d.id, d.next_try_at from webhook_deliveries d
            where d.program_id = e.program_id and d.endpoint_id = e.id and d.state = 'pending'
              and d.next_try_at <= ${now}::timestamptz
            order by d.next_try_at
            limit greatest(0, case when e.failing_since is null then ${perEndpoint}::int else ${perFailingEndpoint}::int end
              - coalesce(busy.count, 0))
            for update skip locked
          ) locked
        ) d
      where e.disabled_at is null and not exists (select from programs where id = e.program_id and closed_at is not null)
    ), turns as (
      select program_id, id, row_number() over (partition by program_id order by place, endpoint_id) as turn from due
    ), chosen as (
      select program_id, id from turns order by turn, program_id limit ${limit}::int
    )
    update webhook_deliveries d set lease = ${lease}::uuid, next_try_at = ${leaseEndsAt}::timestamptz
    from chosen where d.program_id = chosen.program_id and d.id = chosen.id
    returning d.program_id::text as "programId", d.id::text`
  if (taken.length === 0) return []
  return readClaimed(db, lease, taken)
}

async function readClaimed(
  db: AppDb,
  lease: string,
  taken: readonly { programId: string; id: string }[],
): Promise<Claimed[]> {
  const deliveries = await db.webhookDelivery.findMany({
    where: { programId: { in: unique(taken, 'programId') }, id: { in: unique(taken, 'id') } },
    include: { endpoint: true },
  })
  const events = await readEvents(
    db,
    deliveries.map(({ programId }) => programId),
    deliveries.flatMap(({ body, eventId }) => (body === null ? eventId : [])),
  )
  return deliveries.map(({ endpoint, ...delivery }) => {
    return { delivery, lease, endpoint, event: events.get(delivery.eventId) ?? null }
  })
}

const unique = <Key extends string>(rows: readonly Record<Key, string>[], key: Key) => [
  ...new Set(rows.map((row) => row[key])),
]

/** A try, as stored with its delivery. */
export type Try = { at: string; status: number | null; ms: number; error: string | null; response: string | null }

export type Outcome = {
  claimed: Claimed
  tried: Try
  state: WebhookDelivery['state']
  nextTryAt: Date | null
  /** The bytes that were sent, if they are sent again. */
  body: string | null
}

/** Stores the outcomes of tries in one statement. A try whose lease was taken over is not counted. */
export async function storeOutcomes(db: AppDb, outcomes: readonly Outcome[], now: Date): Promise<void> {
  const rows = outcomes.map(({ claimed: { delivery, lease }, tried, state, nextTryAt, body }) => ({
    program_id: delivery.programId,
    id: delivery.id,
    lease,
    state,
    next_try_at: (nextTryAt ?? now).toISOString(),
    response: tried,
    body,
  }))
  await db.$executeRaw`
    update webhook_deliveries d set state = o.state::webhook_delivery_state, next_try_at = o.next_try_at, lease = null,
      tries = d.tries + 1, responses = d.responses || o.response, body = coalesce(d.body, o.body),
      finished_at = case when o.state <> 'pending' then ${now}::timestamptz end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as o(program_id uuid, id uuid, lease uuid, state text, next_try_at timestamptz, response jsonb, body text)
    where d.program_id = o.program_id and d.id = o.id and d.lease = o.lease`
}

/** Gives deliveries back, so that another worker tries them at once. */
export async function releaseLeases(db: AppDb, claimed: readonly Claimed[], now: Date): Promise<void> {
  if (claimed.length === 0) return
  const leases = Prisma.join(claimed.map(({ delivery, lease }) => Prisma.sql`(${delivery.id}::uuid, ${lease}::uuid)`))
  await db.$executeRaw`
    update webhook_deliveries set lease = null, next_try_at = ${now}::timestamptz where (id, lease) in (${leases})`
}
