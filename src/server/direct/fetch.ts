import { emptyResponse, textResponse } from '../../http/response.ts'
import type { Direct } from './direct.ts'

/** Handles a request without a body directly, or returns null: as `answerNode` does, for callers without a socket. */
export async function answerFetch(direct: Direct, request: Request): Promise<Response | null> {
  const { method, url, headers, signal } = request
  if (method !== 'GET') return null
  const { pathname, search } = new URL(url)
  const answer = await direct({
    method,
    target: pathname + search,
    header: (name) => headers.get(name),
    body: () => null,
    isGone: () => signal.aborted,
    source: request,
  })
  if (!answer) return null
  const { status, headers: given, body } = answer
  if (body === null) return emptyResponse({ status, headers: given })
  return textResponse(body, { status, headers: { ...given, 'Content-Length': String(Buffer.byteLength(body)) } })
}
