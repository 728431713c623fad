import { withTransaction } from '../../database/client/transaction.ts'
import type { Prisma, WebhookDelivery } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { refused } from '../../kernel/errors.ts'
import { mintId } from '../../kernel/ids.ts'
import { parseInput } from '../../kernel/input/parse.ts'
import { findById } from '../../kernel/lookup.ts'
import { giveWay, inSlices } from '../../kernel/slices.ts'
import { toRule } from '../../listing/where.ts'
import { exampleEvent } from '../event-log/examples.ts'
import { eventListing } from '../event-log/listing.ts'
import { eventTypes, isEventType, isOwnType } from '../events/types.ts'
import { recordAction } from '../history/record.ts'
import { bodyOf } from './body.ts'
import { findWebhookEndpoint, refuseDisabled, rejectUnknownType } from './endpoints.ts'
import { filterOf, insertDeliveries, type NewDelivery, newDelivery } from './fan-out.ts'
import { replayEventsInput, sendTestEventInput } from './input.ts'

const batchSize = 200
/** How many are read at a time. Other requests are handled between two reads. */
const readSize = 200
/** Less than the deadline of a request. */
const replayMs = 20_000

/** @throws NOT_FOUND */
export const findWebhookDelivery = (
  ctx: ProgramCtx,
  id: string,
  query: Prisma.WebhookDeliveryDefaultArgs = {},
): Promise<WebhookDelivery> =>
  findById('Webhook delivery', id, () =>
    ctx.db.webhookDelivery.findUnique({ ...query, where: { programId_id: { programId: ctx.program.id, id } } }),
  )

/** Sends an example of an event. @returns the delivery's id @throws NOT_FOUND; INVALID_INPUT; REFUSED */
export async function sendTestEvent(ctx: ProgramCtx, endpointId: string, raw: unknown): Promise<string> {
  const { type } = await parseInput(sendTestEventInput, raw)
  const endpoint = await findWebhookEndpoint(ctx, endpointId)
  if (!isEventType(type)) throw rejectUnknownType(type)
  if (endpoint.format === 'convention' && isOwnType(type))
    throw refused('Endpoints in the format of the convention are not sent types that start with "tributary.".')
  refuseDisabled(endpoint)
  const now = ctx.now()
  const event = { ...exampleEvent(type, now), id: mintId(now), requestId: ctx.requestId }
  const data = { ...newDelivery(endpoint, event, now), body: bodyOf(event, endpoint.format) }
  return insertAndWake(ctx, endpointId, 'test_sent', [data])
}

/**
 * Sends an event again: as a new delivery, or by trying the delivery at once if it is pending.
 * @returns the id of the delivery that is sent @throws NOT_FOUND; REFUSED if disabled, or not kept any more
 */
export async function redeliver(ctx: ProgramCtx, deliveryId: string): Promise<string> {
  const { endpointId, eventId, eventType, body, state } = await findWebhookDelivery(ctx, deliveryId)
  const endpoint = await findWebhookEndpoint(ctx, endpointId)
  refuseDisabled(endpoint)
  const event = { programId_id: { programId: ctx.program.id, id: eventId } }
  if (body === null && !(await ctx.db.event.findUnique({ where: event, select: { id: true } })))
    throw refused('The event is no longer kept.')
  if (state === 'pending') {
    await storeAndWake(ctx, endpointId, { action: 'redelivered', deliveries: 1 }, (tx) =>
      tryAtOnce(tx, ctx, deliveryId),
    )
    return deliveryId
  }
  const data = { ...newDelivery(endpoint, { id: eventId, type: eventType }, ctx.now()), body }
  return insertAndWake(ctx, endpointId, 'redelivered', [data])
}

/** A delivery with a lease is being tried. */
async function tryAtOnce(tx: Prisma.TransactionClient, { program, now }: ProgramCtx, id: string): Promise<void> {
  const where = { programId: program.id, id, state: 'pending', lease: null } as const
  await tx.webhookDelivery.updateMany({ where, data: { nextTryAt: now() } })
}

