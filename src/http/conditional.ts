import { createHash } from 'node:crypto'

/** Something that is answered as it is to everybody, until its content changes. */
export type Content = { body: string | Uint8Array<ArrayBuffer>; headers: Record<string, string>; etag: string }

export const contentOf = (body: Content['body'], headers: Record<string, string>): Content => ({
  body,
  headers,
  etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
})

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

/** Proxies that compress make an ETag weak; the content is the same. */
const names = (header: string, etag: string) =>
  header
    .split(',')
    .map((name) => name.trim().replace(/^W\//, ''))
    .some((name) => name === '*' || name === etag)

/** Whether the caller unpacks gzip. */
export const takesGzip = (request: Request): boolean => /\bgzip\b/.test(request.headers.get('accept-encoding') ?? '')
