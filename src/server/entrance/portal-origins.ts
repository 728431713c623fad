import type { Logger } from 'pino'
import { type Answer, emptyAnswer } from '../../http/answer.ts'
import type { Incoming } from '../../http/incoming.ts'
import { failure } from '../../http/statuses.ts'

const maxLogged = 200

const preflightHeaders = {
  'Access-Control-Allow-Methods': 'POST',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, Idempotency-Key, X-Request-Id, traceparent, tracestate',
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

/** The answer to a preflight request for an API; null for other OPTIONS requests. */
export function answerPreflight(incoming: Incoming, origins: readonly string[], log: Logger): Answer | null {
  const origin = incoming.header('origin')
  if (origin === null) return null
  if (portalOf(incoming, origins) !== null) return emptyAnswer(204, preflightHeaders)
  const isOfApi = incoming.path === '/graphql' || incoming.path.startsWith('/v1/')
  if (!isOfApi || incoming.header('access-control-request-method') === null) return null
  log.warn({ origin: origin.slice(0, maxLogged), path: incoming.path }, 'preflight refused, see PORTAL_ORIGINS')
  return failure('FORBIDDEN', { error: rejectionAt(incoming.path) })
}

const rejectionAt = (path: string) =>
  path === '/graphql'
    ? 'Pages of this origin may not use GraphQL. An operator can allow them to, with affiliate tokens: add the origin to PORTAL_ORIGINS.'
    : 'REST is for servers: pages of other origins cannot call it. They can use GraphQL with affiliate tokens: see PORTAL_ORIGINS.'

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
    'Access-Control-Expose-Headers': 'Idempotent-Replayed, RateLimit, Retry-After, X-Request-Id, X-Trace-Id',
  }
}
