import { trackingCtx, trackLead } from '../../modules/tracking/service.ts'
import { tooManyRequests } from '../rate-limits.ts'
import { inTurn } from '../turns.ts'
import { programOfKey, readTrackingFields, verbCtx } from './fields.ts'
import type { TrackingParts, TrackingRequest } from './settings.ts'
import { isBot } from './user-agent.ts'

/** `POST /track/leads`: records the name and e-mail of a referral's visitor. */
export async function answerLead(tracking: TrackingRequest, parts: TrackingParts): Promise<Response> {
  const { request, address } = tracking
  const secondsToWait = await parts.limits.leads(address)
  if (secondsToWait !== null) return tooManyRequests(secondsToWait)
  const { key, referral_id: referralId, email, name } = await readTrackingFields(request)
  const program = await programOfKey(parts, key)
  if (isBot(request.headers)) return Response.json({ referral_id: null, conversion_state: null })
  const ctx = trackingCtx(verbCtx(tracking, parts), program)
  const { id, state } = await inTurn(parts.turns, () => trackLead(ctx, { referralId, email, name }))
  return Response.json({ referral_id: id, conversion_state: state })
}
