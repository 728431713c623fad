import { createHash } from 'node:crypto'

/** Something that is answered as it is to everybody, until its content changes. */
export type Content = { body: string | Uint8Array<ArrayBuffer>; headers: Record<string, string>; etag: string }

export const contentOf = (body: Content['body'], headers: Record<string, string>): Content => ({
  body,
  headers,
  etag: etagOf(body),
})

const etagOf = (body: Content['body']) => `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`

/** The content, or that the caller's copy of it is current (304), or that it is no longer what the caller insists on (412). */
export function answerContent(request: Request, { body, headers, etag }: Content): Response {
  const shown = { ...headers, ETag: etag }
  const wanted = request.headers.get('if-match')
  if (wanted !== null && !names(wanted, etag)) {
    return Response.json({ error: 'What If-Match names is not current.' }, { status: 412, headers: { ETag: etag } })
  }
  const known = request.headers.get('if-none-match')
  if (known !== null && names(known, etag)) return new Response(null, { status: 304, headers: shown })
  return new Response(body, { headers: shown })
}

/**
 * What may be kept of an answer to somebody with a key. A read is kept by its reader alone, and asked for again before it
 * is used: where nothing has changed the answer is 304, without a body. Anything else (a write, an error) is not kept.
 * An answer that says itself whether it may be kept is left alone.
 */
export async function answerPrivately(request: Request, response: Response): Promise<Response> {
  if (response.headers.has('cache-control')) return response
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (!isRead || response.status !== 200) {
    response.headers.set('Cache-Control', 'no-store')
    return response
  }
  const body = new Uint8Array(await response.arrayBuffer())
  const etag = etagOf(body)
  const headers = new Headers(response.headers)
  headers.set('ETag', etag)
  headers.set('Cache-Control', 'private, no-cache')
  headers.set('Vary', 'Authorization')
  const known = request.headers.get('if-none-match')
  if (known === null || !names(known, etag)) return new Response(body, { headers })
  for (const name of ['Content-Type', 'Content-Length']) headers.delete(name)
  return new Response(null, { status: 304, headers })
}

/** Proxies that compress make an ETag weak; the content is the same. */
const names = (header: string, etag: string) =>
  header
    .split(',')
    .map((name) => name.trim().replace(/^W\//, ''))
    .some((name) => name === '*' || name === etag)

/** Whether the caller unpacks gzip. */
export const takesGzip = (request: Request): boolean => /\bgzip\b/.test(request.headers.get('accept-encoding') ?? '')
