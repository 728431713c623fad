import { statement } from '../../database/client/sql.ts'
import { withTransaction } from '../../database/client/transaction.ts'
import { insertRows } from '../../database/client/write.ts'
import { Prisma, type WebhookEndpoint } from '../../generated/prisma/client.ts'
import type { AppDb } from '../../kernel/db.ts'
import { mintId } from '../../kernel/ids.ts'
import { toRule, type Where } from '../../listing/where.ts'
import { eventListing } from '../event-log/listing.ts'
import { isOwnType } from '../events/types.ts'

const batchSize = 200

type Selecting = Pick<WebhookEndpoint, 'format' | 'eventTypes' | 'filter'>

/** Whether an endpoint is sent events of a type. Those of the convention's format are not sent our own types. */
export const sendsType = ({ format, eventTypes }: Pick<Selecting, 'format' | 'eventTypes'>, type: string): boolean =>
  (format === 'standard' || !isOwnType(type)) && (eventTypes.length === 0 || eventTypes.includes(type))

/** The further condition of an endpoint. */
export const filterOf = ({ filter }: Pick<Selecting, 'filter'>, now: Date): Prisma.EventWhereInput =>
  filter === null ? {} : toRule(eventListing, filter as Where, { now })

/** What a closed program has queued is sent by the installation that it is moved to, or once it is open again. */
const ofOpenProgram = 'not exists (select from programs where id = webhook_queue.program_id and closed_at is not null)'

const queued = statement<{ queued: boolean }>(
  `select exists (select from webhook_queue where ${ofOpenProgram}) as queued`,
)

/** Whether there are events that have no deliveries yet. */
export async function hasQueuedEvents(db: AppDb): Promise<boolean> {
  const [row] = await db.sql.query(queued)
  return row?.queued === true
}

/** Turns queued events into deliveries, each in one transaction. @returns whether there may be more */
export function fanOut(db: AppDb, now: Date): Promise<boolean> {
  return withTransaction(db, async (tx) => {
    const queued = await tx.$queryRaw<{ programId: string; eventId: string }[]>`
      with first as (
        select program_id, event_id from webhook_queue where ${Prisma.raw(ofOpenProgram)}
        order by event_id limit ${batchSize} for update skip locked)
      delete from webhook_queue q using first where q.program_id = first.program_id and q.event_id = first.event_id
      returning q.program_id::text as "programId", q.event_id::text as "eventId"`
    if (queued.length === 0) return false
    const programIds = [...new Set(queued.map(({ programId }) => programId))]
    // A shadow sends nothing: receivers tell affiliates of what they are sent.
    const endpoints = await tx.webhookEndpoint.findMany({
      where: { programId: { in: programIds }, disabledAt: null, program: { isShadow: false } },
    })
    const deliveries: NewDelivery[] = []
    for (const programId of programIds) {
      const ids = queued.filter((event) => event.programId === programId).map(({ eventId }) => eventId)
      const ofProgram = endpoints.filter((endpoint) => endpoint.programId === programId)
      deliveries.push(...(await deliveriesOf(tx, programId, ids, ofProgram, now)))
    }
    await insertDeliveries(tx, deliveries)
    return queued.length === batchSize
  })
}

async function deliveriesOf(
  tx: Prisma.TransactionClient,
  programId: string,
  ids: string[],
  endpoints: readonly WebhookEndpoint[],
  now: Date,
): Promise<NewDelivery[]> {
  if (endpoints.length === 0) return []
  const select = { id: true, type: true } as const
  const read = (where: Prisma.EventWhereInput) =>
    tx.event.findMany({ where: { AND: [{ programId, id: { in: ids } }, where] }, select, orderBy: { id: 'asc' } })
  const all = await read({})
  const deliveries: NewDelivery[] = []
  for (const endpoint of endpoints) {
    const selected = endpoint.filter === null ? all : await read(filterOf(endpoint, now))
    for (const { id, type } of selected) {
      if (sendsType(endpoint, type)) deliveries.push(newDelivery(endpoint, { id, type }, now))
    }
  }
  return deliveries
}

export type NewDelivery = ReturnType<typeof newDelivery>

export const insertDeliveries = (tx: Prisma.TransactionClient, deliveries: readonly NewDelivery[]): Promise<void> =>
  insertRows(tx, 'webhook_deliveries', deliveries)

export const newDelivery = (
  { programId, id: endpointId }: Pick<WebhookEndpoint, 'programId' | 'id'>,
  event: { id: string; type: string },
  now: Date,
) => ({
  programId,
  id: mintId(now),
  endpointId,
  eventId: event.id,
  eventType: event.type,
  state: 'pending' as const,
  tries: 0,
  responses: [],
  nextTryAt: now,
  createdAt: now,
})
