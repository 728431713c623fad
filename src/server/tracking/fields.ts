import type { Program } from '../../generated/prisma/client.ts'
import { readBody } from '../../http/body.ts'
import { invalid, TributaryError } from '../../kernel/errors.ts'
import { problem } from '../../kernel/input/parse.ts'
import { secretPrefix } from '../../modules/access/api-keys/secret.ts'
import { findProgramByKey } from '../../modules/programs/cached-lookup.ts'
import { readFields } from '../../rest/body.ts'
import { inTurn } from '../turns.ts'
import type { Asked, TrackingParts } from './options.ts'

/** An e-mail and two addresses need no more. */
const maxBodyBytes = 16 * 1024

/** The fields of a small body: JSON or a form. `sendBeacon` sends JSON as text, which needs no preflight. */
export async function readTrackingFields(request: Request): Promise<Record<string, unknown>> {
  const type = request.headers.get('content-type')
  const isText = type === null || /^text\/plain\b/i.test(type.trim())
  return readFields(await readBody(request, maxBodyBytes), isText ? 'application/json' : type)
}

/** @throws UNAUTHENTICATED for a key that names no program; INVALID_INPUT for none */
export async function programOfKey(parts: TrackingParts, key: unknown): Promise<Program> {
  if (key === undefined || key === null || key === '') throw invalid([problem('key', "can't be blank")])
  refuseSecret(key)
  const program = typeof key === 'string' ? await inTurn(parts.turns, () => findProgramByKey(parts, key)) : null
  if (!program) throw new TributaryError('UNAUTHENTICATED', 'Unknown publishable key.')
  return program
}

/** Whoever sends a secret from a page has shown it to everybody. */
export function refuseSecret(key: unknown): void {
  if (typeof key !== 'string' || !key.startsWith(secretPrefix)) return
  throw new TributaryError(
    'UNAUTHENTICATED',
    'This is a secret key. Use the publishable key (trib_pk_…) here, and revoke this one: whoever saw the page may have it.',
  )
}

/** What verbs are given beside the program. */
export const askedCtx = ({ log, requestId }: Asked, { db, now }: TrackingParts) => ({ db, now, log, requestId })
