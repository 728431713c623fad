import { createHash } from 'node:crypto'
import { withTransaction } from '../../database/client/transaction.ts'
import type { Prisma, Program } from '../../generated/prisma/client.ts'
import { inBatchTurn } from '../../kernel/batches.ts'
import type { Ctx } from '../../kernel/context.ts'
import type { AppDb } from '../../kernel/db.ts'
import { decryptSecret, encryptSecret } from '../../kernel/encryption.ts'
import { refused, TributaryError } from '../../kernel/errors.ts'
import { forgetCachedPrograms } from '../programs/cached-lookup.ts'

/** How long the answer to a key is kept, in milliseconds. */
export const keptMs = 24 * 60 * 60_000

/** The header of an answer that was given before. */
export const replayedHeader = ['Idempotent-Replayed', 'true'] as const

/** What is sent, as text. `status` is that of HTTP. */
export type Answer = { status: number; headers: Record<string, string>; body: string }

/** A request with a key. Another request with the same key differs in one of these. */
type KeyedRequest = {
  key: string
  method: string
  target: string
  body: Uint8Array
}

type Caller = Pick<Ctx, 'db' | 'log' | 'actor'> & {
  namedProgram: Program | null
  trueNow: () => Date
  webhooks: { key: Buffer }
}

/** What `run` has done. `result` is for the caller; `answer` is kept. */
type Done<T> = { result: T; answer: Answer }

/**
 * Runs a request once for its key: in one transaction, the key is claimed and the answer stored. A request with the
 * same key gets the stored answer for 24 hours. Keys belong to the program that the request names, and those of people
 * to the person.
 *
 * An answer of 500 and above undoes everything, and the key is free again. So does one from 400 on, unless a
 * transaction of `run` ended without an error: its writes stay, and the answer is kept.
 * @param run gets the client to use for everything. It can run again, so it must have no effects outside the database
 * @throws REQUEST_IN_PROGRESS if the first request with the key is not answered yet; IDEMPOTENCY_KEY_REUSED if that was
 *   another request, or one of another caller
 */
export async function answerOnce<T>(
  caller: Caller,
  request: KeyedRequest,
  run: (db: AppDb) => Promise<Done<T>>,
): Promise<{ result: T } | { replay: Answer }> {
  const { db, log } = caller
  const place = placeOf(caller, request)
  const name = `${place.scope} ${place.keyHash}`
  const inProgress = inProgressOn(db)
  if (inProgress.has(name)) throw stillInProgress()
  inProgress.add(name)
  try {
    const once = async (tx: Prisma.TransactionClient) => {
      if (!(await claim(tx, place, caller.trueNow()))) return { replay: await readAnswer(tx, place, caller) }
      const within = db.within(tx)
      const { result, answer } = await run(within.db)
      if (answer.status >= 500 || (answer.status >= 400 && !within.hasWritten())) throw new NotKept(result)
      const stored = encryptSecret(caller.webhooks.key, boundTo(place), JSON.stringify(answer))
      await tx.$executeRaw`
          update idempotency_keys set answer = ${stored} where scope = ${place.scope} and key_hash = ${place.keyHash}`
      return { result }
    }
    const inTransaction = () => withTransaction(db, once, { log, isLong: true })
    // It holds the one connection of the embedded database.
    return await (db.sql.isInThread
      ? inBatchTurn({ db, program: { id: place.scope } }, inTransaction)
      : inTransaction())
  } catch (error) {
    if (error instanceof NotKept) return { result: error.result as T }
    throw error
  } finally {
    inProgress.delete(name)
    forgetCachedPrograms(db)
  }
}

class NotKept extends Error {
  constructor(readonly result: unknown) {
    super('the request had no effect')
  }
}

type Place = { scope: string; keyHash: string; requestHash: string }

const hashOf = (...parts: (string | Uint8Array)[]): string => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(`${part.length}:`).update(part)
  return hash.digest('base64url')
}

/** Each person has keys of their own; the API keys of a program share them. */
function placeOf({ namedProgram, actor }: Caller, { key, method, target, body }: KeyedRequest): Place {
  const isPerson = actor.kind === 'person'
  const caller = isPerson ? `person ${actor.id}` : actor.kind
  return {
    scope: namedProgram?.id ?? '-',
    keyHash: isPerson ? hashOf(caller, key) : hashOf(key),
    requestHash: hashOf(caller, method, target, body),
  }
}

/** An answer cannot be decrypted as that of another key. */
export const boundTo = ({ scope, keyHash }: Pick<Place, 'scope' | 'keyHash'>) => `idempotency ${scope} ${keyHash}`

/** The keys whose requests run in this process, for each database. */
const inProgress = new WeakMap<object, Set<string>>()

function inProgressOn(db: AppDb): Set<string> {
  const base = db.base
  const names = inProgress.get(base) ?? new Set()
  inProgress.set(base, names)
  return names
}

/**
 * Claims the key. False if a request with the key has been answered. The lock detects a request that still runs in
 * another process; inserting alone would wait for it.
 * @throws REQUEST_IN_PROGRESS
 */
async function claim(
  tx: Prisma.TransactionClient,
  { scope, keyHash, requestHash }: Place,
  now: Date,
): Promise<boolean> {
  const [found] = await tx.$queryRaw<[{ isLocked: boolean; isClaimed: boolean }]>`
    with locked as materialized (
      select pg_try_advisory_xact_lock(hashtextextended(${`idempotency ${scope} ${keyHash}`}, 0)) as is_locked
    ), claimed as (
      insert into idempotency_keys as kept (scope, key_hash, request_hash, created_at)
      select ${scope}, ${keyHash}, ${requestHash}, ${now}::timestamptz from locked where is_locked
      on conflict (scope, key_hash) do update
        set request_hash = excluded.request_hash, answer = null, created_at = excluded.created_at
        where kept.created_at <= ${new Date(now.getTime() - keptMs)}::timestamptz
      returning 1
    )
    select is_locked as "isLocked", exists(select from claimed) as "isClaimed" from locked`
  if (!found.isLocked) throw stillInProgress()
  return found.isClaimed
}

/** @throws IDEMPOTENCY_KEY_REUSED; REFUSED if the installation's key was changed, or the answer erased */
async function readAnswer(tx: Prisma.TransactionClient, place: Place, { webhooks }: Caller): Promise<Answer> {
  const { requestHash, answer } = await tx.idempotencyKey.findUniqueOrThrow({
    where: { scope_keyHash: { scope: place.scope, keyHash: place.keyHash } },
  })
  if (requestHash !== place.requestHash)
    throw new TributaryError(
      'IDEMPOTENCY_KEY_REUSED',
      'This Idempotency-Key was used for another request: another method, path, body or kind of caller. Send a new key.',
    )
  const text = answer && decryptSecret(webhooks.key, boundTo(place), answer)
  if (!text)
    throw refused('The request with this Idempotency-Key was carried out, but its answer cannot be read any more.')
  return JSON.parse(text) as Answer
}

const stillInProgress = () =>
  new TributaryError('REQUEST_IN_PROGRESS', 'A request with this Idempotency-Key is still running. Try again shortly.')