export type Replay = { count: number; isComplete: boolean; lastEventId: string | null }

/**
 * Sends the kept events that an endpoint selects, oldest first, as new deliveries. After 20 seconds, it returns the
 * last event, after which to continue.
 * @throws NOT_FOUND; INVALID_INPUT; REFUSED if the endpoint is disabled
 */
export async function replayEvents(ctx: ProgramCtx, endpointId: string, raw: unknown): Promise<Replay> {
  const { where, includeDelivered = true } = await parseInput(replayEventsInput, raw)
  const endpoint = await findWebhookEndpoint(ctx, endpointId)
  refuseDisabled(endpoint)
  const programId = ctx.program.id
  const scope = { now: ctx.now() }
  const types = endpoint.eventTypes.length > 0 ? endpoint.eventTypes : [...eventTypes]
  const sent = endpoint.format === 'convention' ? types.filter((type) => !isOwnType(type)) : types
  const selected = [
    { programId, type: { in: sent } },
    where ? toRule(eventListing, where, scope) : {},
    filterOf(endpoint, scope.now),
  ]
  const startedAt = Date.now()
  let count = 0
  let lastEventId: string | null = null
  for (;;) {
    const data: NewDelivery[] = []
    let isComplete = false
    while (!isComplete && data.length < batchSize && Date.now() - startedAt <= replayMs) {
      await giveWay(ctx)
      const events: { id: string; type: string }[] = await ctx.db.event.findMany({
        where: { AND: [...selected, lastEventId ? { id: { gt: lastEventId } } : {}] },
        select: { id: true, type: true },
        orderBy: { id: 'asc' },
        take: readSize,
      })
      const accepted = includeDelivered ? new Set() : await acceptedAmong(ctx, endpointId, events)
      const replayed = events.filter(({ id }) => !accepted.has(id))
      data.push(...replayed.map((event) => newDelivery(endpoint, event, ctx.now())))
      lastEventId = events.at(-1)?.id ?? lastEventId
      isComplete = events.length < readSize
    }
    if (data.length > 0) await insertAndWake(ctx, endpointId, 'replayed', data)
    count += data.length
    if (isComplete || Date.now() - startedAt > replayMs) return { count, isComplete, lastEventId }
  }
}

async function acceptedAmong(
  { db, program }: ProgramCtx,
  endpointId: string,
  events: readonly { id: string }[],
): Promise<Set<string>> {
  const eventId = { in: events.map(({ id }) => id) }
  const where = { programId: program.id, endpointId, eventId, state: 'succeeded' } as const
  const found = await db.webhookDelivery.findMany({ where, select: { eventId: true } })
  return new Set(found.map((delivery) => delivery.eventId))
}

type Sending = { action: 'test_sent' | 'redelivered' | 'replayed'; deliveries: number }

/** Inserts deliveries, wakes the workers of all instances, and returns the id of the first. */
async function insertAndWake(
  ctx: ProgramCtx,
  endpointId: string,
  action: Sending['action'],
  deliveries: readonly NewDelivery[],
): Promise<string> {
  await storeAndWake(ctx, endpointId, { action, deliveries: deliveries.length }, async (tx) => {
    await inSlices(deliveries, async (slice) => {
      await insertDeliveries(tx, slice)
      return []
    })
  })
  return deliveries[0]?.id as string
}

async function storeAndWake(
  ctx: ProgramCtx,
  endpointId: string,
  { action, deliveries }: Sending,
  store: (tx: Prisma.TransactionClient) => Promise<void>,
): Promise<void> {
  await withTransaction(ctx.db, async (tx) => {
    await store(tx)
    const what = { subject: 'webhook_endpoint', subjectId: endpointId, action } as const
    await recordAction(tx, ctx, what, null, { deliveries }, ctx.now())
  })
  await ctx.db.$queryRaw`select pg_notify('tributary', 'webhooks')::text`
}
