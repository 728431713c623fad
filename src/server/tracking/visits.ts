import { notFound, refused } from '../../kernel/errors.ts'
import { takeOverReferral, trackingCtx, trackVisit } from '../../modules/tracking/service.ts'
import { inTurn } from '../turns.ts'
import { isBot, userAgentOf } from './caller.ts'
import { askedCtx, programOfKey, readTrackingFields } from './fields.ts'
import type { Asked, TrackingParts } from './options.ts'
import { tooMany } from './rate-limits.ts'

const answer = (referral: { id: string; expiresAt: Date } | null, status = 200) =>
  Response.json(
    { referral_id: referral?.id ?? null, expires_at: referral?.expiresAt.toISOString() ?? null },
    { status },
  )

/** `POST /track/visits`: with a token, a visit; with a referral's id, that one is taken over from another domain. */
export async function answerVisit(asked: Asked, parts: TrackingParts): Promise<Response> {
  const { request, address } = asked
  const wait = await parts.limits.visits(address)
  if (wait !== null) return tooMany(wait)
  const fields = await readTrackingFields(request)
  const program = await programOfKey(parts, fields.key)
  const ctx = trackingCtx(askedCtx(asked, parts), program)
  if (isBot(request.headers)) return answer(null)
  if (fields.referral_id && !fields.token)
    return answer(await inTurn(parts.turns, () => takeOverReferral(ctx, { referralId: fields.referral_id })))
  const visitor = { address, userAgent: userAgentOf(request.headers) }
  const { link, referral } = await trackVisit(ctx, parts.tracker, visitor, fields)
  if (!link) throw notFound('Affiliate link', String(fields.token))
  if (!referral) throw refused('The affiliate is not active.')
  return answer(referral, referral.isNew ? 201 : 200)
}
