import { version } from '../../kernel/package-root.ts'
import { excerpt } from '../../kernel/text.ts'
import { noteAllowed, noteLimited, type Rate, takeTurn } from './pace.ts'
import { ServiceProblem } from './problem.ts'

/** How long a service may take for an answer. */
const answerMs = 10_000
/** A service that asks to wait longer is called again later, by the background. */
const mostWaitMs = 3_000
const mostTries = 3

export type Call = {
  /** What people call the service. */
  service: string
  /** What the account may call. */
  rate: Rate
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  headers?: Readonly<Record<string, string>>
  body?: string
}

export type Reply = { status: number; body: Json; header(name: string): string | null }
export type Json = { readonly [name: string]: unknown }

/**
 * Calls a service, at the pace that it allows. A limited call is repeated after a short wait. Redirects are not
 * followed: they would carry the credentials to another host.
 * @returns the answer, also one that refuses, if it is JSON
 * @throws ServiceProblem
 */
export async function call(request: Call): Promise<Reply> {
  const { rate } = request
  const account = `${new URL(request.url).origin} ${request.headers?.authorization}`
  for (let tries = 1; ; tries += 1) {
    await takeTurn(account, rate)
    const reply = await callOnce(request)
    if (reply.status !== 429) {
      noteAllowed(account, rate)
      return reply
    }
    const retryAfterMs = readRetryAfter(reply.header('retry-after'))
    const waitMs = retryAfterMs ?? 250 * 2 ** tries
    if (tries >= mostTries || waitMs > mostWaitMs)
      throw new ServiceProblem(
        'limited',
        `${request.service} limits requests, and asks to wait${retryAfterMs === undefined ? '' : ` ${Math.ceil(retryAfterMs / 1000)} seconds`}. The rest is sent after that.`,
        { retryAfterMs },
      )
    noteLimited(account, rate, waitMs)
  }
}

async function callOnce({ service, method, url, headers = {}, body }: Call): Promise<Reply> {
  const answer = await open(service, url, {
    method,
    headers: { accept: 'application/json', 'user-agent': `Tributary/${version}`, ...headers },
    ...(body !== undefined && { body }),
    redirect: 'manual',
    signal: AbortSignal.timeout(answerMs),
  })
  const { status } = answer
  if (status === 401) throw new ServiceProblem('unauthorized', unauthorized(service))
  const text = await answer.text().catch(() => {
    throw new ServiceProblem('unanswered', `The answer of ${service} broke off.`)
  })
  const header = (name: string) => answer.headers.get(name)
  if (status === 429) return { status, body: {}, header }
  if (status >= 500) throw new ServiceProblem('unanswered', `${service} answered with ${status}: it has a problem.`)
  const parsed = readJson(text)
  if (parsed === null)
    throw new ServiceProblem(
      status >= 400 ? 'refused' : 'unanswered',
      `${service} answered with ${status} and something else than JSON: "${excerpt(text.replace(/\s+/g, ' ').trim(), 80)}". Look whether the base address is that of its API.`,
    )
  if (status >= 300 && status < 400)
    throw new ServiceProblem('refused', `${service} redirects to another address, which is not followed.`)
  return { status, body: parsed, header }
}

export const unauthorized = (service: string) =>
  `${service} does not accept the credentials: they are wrong, or were revoked. Enter others with connectPayoutService.`

async function open(service: string, url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (error) {
    const { name, cause } = error as Error & { cause?: NodeJS.ErrnoException }
    const code = cause?.code ?? ''
    if (isOfTls(code))
      throw new ServiceProblem(
        'unreachable',
        `No safe connection to ${service}: its certificate is not accepted (${code}). Nothing was sent.`,
      )
    if (beforeSending.has(code))
      throw new ServiceProblem('unreachable', `${service} cannot be reached (${code}). Nothing was sent.`)
    throw new ServiceProblem(
      'unanswered',
      name === 'TimeoutError'
        ? `${service} did not answer within ${answerMs / 1000} seconds.`
        : `The connection to ${service} ended before an answer (${code || name}).`,
    )
  }
}

/** Errors of a connection that was never open. */
const beforeSending = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

const isOfTls = (code: string) =>
  /^(CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|EPROTO)/.test(code)

function readJson(text: string): Json | null {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    if (Array.isArray(value)) return { list: value }
    return typeof value === 'object' && value !== null ? (value as Json) : null
  } catch {
    return null
  }
}

/** Seconds, or a date. Undefined if the header is missing, or says something else. */
export function readRetryAfter(header: string | null, now = Date.now()): number | undefined {
  if (header === null) return undefined
  if (/^\d{1,6}(\.\d+)?$/.test(header.trim())) return Math.round(Number(header) * 1000)
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(at - now, 0)
}

// Reading JSON of a service, which can be anything.

/** The event of a webhook. Null if the body is not JSON. */
export function eventOf(body: string): Json | null {
  try {
    return objectOf(JSON.parse(body))
  } catch {
    return null
  }
}

export const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : null
export const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}
export const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.map(objectOf) : [])

export function timeOf(value: unknown): Date | null {
  const at = typeof value === 'string' ? new Date(value) : null
  return at && !Number.isNaN(at.getTime()) ? at : null
}
