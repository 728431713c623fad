import { type Answer, emptyAnswer } from '../../http/answer.ts'
import type { Incoming } from '../../http/incoming.ts'

const preflightHeaders = {
  'Access-Control-Allow-Methods': 'POST',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, Idempotency-Key, X-Request-Id',
  'Access-Control-Max-Age': '86400',
}

/*
 * CORS for portals on other origins: their pages can call GraphQL only, with an affiliate token and without cookies.
 * Yoga's own CORS also names an allowed origin to other pages, such as those of origin `null`.
 */

function portalOf(incoming: Incoming, origins: readonly string[]): string | null {
  if (origins.length === 0 || incoming.path !== '/graphql') return null
  const origin = incoming.header('origin')
  return origin !== null && origins.includes(origin) ? origin : null
}

/** The answer to a preflight request of a portal's page; null for other requests. */
export const answerPreflight = (incoming: Incoming, origins: readonly string[]): Answer | null =>
  incoming.method === 'OPTIONS' && portalOf(incoming, origins) !== null ? emptyAnswer(204, preflightHeaders) : null

/** What portals on other origins add to the headers of every response. */
export function portalHeaders(
  incoming: Incoming,
  origins: readonly string[],
  { Vary: varied }: Answer['headers'],
): Record<string, string> {
  const vary = { Vary: varied === undefined ? 'Origin' : `${varied}, Origin` }
  const portal = portalOf(incoming, origins)
  if (portal === null) return vary
  return {
    ...vary,
    'Access-Control-Allow-Origin': portal,
    'Access-Control-Expose-Headers': 'Idempotent-Replayed, Retry-After, X-Request-Id',
  }
}
