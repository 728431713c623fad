import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { statement } from '../../database/client/sql.ts'
import type { Feed } from '../../generated/prisma/client.ts'
import type { Ctx } from '../../kernel/context.ts'
import type { AppDb } from '../../kernel/db.ts'
import { decryptSecret } from '../../kernel/encryption.ts'
import { mintId } from '../../kernel/ids.ts'
import { excerpt, storableText } from '../../kernel/text.ts'
import { foreignReason, modeOf } from './foreign.ts'
import { kinds } from './kinds/all.ts'
import { type Json, Unusable } from './kinds/json.ts'
import type { Envelope } from './kinds/kind.ts'
import type { Signed } from './kinds/signature.ts'

/** What is answered: whether the request is proved, and what became of it. */
export type Received = { status: 200; duplicate: boolean; note: string | null } | { status: 400 | 401; note: string }

type ReceiveCtx = Pick<Ctx, 'db' | 'now'> & { key: Buffer }

/** @returns the feed of an address, or null */
export const findFeedOfAddress = (db: AppDb, id: string): Promise<Feed | null> =>
  db.feed.findFirst({ where: { id, program: { deletedAt: null } } })

/**
 * Stores an event as it was sent, in one statement, once. What follows from it is derived later.
 * @param now the true time
 */
export async function receiveEvent(ctx: ReceiveCtx, feed: Feed, signed: Signed): Promise<Received> {
  const kind = kinds[feed.kind]
  const secrets = secretsOf(ctx, feed)
  if (secrets.length === 0)
    return reject(ctx, feed, signed, 401, 'The feed has no secret yet: enter it with updateFeed.')
  if (isPingOfWooCommerce(feed, signed)) return { status: 200, duplicate: true, note: null }
  const problem = kind.problemOf(signed, secrets, ctx.now(), feed)
  if (problem !== null) return reject(ctx, feed, signed, kind.refusal, problem)
  const sent = Buffer.from(signed.body).toString('utf8')
  let text = sent
  let envelope: Envelope
  try {
    if (feed.bodyFormat === 'form') text = JSON.stringify(objectOfForm(sent))
    envelope = kind.envelopeOf(parsed(text), signed, feed)
  } catch (error) {
    if (!(error instanceof Unusable)) throw error
    return reject(ctx, feed, signed, 400, error.message)
  }
  const foreign = await foreignTo(ctx, feed, envelope)
  const stored = await store(ctx, feed, envelope, text, foreign)
  return { status: 200, duplicate: !stored, note: foreign }
}

function parsed(text: string): Json {
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Json
  } catch {
    // Reported below.
  }
  throw new Unusable('The body is not a JSON object. If it is a form, set bodyFormat of a generic feed to FORM.')
}

const mostFields = 1_000

/** A form as an object. Names stay as they are, also `order[id]`. A name that comes twice has a list. */
function objectOfForm(text: string): Record<string, string | string[]> {
  const fields = new Map<string, string[]>()
  const given = [...new URLSearchParams(text)]
  if (given.length > mostFields) throw new Unusable(`The form has more than ${mostFields} fields.`)
  for (const [name, value] of given) {
    const values = fields.get(name)
    if (values) values.push(value)
    else fields.set(name, [value])
  }
  return Object.fromEntries([...fields].map(([name, values]) => [name, values.length > 1 ? values : String(values[0])]))
}

/** WooCommerce saves a new webhook only if its address answers to this, which is not signed. Nothing is stored. */
const isPingOfWooCommerce = ({ signatureHeader }: Feed, { body, header }: Signed): boolean =>
  signatureHeader?.toLowerCase() === 'x-wc-webhook-signature' &&
  header('x-wc-webhook-signature') === null &&
  body.length < 50 &&
  /^webhook_id=\d+$/.test(Buffer.from(body).toString('utf8'))

function secretsOf({ key, now }: ReceiveCtx, feed: Feed): string[] {
  const previous = feed.previousSecretEndsAt && feed.previousSecretEndsAt > now() ? feed.previousSecret : null
  return [feed.secret, previous].flatMap((stored) => {
    const secret = stored === null ? null : decryptSecret(key, feed.id, stored)
    return secret === null ? [] : [secret]
  })
}

/** The first event says which mode and account a feed is of. Others are kept, and ignored: nobody has to retry them. */
export async function foreignTo(
  { db }: Pick<ReceiveCtx, 'db'>,
  feed: Feed,
  envelope: Envelope,
): Promise<string | null> {
  const mode = modeOf(envelope)
  const { account } = envelope
  const learned = {
    ...(feed.mode === null && mode !== null && { mode }),
    ...(feed.account === null && account !== undefined && { account }),
  } as const
  if (Object.keys(learned).length > 0) {
    const where = { programId: feed.programId, id: feed.id, mode: feed.mode, account: feed.account }
    await db.feed.updateMany({ where, data: learned })
  }
  return foreignReason(feed, envelope)
}

const insert = statement<{ id: string }>(`
  insert into feed_events (program_id, id, feed_id, external_id, type, raw, outcome, reason, derive_at, occurred_at, created_at, facts)
  values ($1::uuid, $2::uuid, $3::uuid, $4::text, $5::text, $6::text, $7::feed_event_outcome, $8::text, $9::timestamptz,
    $10::timestamptz, $11::timestamptz, $12::jsonb)
  on conflict do nothing returning id::text`)

const notYet = 'Not derived yet.'

/** Stores an event, once. @returns whether it is new */
export async function store(
  { db, now }: Pick<ReceiveCtx, 'db' | 'now'>,
  feed: Feed,
  { externalId, type, occurredAt }: Envelope,
  text: string,
  foreign: string | null,
): Promise<boolean> {
  const at = now()
  const rows = await db.sql.query(insert, [
    feed.programId,
    mintId(at),
    feed.id,
    excerpt(storableText(externalId), 255),
    excerpt(storableText(type), 255),
    storableText(text),
    foreign ? 'ignored' : 'waiting',
    foreign ?? notYet,
    foreign ? null : at,
    occurredAt ? new Date(occurredAt) : null,
    at,
    foreign ? '[]' : null,
  ])
  return rows.length > 0
}

/** Rejected requests that are shown, per feed and minute: anybody can send them. */
const shownPerMinute = 5
const shown = new LRUCache<string, number>({ max: 1_000, ttl: 60_000 })

/** Shows a rejected request in the list of events, without its body: nobody knows who has sent it. */
async function reject(
  { db, now }: ReceiveCtx,
  feed: Feed,
  { body }: Signed,
  status: 400 | 401,
  note: string,
): Promise<Received> {
  const count = (shown.get(feed.id) ?? 0) + 1
  shown.set(feed.id, count, { noUpdateTTL: true })
  if (count <= shownPerMinute) {
    const digest = createHash('sha256').update(body).digest('hex').slice(0, 12)
    const reason = `Rejected with ${status}: ${note} The body had ${body.length} bytes (sha256 ${digest}…).`
    const at = now()
    const columns = [null, null, null, 'failed', reason, null, null, at, '[]']
    await db.sql.query(insert, [feed.programId, mintId(at), feed.id, ...columns])
  }
  return { status, note }
}
