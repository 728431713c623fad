import type { ServerResponse } from 'node:http'
import type { ErrorCode } from '../kernel/errors.ts'

export type Answer = {
  status: number
  headers: Record<string, string | string[]>
  body: string | Uint8Array | ReadableStream<Uint8Array> | null
  /** Why the request failed as a whole, if it did. */
  failure?: { code: ErrorCode; problem: string }
}

type Headers = Answer['headers']

export const jsonAnswer = (data: unknown, status = 200, headers: Headers = {}): Answer => ({
  status,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(data),
})

export const emptyAnswer = (status: number, headers: Headers = {}): Answer => ({ status, headers, body: null })

/** Answers that are written while something happens. */
const streamedTypes = /^(text\/event-stream|multipart\/)/

/** The answer that a library has made as a `Response`. The names of its headers are in lower case. */
export async function answerOf(response: Response): Promise<Answer> {
  const { status } = response
  const headers: Headers = {}
  for (const [name, value] of response.headers) headers[name.toLowerCase()] = value
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) headers['set-cookie'] = cookies
  // To ask a response of Yoga for its body makes a copy of the text that it has.
  if (streamedTypes.test(response.headers.get('content-type') ?? '') && response.body)
    return { status, headers, body: nativeStream(response.body) }
  const text = await response.text()
  if (text === '') return { status, headers, body: null }
  // It is set when the answer is sent.
  delete headers['content-length']
  return { status, headers, body: text }
}

/** A stream of Node.js: a `Response` cannot end one of another class. */
function nativeStream(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

/** The answer as a `Response`. @param isHead leaves out the body */
export function toResponse({ status, headers: named, body }: Answer, isHead = false): Response {
  const headers = new globalThis.Headers()
  for (const [name, value] of Object.entries(named))
    for (const one of Array.isArray(value) ? value : [value]) headers.append(name, one)
  if (typeof body === 'string') headers.set('Content-Length', String(Buffer.byteLength(body)))
  return new Response(isHead ? null : (body as BodyInit | null), { status, headers })
}

/** Sends the answer. @param isHead leaves out the body */
export function sendAnswer(response: ServerResponse, { status, headers, body }: Answer, isHead: boolean): void {
  if (response.destroyed) return
  if (typeof body === 'string') {
    const length = Buffer.byteLength(body)
    response.writeHead(status, { 'Content-Length': length, ...headers })
    // Text of ASCII needs no conversion.
    if (isHead) response.end()
    else response.end(body, length === body.length ? 'latin1' : 'utf8')
  } else if (body instanceof Uint8Array) {
    response.writeHead(status, { 'Content-Length': body.byteLength, ...headers })
    response.end(isHead ? undefined : body)
  } else {
    response.writeHead(status, headers)
    if (isHead || body === null) response.end()
    else void sendStream(response, body)
  }
}

/** Reads at the speed of the client, and no longer than it is there. */
async function sendStream(response: ServerResponse, body: ReadableStream<Uint8Array>): Promise<void> {
  const reader = body.getReader()
  let goOn = () => {}
  response.on('drain', () => goOn())
  response.once('close', () => {
    goOn()
    reader.cancel().catch(() => {})
  })
  // The client gets the headers before the first chunk.
  response.flushHeaders()
  try {
    for (let next = await reader.read(); !next.done && !response.destroyed; next = await reader.read())
      if (!response.write(next.value) && !response.destroyed)
        await new Promise<void>((resolve) => {
          goOn = resolve
        })
    response.end()
  } catch {
    // A part of the body must not pass for the whole.
    response.destroy()
  }
}
