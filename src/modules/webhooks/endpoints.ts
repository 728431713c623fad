import { withTransaction } from '../../database/client/transaction.ts'
import { Prisma, type WebhookEndpoint } from '../../generated/prisma/client.ts'
import type { ProgramCtx } from '../../kernel/context.ts'
import { addDays } from '../../kernel/dates.ts'
import { encryptSecret } from '../../kernel/encryption.ts'
import { invalid, refused } from '../../kernel/errors.ts'
import { mintId } from '../../kernel/ids.ts'
import { parseInput, problem } from '../../kernel/input/parse.ts'
import { findById } from '../../kernel/lookup.ts'
import { toRule } from '../../listing/where.ts'
import { eventListing } from '../event-log/listing.ts'
import { recordAction, recordChange } from '../history/record.ts'
import { lockProgram } from '../programs/lock.ts'
import { disableEndpoint } from './health.ts'
import { createWebhookEndpointInput, rotateWebhookSecretInput, updateWebhookEndpointInput } from './input.ts'
import { mintSecret } from './secrets.ts'
import type { Targets as AllTargets } from './targets.ts'

/** Endpoints of one program. Each event is matched with all of them. */
const mostEndpoints = 50
/** Rows that one statement deletes. */
const batchSize = 5_000

type Targets = Pick<AllTargets, 'problemOf'>
export type Webhooks = { key: Buffer; targets: Targets }

export type EndpointWithSecret = { webhookEndpoint: WebhookEndpoint; secret: string; startsAt: Date }

/** Creates an endpoint. The result holds its secret, which cannot be read again. @throws INVALID_INPUT; REFUSED */
export async function createWebhookEndpoint(
  ctx: ProgramCtx,
  { key, targets }: Webhooks,
  raw: unknown,
): Promise<EndpointWithSecret> {
  const input = await parseInput(createWebhookEndpointInput, raw, (readable) => inputProblems(ctx, targets, readable))
  const programId = ctx.program.id
  const now = ctx.now()
  const { format = 'standard', url, description = null, eventTypes = [], where = null } = input
  const id = mintId(now)
  const secret = mintSecret(format)
  const stored = encryptSecret(key, id, secret)
  const filter = storedFilter(where)
  const data = {
    programId,
    id,
    url,
    description,
    eventTypes,
    filter,
    format,
    secret: stored,
    createdAt: now,
    updatedAt: now,
  }
  const webhookEndpoint = await withTransaction(ctx.db, async (tx) => {
    await lockProgram(tx, programId)
    if ((await tx.webhookEndpoint.count({ where: { programId } })) >= mostEndpoints)
      throw refused(`A program may have ${mostEndpoints} webhook endpoints. Delete one of them.`)
    const created = await tx.webhookEndpoint.create({ data })
    await recordChange(tx, ctx, { ...subjectOf(id), action: 'created' }, null, created, now)
    return created
  })
  return { webhookEndpoint, secret, startsAt: now }
}

const subjectOf = (id: string) => ({ subject: 'webhook_endpoint' as const, subjectId: id })

type Readable = { url?: string; where?: Record<string, unknown> | null }

async function inputProblems(ctx: ProgramCtx, targets: Targets, { url, where }: Readable) {
  // Reports conditions that cannot be evaluated now, not when an event is sent.
  if (where) toRule(eventListing, where, { now: ctx.now() })
  const found = url === undefined ? null : await targets.problemOf(url)
  return found === null ? [] : [problem('url', found)]
}

const storedFilter = (where: Record<string, unknown> | null) =>
  where === null || Object.keys(where).length === 0 ? Prisma.DbNull : (JSON.parse(JSON.stringify(where)) as object)

/** Updates the given fields, with effect for events from now on. @throws NOT_FOUND; INVALID_INPUT */
export async function updateWebhookEndpoint(
  ctx: ProgramCtx,
  { targets }: Webhooks,
  id: string,
  raw: unknown,
): Promise<WebhookEndpoint> {
  const before = await findWebhookEndpoint(ctx, id)
  const input = await parseInput(updateWebhookEndpointInput, raw, (readable) => inputProblems(ctx, targets, readable))
  const { where, ...fields } = input
  const now = ctx.now()
  const data = { ...fields, ...(where !== undefined && { filter: storedFilter(where) }), updatedAt: now }
  return withTransaction(ctx.db, async (tx) => {
    const updated = await tx.webhookEndpoint.update({ where: keyOf(ctx, id), data })
    await recordChange(tx, ctx, { ...subjectOf(id), action: 'updated' }, before, updated, now)
    return updated
  })
}

