import http from 'node:http'
import https from 'node:https'
import { version } from '../../kernel/package-root.ts'
import { storableText } from '../../kernel/text.ts'
import type { Targets } from './targets.ts'

/** How long a try may take, from the resolution of the host to the last byte of the response. */
const deadlineMs = 10_000
/** How much of a response is read, and how much of it is kept. */
const maxResponseBytes = 16 * 1024
const keptBytes = 1024

export type Response = {
  /** Null if there was no response. */
  status: number | null
  ms: number
  retryAfter: string | undefined
  text: string | null
  error: string | null
}

/** Sends a body. A redirect is not followed: it is a response like any other. Never throws. */
export function postBody(
  targets: Targets,
  address: string,
  body: string,
  headers: Record<string, string>,
  stopped?: AbortSignal,
): Promise<Response> {
  const startedAt = performance.now()
  const url = new URL(address)
  const { request: open } = url.protocol === 'https:' ? https : http
  return new Promise<Response>((resolve) => {
    const finish = (response: Omit<Response, 'ms'>) => {
      clearTimeout(timer)
      stopped?.removeEventListener('abort', abort)
      resolve({ ...response, ms: Math.round(performance.now() - startedAt) })
    }
    const fail = (error: string) => finish({ status: null, retryAfter: undefined, text: null, error })
    const bytes = Buffer.from(body, 'utf8')
    const request = open(url, {
      method: 'POST',
      ...targets.connectionTo(url),
      headers: {
        ...headers,
        'content-type': 'application/json',
        'content-length': bytes.length,
        'user-agent': `Tributary/${version}`,
      },
    })
    const abort = () => request.destroy(new Error('the service stopped'))
    const timer = setTimeout(() => {
      request.destroy(new Error(`no complete response within ${deadlineMs / 1000} seconds`))
    }, deadlineMs)
    stopped?.addEventListener('abort', abort)
    request.on('error', (error) => fail(messageOf(error)))
    request.once('close', () => fail('the connection was closed'))
    request.once('response', (response) => {
      const chunks: Buffer[] = []
      let size = 0
      const answered = () => {
        const text = Buffer.concat(chunks).subarray(0, keptBytes).toString('utf8')
        const retryAfter = response.headers['retry-after']
        finish({ status: response.statusCode ?? null, retryAfter, text: storableText(text) || null, error: null })
      }
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        size += chunk.length
        if (size < maxResponseBytes) return
        answered()
        request.destroy()
      })
      response.once('end', answered)
      response.on('error', (error) => fail(messageOf(error)))
    })
    request.end(bytes)
  }).catch((error: Error) => ({ status: null, ms: 0, retryAfter: undefined, text: null, error: messageOf(error) }))
}

/** Node reports several failed addresses of one host as an error without a message. */
const messageOf = (error: Error): string =>
  error.message || (error as NodeJS.ErrnoException).code || 'the connection failed'
