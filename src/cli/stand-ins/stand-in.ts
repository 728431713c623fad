import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** What happens to a request before or after the stand-in has done it. */
export type Fault =
  /** It is done, and the connection ends without an answer. */
  | 'lose answer'
  /** The connection ends, and nothing is done. */
  | 'lose request'
  /** It is done, and the answer comes after longer than anybody waits. */
  | 'hang'
  | 'limit'
  | 'limit without time'
  | 'fail'
  | 'fail after'
  | 'html'
  | 'revoke'

export type Asked = {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  text: string
}
/** @property html a page for people, instead of the body */
export type Told = { status: number; body: object; headers?: Record<string, string>; html?: string }

export type StandIn = {
  url: string
  /** The next requests whose path matches meet this fault, as often as said. */
  fault(path: RegExp, fault: Fault, times?: number): void
  /** Called with each request before it is done. Tests stop there, or drop it. */
  onRequest?: ((request: string) => 'do' | 'drop') | undefined
  /** Called with each request after it was done, before it is answered. */
  onDone?: ((request: string) => void) | undefined
  /** How long each answer takes. */
  delayMs: number
  /** Requests so far, by method and path. */
  requests: string[]
  /** How many of them were above the limit of rate. */
  limited: number
  close(): Promise<void>
}

export type Webhook = { body: string; headers: Record<string, string> }

/** A stand-in of a service that pays. */
export type ServiceStandIn = StandIn & {
  /** What the account has, by currency, in minor units. */
  balances: Record<string, number>
  /**
   * Does what was taken before a time, in milliseconds. The addresses of payees decide who gets it, does not claim it,
   * or does not exist.
   */
  settle(at?: Date, takenBefore?: number): void
  /** What has left to each payee and is not back, in minor units. */
  moved(): Map<string, number>
  /** Changes a payment, as the service does days later. */
  change(ourId: string, word: string, at?: Date): void
  /** The payments that it knows, with their states in its own words. */
  states(): { ourId: string; word: string }[]
  /** The webhook of a payment, as the service sends it at a time. */
  notice(ourId: string, at?: Date): Webhook
  /** A webhook that comes again or late, if its signature has a time. */
  signAgain?(webhook: Webhook, at: Date): Webhook
  /** If the service has ids of its own for payees: makes one known who can be paid. Their names decide. */
  addRecipient?(name: string): string
}

const bytesOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

/** A server that answers as a service does, with the faults that services have. */
export async function startStandIn(
  answer: (asked: Asked) => Told | Promise<Told>,
  { port = 0, perSecond = Number.POSITIVE_INFINITY }: { port?: number; perSecond?: number } = {},
): Promise<StandIn> {
  const faults: { path: RegExp; fault: Fault; left: number }[] = []
  let ofSecond = { second: 0, count: 0 }
  const isLimited = () => {
    const second = Math.floor(Date.now() / 1000)
    if (ofSecond.second !== second) ofSecond = { second, count: 0 }
    ofSecond.count += 1
    const isOver = ofSecond.count > perSecond
    if (isOver) standIn.limited += 1
    return isOver
  }
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://stand-in')
    const text = await bytesOf(request)
    const line = `${request.method} ${url.pathname}`
    standIn.requests.push(line)
    if (standIn.onRequest?.(line) === 'drop') return request.socket.destroy()
    const met = faults.find(({ path, left }) => left > 0 && path.test(line))
    if (met) met.left -= 1
    const fault = isLimited() ? 'limit' : met?.fault
    const send = (status: number, body: string, headers: Record<string, string> = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
    if (standIn.delayMs > 0) await pause(standIn.delayMs)
    if (fault === 'lose request') return request.socket.destroy()
    if (fault === 'limit') return send(429, '{"name":"RATE_LIMIT_REACHED"}', { 'retry-after': '1' })
    if (fault === 'limit without time') return send(429, '{"name":"RATE_LIMIT_REACHED"}')
    if (fault === 'fail') return send(500, '{"name":"INTERNAL_SERVER_ERROR"}')
    if (fault === 'html') return send(200, '<!doctype html><title>Maintenance</title>', { 'content-type': 'text/html' })
    if (fault === 'revoke') return send(401, '{"error":"invalid_token","error_description":"Token revoked"}')
    const asked = {
      method: request.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      text,
    }
    const told = await answer(asked)
    standIn.onDone?.(line)
    if (fault === 'lose answer') return request.socket.destroy()
    if (fault === 'fail after') return send(503, '{"name":"SERVICE_UNAVAILABLE"}')
    if (fault === 'hang') return pause(60_000, undefined, { ref: false }).then(() => request.socket.destroy())
    if (told.html !== undefined) return send(told.status, told.html, { 'content-type': 'text/html; charset=utf-8' })
    return send(told.status, JSON.stringify(told.body), told.headers)
  }
  const server: Server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
  const standIn: StandIn = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    delayMs: 0,
    requests: [],
    limited: 0,
    fault: (path, fault, times = 1) => void faults.push({ path, fault, left: times }),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return standIn
}
