/** The origins whose pages may use the tracking endpoints: all, or a list. */
export type Origins = '*' | readonly string[]

/** Requests without an Origin header do not come from a page, and the service's own pages are always allowed. */
export function isAllowed(origins: Origins, request: Request, url: URL): boolean {
  const origin = request.headers.get('origin')
  if (origins === '*' || origin === null || origins.includes(origin)) return true
  return URL.canParse(origin) && new URL(origin).host === url.host
}

/** Adds CORS headers without credentials: pages of other origins get no cookies. */
export function withCors(response: Response, origins: Origins, request: Request): Response {
  const { headers } = response
  const origin = request.headers.get('origin')
  headers.set('Cross-Origin-Resource-Policy', 'cross-origin')
  headers.set('Cache-Control', 'no-store')
  if (origins === '*') headers.set('Access-Control-Allow-Origin', '*')
  else {
    headers.append('Vary', 'Origin')
    if (origin !== null && origins.includes(origin)) headers.set('Access-Control-Allow-Origin', origin)
  }
  headers.set('Access-Control-Expose-Headers', 'Retry-After, X-Request-Id')
  return response
}

export const preflight = (): Response =>
  new Response(null, {
    status: 204,
    headers: {
      'Access-Control-Allow-Methods': 'POST',
      'Access-Control-Allow-Headers': 'Content-Type',
      'Access-Control-Max-Age': '86400',
    },
  })
