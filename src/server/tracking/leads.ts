import { type Answer, jsonAnswer } from '../../http/answer.ts'
import { trackingCtx, trackLead } from '../../modules/tracking/service.ts'
import { tooManyRequests } from '../limits/limiter.ts'
import { inTurn } from '../limits/turns.ts'
import { programOfKey, readTrackingFields, verbCtx } from './fields.ts'
import type { TrackingParts, TrackingRequest } from './settings.ts'
import { isBot } from './user-agent.ts'

/** `POST /track/leads`: records the name and e-mail of a referral's visitor. */
export async function answerLead(tracking: TrackingRequest, parts: TrackingParts): Promise<Answer> {
  const { incoming, address } = tracking
  const secondsToWait = await parts.limits.leads(address)
  if (secondsToWait !== null) return tooManyRequests(secondsToWait)
  const { key, referral_id: referralId, email, name } = await readTrackingFields(incoming)
  const program = await programOfKey(tracking, parts, key)
  if (isBot(incoming)) return jsonAnswer({ referral_id: null, conversion_state: null })
  const ctx = trackingCtx(verbCtx(tracking, parts), program)
  const { id, state } = await inTurn(parts.turns, () => trackLead(ctx, { referralId, email, name }))
  return jsonAnswer({ referral_id: id, conversion_state: state })
}
