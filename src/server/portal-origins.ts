import type { Plugin } from 'graphql-yoga'

const preflightHeaders = {
  'Access-Control-Allow-Methods': 'POST',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, Idempotency-Key, X-Request-Id',
  'Access-Control-Max-Age': '86400',
}

/**
 * CORS for portals on other origins: their pages can call GraphQL only, with an affiliate token and without cookies.
 * Yoga's own CORS also names an allowed origin to other pages, such as those of origin `null`.
 */
export function usePortalOrigins(origins: readonly string[]): Plugin {
  const portalOf = (request: Request): string | null => {
    const origin = request.headers.get('origin')
    const isPortal = origin !== null && origins.includes(origin) && new URL(request.url).pathname === '/graphql'
    return isPortal ? origin : null
  }
  return {
    onRequest({ request, endResponse, fetchAPI }) {
      if (request.method === 'OPTIONS' && portalOf(request) !== null)
        endResponse(new fetchAPI.Response(null, { status: 204, headers: preflightHeaders }))
    },
    onResponse({ request, response: { headers } }) {
      if (origins.length > 0) headers.append('Vary', 'Origin')
      const portal = portalOf(request)
      if (portal === null) return
      headers.set('Access-Control-Allow-Origin', portal)
      headers.set('Access-Control-Expose-Headers', 'Idempotent-Replayed, Retry-After, X-Request-Id')
    },
  }
}