/** Disables an endpoint. Its waiting deliveries are kept. Idempotent. @throws NOT_FOUND */
export async function disableWebhookEndpoint(ctx: ProgramCtx, id: string): Promise<void> {
  await findWebhookEndpoint(ctx, id)
  await disableEndpoint(ctx.db, ctx, id, 'manual', ctx.now())
}

/** Enables an endpoint: its waiting deliveries are sent, other events are not. Idempotent. @throws NOT_FOUND */
export async function enableWebhookEndpoint(ctx: ProgramCtx, id: string): Promise<void> {
  const before = await findWebhookEndpoint(ctx, id)
  const enabled = { disabledAt: null, disabledReason: null }
  const now = ctx.now()
  await withTransaction(ctx.db, async (tx) => {
    const { count } = await tx.webhookEndpoint.updateMany({
      where: { programId: ctx.program.id, id, disabledAt: { not: null } },
      data: { ...enabled, failingSince: null, updatedAt: now },
    })
    const what = { ...subjectOf(id), action: 'enabled' as const }
    if (count > 0) await recordChange(tx, ctx, what, before, { ...before, ...enabled }, now)
  })
}

/** Deletes an endpoint and its deliveries. Returns its id. @throws NOT_FOUND */
export async function deleteWebhookEndpoint(ctx: ProgramCtx, id: string): Promise<string> {
  const before = await findWebhookEndpoint(ctx, id)
  const programId = ctx.program.id
  // No worker makes new deliveries for it meanwhile.
  await ctx.db.webhookEndpoint.updateMany({ where: { programId, id }, data: { disabledAt: ctx.now() } })
  for (let count = batchSize; count === batchSize; ) {
    count = await ctx.db.$executeRaw`
      delete from webhook_deliveries where program_id = ${programId}::uuid and id in (
        select id from webhook_deliveries where program_id = ${programId}::uuid and endpoint_id = ${id}::uuid limit ${batchSize})`
  }
  await withTransaction(ctx.db, async (tx) => {
    await tx.webhookDelivery.deleteMany({ where: { programId, endpointId: id } })
    const { count } = await tx.webhookEndpoint.deleteMany({ where: { programId, id } })
    if (count > 0) await recordChange(tx, ctx, { ...subjectOf(id), action: 'deleted' }, before, null, ctx.now())
  })
  return id
}

/**
 * Gives an endpoint a new secret. Until the old one ends, standard bodies are signed with both, and the convention's,
 * with their single signature, with the old one.
 * @throws NOT_FOUND; INVALID_INPUT
 */
export async function rotateWebhookSecret(
  ctx: ProgramCtx,
  { key }: Webhooks,
  id: string,
  raw: unknown,
): Promise<EndpointWithSecret> {
  const { keepOldForHours = 24 } = await parseInput(rotateWebhookSecretInput, raw)
  const endpoint = await findWebhookEndpoint(ctx, id)
  const now = ctx.now()
  const endsAt = addDays(now, keepOldForHours / 24)
  const secret = mintSecret(endpoint.format)
  const previous = keepOldForHours > 0 ? { previousSecret: endpoint.secret, previousSecretEndsAt: endsAt } : none
  await withTransaction(ctx.db, async (tx) => {
    const { count } = await tx.webhookEndpoint.updateMany({
      // If two rotations are concurrent, one fails: its secret would never be used.
      where: { programId: ctx.program.id, id, secret: endpoint.secret },
      data: { secret: encryptSecret(key, id, secret), ...previous, updatedAt: now },
    })
    if (count === 0) throw refused('The secret was rotated at the same time.')
    await recordAction(tx, ctx, { ...subjectOf(id), action: 'secret_rotated' }, null, null, now)
  })
  const startsAt = endpoint.format === 'convention' ? endsAt : now
  return { webhookEndpoint: await findWebhookEndpoint(ctx, id), secret, startsAt }
}

const none = { previousSecret: null, previousSecretEndsAt: null }

const keyOf = ({ program }: ProgramCtx, id: string) => ({ programId_id: { programId: program.id, id } })

/** @throws NOT_FOUND */
export const findWebhookEndpoint = (
  ctx: ProgramCtx,
  id: string,
  query: Prisma.WebhookEndpointDefaultArgs = {},
): Promise<WebhookEndpoint> =>
  findById('Webhook endpoint', id, () => ctx.db.webhookEndpoint.findUnique({ ...query, where: keyOf(ctx, id) }))

/** @throws REFUSED if it is disabled */
export function refuseDisabled({ disabledAt }: WebhookEndpoint): void {
  if (disabledAt) throw refused('The webhook endpoint is disabled. Enable it first.')
}

/** @throws INVALID_INPUT */
export const rejectUnknownType = (type: string) => invalid([problem('type', `is not a type of events: ${type}`)])
