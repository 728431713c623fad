import type { GraphQLContext } from '../../graphql/context.ts'
import type { Answer } from '../../http/answer.ts'
import { isOfConvention, type RouteMatch } from '../../rest/routes.ts'
import { consume, createLimiter, limitFields, tooManyRequests } from './limiter.ts'

const windowSeconds = 30

/** The rate limit headers of a response, and the response itself when the limit is exceeded. */
export type Admission = { headers: Record<string, string>; refusal?: Answer }
export type AdmitKey = (context: GraphQLContext, match: RouteMatch) => Promise<Admission>

/**
 * The convention's rate limit: requests per 30 seconds for each API key with the superset profile, on this instance.
 * Endpoints that the convention lacks do not count, so no sale report is rejected.
 */
export function createConventionLimit(requestsPer30Seconds: number): AdmitKey {
  const limiter = createLimiter({ name: 'keys', points: requestsPer30Seconds, duration: windowSeconds })
  return async ({ actor, profile }, match) => {
    if (profile !== 'superset' || actor.kind !== 'api_key' || !isOfConvention(match)) return { headers: {} }
    const state = await consume(limiter, actor.id)
    const { isExceeded, remaining, secondsToWait } = state
    const policy = { name: 'convention', points: requestsPer30Seconds, duration: windowSeconds }
    const headers = {
      ...limitFields(policy, state),
      'RateLimit-Limit': String(requestsPer30Seconds),
      'RateLimit-Remaining': String(remaining),
      'RateLimit-Reset': String(secondsToWait),
    }
    return isExceeded ? { headers, refusal: tooManyRequests(secondsToWait) } : { headers }
  }
}
