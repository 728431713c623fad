import type { Logger } from 'pino'
import { deleteInBatches } from '../../database/upkeep/delete-in-batches.ts'
import { dropExpired } from '../../database/upkeep/partitions.ts'
import { addDays } from '../../kernel/dates.ts'
import type { AppDb } from '../../kernel/db.ts'

/** How long finished deliveries of webhooks are kept, with the responses. */
export const deliveryDays = 30

/** A state is older than its events, by less than this. */
const stateAgeMs = 60_000

const stillToBeSent = `(r.program_id, r.id) in (select program_id, event_id from webhook_queue
  union all select program_id, event_id from webhook_deliveries where state = 'pending' and body is null)`

/**
 * Deletes events older than `days`, and old finished deliveries: whole partitions, and small batches. Events that
 * webhooks still have to be sent are kept, also for disabled endpoints. Returns how many rows were deleted in batches.
 */
export async function deleteOldEvents(
  db: AppDb,
  now: Date,
  days: number,
  { batchSize, log }: { batchSize?: number; log?: Logger } = {},
): Promise<number> {
  const expired = addDays(now, -days)
  const eventsUntil = await dropExpired(
    db,
    { table: 'events', until: expired, keptDays: days, kept: stillToBeSent },
    log,
  )
  const statesExpired = new Date(expired.getTime() - stateAgeMs)
  const statesUntil = await dropExpired(
    db,
    {
      table: 'event_states',
      until: statesExpired,
      keptDays: days,
      kept: `(r.program_id, r.id) in (select program_id, state_id from events where id < least_id('${expired.toISOString()}'))`,
    },
    log,
  )
  const finishedBefore = addDays(now, -deliveryDays)
  const deliveriesUntil = await dropExpired(
    db,
    {
      table: 'webhook_deliveries',
      until: finishedBefore,
      keptDays: deliveryDays,
      kept: `r.finished_at is null or r.finished_at >= '${finishedBefore.toISOString()}'`,
    },
    log,
  )
  // One statement, because most programs have no old rows. A base of a move is not changed.
  const programs = await db.$queryRaw<{ id: string }[]>`
    select p.id::text from programs p, (
      select least_id(${eventsUntil}::timestamptz) as events, least_id(${statesUntil}::timestamptz) as states,
        least_id(${deliveriesUntil}::timestamptz) as deliveries
    ) until
    where p.base is null and (exists (select from events where program_id = p.id and id < until.events)
      or exists (select from event_states where program_id = p.id and id < until.states)
      or exists (select from webhook_deliveries where program_id = p.id and id < until.deliveries))`
  let total = 0
  for (const { id } of programs) {
    // The ids begin with the time, so the primary key finds the oldest rows.
    total += await deleteInBatches(
      (limit) => db.$executeRaw`
        delete from events where program_id = ${id}::uuid and id in (
          select id from events e where program_id = ${id}::uuid and id < least_id(${eventsUntil}::timestamptz)
            and not exists (select from webhook_queue q where q.program_id = e.program_id and q.event_id = e.id)
            and not exists (select from webhook_deliveries d
              where d.program_id = e.program_id and d.event_id = e.id and d.state = 'pending' and d.body is null)
          order by id limit ${limit})`,
      batchSize,
    )
    total += await deleteInBatches(
      (limit) => db.$executeRaw`
        delete from event_states where program_id = ${id}::uuid and id in (
          select id from event_states where program_id = ${id}::uuid and id < least_id(${statesUntil}::timestamptz)
            and id not in (select state_id from events where program_id = ${id}::uuid and id < least_id(${expired}::timestamptz))
          order by id limit ${limit})`,
      batchSize,
    )
    total += await deleteInBatches(
      (limit) => db.$executeRaw`
        delete from webhook_deliveries where program_id = ${id}::uuid and id in (
          select id from webhook_deliveries
          where program_id = ${id}::uuid and id < least_id(${deliveriesUntil}::timestamptz) and finished_at < ${finishedBefore}::timestamptz
          order by id limit ${limit})`,
      batchSize,
    )
  }
  return total
}
