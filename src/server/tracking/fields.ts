import type { Program } from '../../generated/prisma/client.ts'
import { readFields } from '../../http/body.ts'
import type { Incoming } from '../../http/incoming.ts'
import { invalid, unauthenticated } from '../../kernel/errors.ts'
import { problem } from '../../kernel/input/parse.ts'
import { secretPrefix } from '../../modules/access/api-keys/secret.ts'
import { findProgramByKey } from '../../modules/programs/cached-lookup.ts'
import { inTurn } from '../limits/turns.ts'
import type { TrackingParts, TrackingRequest } from './settings.ts'

/** Enough for an e-mail and two addresses. */
const maxBodyBytes = 16 * 1024

/** The fields of a small JSON or form body. `sendBeacon` sends JSON as text, which needs no preflight request. */
export async function readTrackingFields(incoming: Incoming): Promise<Record<string, unknown>> {
  const type = incoming.header('content-type')
  const isText = type === null || /^text\/plain\b/i.test(type.trim())
  return readFields(await incoming.body(maxBodyBytes), isText ? 'application/json' : type)
}

/** @throws UNAUTHENTICATED for an unknown key; INVALID_INPUT when the key is missing */
export async function programOfKey(tracking: TrackingRequest, parts: TrackingParts, key: unknown): Promise<Program> {
  if (key === undefined || key === null || key === '') throw invalid([problem('key', "can't be blank")])
  rejectSecret(key)
  const program = typeof key === 'string' ? await inTurn(parts.turns, () => findProgramByKey(parts, key)) : null
  if (!program || isOfOther(program, tracking)) throw unauthenticated('Unknown publishable key.')
  return program
}

/** Whether the request is on the host of another program. */
export const isOfOther = ({ slug }: Program, { ownSlug }: TrackingRequest): boolean =>
  ownSlug !== undefined && slug !== ownSlug

/** A secret key in a page or link is public. The error asks the site's owner to revoke it. */
export function rejectSecret(key: unknown): void {
  if (typeof key !== 'string' || !key.startsWith(secretPrefix)) return
  throw unauthenticated(
    'This is a secret key. Use the publishable key (trib_pk_…) here, and revoke the secret key: everyone who saw the page may have it.',
  )
}

export const verbCtx = ({ log, requestId }: TrackingRequest, { db, now }: TrackingParts) => ({
  db,
  now,
  log,
  requestId,
})
