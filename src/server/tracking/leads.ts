import { trackingCtx, trackLead } from '../../modules/tracking/service.ts'
import { inTurn } from '../turns.ts'
import { isBot } from './caller.ts'
import { askedCtx, programOfKey, readTrackingFields } from './fields.ts'
import type { Asked, TrackingParts } from './options.ts'
import { tooMany } from './rate-limits.ts'

/** `POST /track/leads`: a referral's visitor said who they are. */
export async function answerLead(asked: Asked, parts: TrackingParts): Promise<Response> {
  const wait = await parts.limits.leads(asked.address)
  if (wait !== null) return tooMany(wait)
  const { key, referral_id: referralId, email, name } = await readTrackingFields(asked.request)
  const program = await programOfKey(parts, key)
  if (isBot(asked.request.headers)) return Response.json({ referral_id: null, conversion_state: null })
  const ctx = trackingCtx(askedCtx(asked, parts), program)
  const { id, state } = await inTurn(parts.turns, () => trackLead(ctx, { referralId, email, name }))
  return Response.json({ referral_id: id, conversion_state: state })
}
