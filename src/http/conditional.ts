import { hash } from 'node:crypto'
import { isRead } from './methods.ts'
import { emptyResponse, textOf, textResponse } from './response.ts'

/** A response body that is the same for every client until its content changes. */
export type Content = { body: string | Uint8Array<ArrayBuffer>; headers: Record<string, string>; etag: string }

export const contentOf = (body: Content['body'], headers: Record<string, string>): Content => ({
  body,
  headers,
  etag: etagOf(body),
})

export const etagOf = (body: Content['body']) => `"${hash('sha256', body, 'base64url').slice(0, 22)}"`

/** Returns the content, 304 when the client's copy is current, or 412 when `If-Match` names another version. */
export function answerContent(request: Request, { body, headers, etag }: Content): Response {
  const headersWithEtag = { ...headers, ETag: etag }
  const ifMatch = request.headers.get('if-match')
  if (ifMatch !== null && !includesEtag(ifMatch, etag)) {
    const error = 'The ETag in If-Match is not the current one.'
    return Response.json({ error }, { status: 412, headers: { ETag: etag } })
  }
  const ifNoneMatch = request.headers.get('if-none-match')
  if (ifNoneMatch !== null && includesEtag(ifNoneMatch, etag))
    return new Response(null, { status: 304, headers: headersWithEtag })
  return new Response(body, { headers: headersWithEtag })
}

/**
 * Lets only the authenticated client cache a successful read, revalidated before each use (304). Writes and errors are
 * not cached. A Cache-Control header stays.
 */
export async function answerPrivately(request: Request, response: Response): Promise<Response> {
  if (response.headers.has('cache-control')) return response
  if (!isRead(request) || response.status !== 200) {
    response.headers.set('Cache-Control', 'no-store')
    return response
  }
  const text = await textOf(response)
  const etag = etagOf(text)
  const { headers } = response
  headers.set('ETag', etag)
  headers.set('Cache-Control', 'private, no-cache')
  headers.set('Vary', 'Authorization')
  const ifNoneMatch = request.headers.get('if-none-match')
  if (ifNoneMatch === null || !includesEtag(ifNoneMatch, etag)) return textResponse(text, { headers })
  for (const name of ['Content-Type', 'Content-Length']) headers.delete(name)
  return emptyResponse({ status: 304, headers })
}

/** Weak ETags match too: proxies that compress a response weaken its ETag. */
export const includesEtag = (header: string, etag: string) =>
  header
    .split(',')
    .map((listed) => listed.trim().replace(/^W\//, ''))
    .some((listed) => listed === '*' || listed === etag)
