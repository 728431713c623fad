import { hash } from 'node:crypto'
import { type Answer, emptyAnswer, jsonAnswer } from './answer.ts'
import { type Incoming, isRead } from './incoming.ts'

/** A response body that is the same for every client until its content changes. */
export type Content = { body: string | Uint8Array<ArrayBuffer>; headers: Record<string, string>; etag: string }

export const contentOf = (body: Content['body'], headers: Record<string, string>): Content => ({
  body,
  headers,
  etag: etagOf(body),
})

export const etagOf = (body: Content['body']) => `"${hash('sha256', body, 'base64url').slice(0, 22)}"`

/** Returns the content, 304 when the client's copy is current, or 412 when `If-Match` names another version. */
export function answerContent(incoming: Pick<Incoming, 'header'>, { body, headers, etag }: Content): Answer {
  const headersWithEtag = { ...headers, ETag: etag }
  const ifMatch = incoming.header('if-match')
  if (ifMatch !== null && !includesEtag(ifMatch, etag))
    return jsonAnswer({ error: 'The ETag in If-Match is not the current one.' }, 412, { ETag: etag })
  const ifNoneMatch = incoming.header('if-none-match')
  if (ifNoneMatch !== null && includesEtag(ifNoneMatch, etag)) return emptyAnswer(304, headersWithEtag)
  return { status: 200, headers: headersWithEtag, body }
}

/** Lets only the authenticated client cache a successful read, and revalidate it. Others are not cached. */
export function answerPrivately(incoming: Pick<Incoming, 'method' | 'header'>, answer: Answer): Answer {
  const { status, headers, body } = answer
  if (headers['Cache-Control'] !== undefined) return answer
  if (!isRead(incoming) || status !== 200 || typeof body !== 'string') {
    headers['Cache-Control'] = 'no-store'
    return answer
  }
  const etag = etagOf(body)
  const cached = { ETag: etag, 'Cache-Control': 'private, no-cache', Vary: 'Authorization' }
  const ifNoneMatch = incoming.header('if-none-match')
  if (ifNoneMatch === null || !includesEtag(ifNoneMatch, etag)) {
    Object.assign(headers, cached)
    return answer
  }
  const { 'Content-Type': _, ...others } = headers
  return emptyAnswer(304, { ...others, ...cached })
}

/** Weak ETags match too: proxies that compress a response weaken its ETag. */
export const includesEtag = (header: string, etag: string) =>
  header
    .split(',')
    .map((listed) => listed.trim().replace(/^W\//, ''))
    .some((listed) => listed === '*' || listed === etag)
