import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { GraphQLContext } from '../graphql/context.ts'
import { isOfConvention } from '../rest/routes.ts'
import { tooMany } from './tracking/rate-limits.ts'

/** The convention's window. */
const seconds = 30

/** What a request's answer says of the limit, and the answer itself where there is none left. */
export type Admission = { headers: Record<string, string>; refusal?: Response }
export type AdmitKey = (context: GraphQLContext, method: string, path: string) => Promise<Admission>

/**
 * The limit that clients of the convention know and keep to: so many requests in 30 seconds for each key of the superset
 * profile, counted by this process. The contract knows none, and neither do its keys; and what is ours alone does not
 * count: no report of a sale is turned away.
 */
export function createKeyLimit(requestsPer30Seconds: number): AdmitKey {
  const limiter = new RateLimiterMemory({ points: requestsPer30Seconds, duration: seconds })
  const wait = ({ msBeforeNext }: RateLimiterRes) => Math.max(1, Math.ceil(msBeforeNext / 1000))
  const headersOf = (state: RateLimiterRes) => ({
    'RateLimit-Limit': String(requestsPer30Seconds),
    'RateLimit-Remaining': String(state.remainingPoints),
    'RateLimit-Reset': String(wait(state)),
  })
  return async ({ actor, profile }, method, path) => {
    if (profile !== 'superset' || actor.kind !== 'api_key' || !isOfConvention(method, path)) return { headers: {} }
    try {
      return { headers: headersOf(await limiter.consume(actor.id)) }
    } catch (exceeded) {
      if (!(exceeded instanceof RateLimiterRes)) throw exceeded
      return { headers: headersOf(exceeded), refusal: tooMany(wait(exceeded)) }
    }
  }
}
