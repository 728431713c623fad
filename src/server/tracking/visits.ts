import type { Program } from '../../generated/prisma/client.ts'
import { type Answer, jsonAnswer } from '../../http/answer.ts'
import { notFound, refused } from '../../kernel/errors.ts'
import { findLinkOfAgent } from '../../modules/affiliates/agents/facts.ts'
import { linkParametersOf } from '../../modules/programs/link-parameters.ts'
import { describeOrigin, takeOverReferral, trackingCtx, trackVisit } from '../../modules/tracking/service.ts'
import { tooManyRequests } from '../limits/limiter.ts'
import { inTurn } from '../limits/turns.ts'
import { setTrackingCookies } from './cookies.ts'
import { programOfKey, readTrackingFields, verbCtx } from './fields.ts'
import type { TrackingParts, TrackingRequest } from './settings.ts'
import { isBot, userAgentOf } from './user-agent.ts'

const visitAnswer = (referral: { id: string; expiresAt: Date } | null, status = 200, more: object = {}) =>
  jsonAnswer(
    { referral_id: referral?.id ?? null, expires_at: referral?.expiresAt.toISOString() ?? null, ...more },
    status,
  )

/**
 * `POST /track/visits`: with a token, records a visit; with a referral id, adopts the referral from another domain;
 * else with what an agent said, records a visit if that names an affiliate.
 */
export async function answerVisit(tracking: TrackingRequest, parts: TrackingParts): Promise<Answer> {
  const { incoming, address } = tracking
  const secondsToWait = await parts.limits.visits(address)
  if (secondsToWait !== null) return tooManyRequests(secondsToWait)
  const fields = await readTrackingFields(incoming)
  const program = await programOfKey(tracking, parts, fields.key)
  const ctx = trackingCtx(verbCtx(tracking, parts), program)
  if (isBot(incoming)) return visitAnswer(null)
  const respond = async (referral: { id: string; expiresAt: Date }, token: string, status = 200) => {
    const more =
      fields.expand === 'affiliate' ? ((await inTurn(parts.turns, () => describeOrigin(ctx, referral.id))) ?? {}) : {}
    const { id: referralId, expiresAt } = referral
    return setTrackingCookies(visitAnswer(referral, status, more), incoming, fields.cookie, {
      referralId,
      token,
      expiresAt,
    })
  }
  if (fields.referral_id && !fields.token)
    return respond(
      await inTurn(parts.turns, () => takeOverReferral(ctx, { referralId: fields.referral_id })),
      textOf(fields.via),
    )
  // The script tries parameters of other services. Those that the program does not list name no link.
  if (!isLinkParameter(program, fields.parameter)) return visitAnswer(null)
  const visitor = { address, userAgent: userAgentOf(incoming) }
  const said = fields.token ? undefined : fields.affiliate_attribution
  if (said) {
    const token = await inTurn(parts.turns, () => findLinkOfAgent(ctx, said))
    if (token === null) return visitAnswer(null)
    const visit = { ...fields, token }
    const { referral: brought } = await trackVisit(ctx, parts.tracker, visitor, visit, program.agentProvider)
    return brought ? respond(brought, '', brought.isNew ? 201 : 200) : visitAnswer(null)
  }
  const { link, referral } = await trackVisit(ctx, parts.tracker, visitor, fields)
  if (!link) throw notFound('Affiliate link', String(fields.token))
  if (!referral) throw refused('The affiliate is not active.')
  return respond(referral, textOf(fields.token), referral.isNew ? 201 : 200)
}

const isLinkParameter = (program: Program, name: unknown) =>
  name === undefined || name === null || name === 'via' || linkParametersOf(program).some((one) => one === name)

const textOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 255).toLowerCase() : '')
