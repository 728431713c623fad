import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Request as LightRequest } from '@whatwg-node/fetch'
import { clientGone, TributaryError, unavailable } from '../kernel/errors.ts'

/** HEAD is answered as GET, without the body. */
export const isRead = ({ method }: { method: string }): boolean => method === 'GET' || method === 'HEAD'

/** The largest request body in bytes, for REST and GraphQL. Source: the contract's decisions on requests. */
export const maxBodyBytes = 1024 * 1024

/** What handlers read of a request. A socket and a `Request` make the same, without a copy of the headers. */
export type Incoming = {
  readonly method: string
  /** As it was sent. */
  readonly target: string
  /** The path of the target as a URL has it. */
  readonly path: string
  /** The query with its question mark, or nothing. */
  readonly search: string
  readonly hasBody: boolean
  /** The address of the other end of the connection; empty without a socket. */
  readonly remoteAddress: string
  /** Aborted when the client disconnects. `isGone` costs less. */
  readonly signal: AbortSignal
  header(name: string): string | null
  isGone(): boolean
  /** The whole body, once. @throws PAYLOAD_TOO_LARGE above `maxBytes`; BAD_REQUEST if cut off, late or malformed */
  body(maxBytes?: number): Promise<Uint8Array>
  /** For libraries that read a `Request`. It has no body. */
  toRequest(): Request
  /** Destroys the connection; undefined without a socket. */
  breakOff: (() => void) | undefined
}

/** A target that a URL would not change: no segment of dots, and nothing to escape. */
const plainTarget = /^((?:\/[\w-][\w.-]*)*\/?)((?:\?[!$-&(-;=?-~]+)?)$/

function partsOf(target: string): { path: string; search: string } {
  const [, path = '', search = ''] = plainTarget.exec(target) ?? []
  if (path !== '') return { path, search }
  const url = new URL(`http://localhost${target}`)
  return { path: url.pathname, search: url.search }
}

function bodyTooLarge(maxBytes: number): TributaryError {
  const limit = maxBytes < 1024 * 1024 ? `${maxBytes / 1024} KiB` : `${maxBytes / 1024 / 1024} MiB`
  return new TributaryError('PAYLOAD_TOO_LARGE', `The body is larger than ${limit}.`)
}

/** Whether a URL can be made of it. An odd Host can mean another host to a proxy than to this server. */
export const hasValidTarget = ({ headers, rawHeaders, url = '' }: IncomingMessage): boolean => {
  const { host = 'localhost' } = headers
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host')
  return url.startsWith('/') && hosts.length < 2 && !/[/\\?#@]/.test(host) && URL.canParse(`http://${host}${url}`)
}

const announcesMore = (length: string | null, maxBytes: number) => Number(length ?? 0) > maxBytes

export class SocketIncoming implements Incoming {
  readonly method: string
  readonly target: string
  readonly path: string
  readonly search: string
  readonly hasBody: boolean
  private controller: AbortController | undefined

  constructor(
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
  ) {
    const { method = 'GET', url = '/', headers } = request
    this.method = method
    this.target = url
    const { path, search } = partsOf(url)
    this.path = path
    this.search = search
    this.hasBody =
      !isRead(this) && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0)
  }

  get remoteAddress(): string {
    return this.request.socket.remoteAddress ?? ''
  }

  get signal(): AbortSignal {
    if (!this.controller) {
      const controller = new AbortController()
      this.controller = controller
      const abort = () => {
        if (!this.response.writableFinished) controller.abort()
      }
      if (this.isGone()) abort()
      else this.response.once('close', abort)
    }
    return this.controller.signal
  }

  header(name: string): string | null {
    const value = this.request.headers[name]
    return value === undefined ? null : typeof value === 'string' ? value : value.join(', ')
  }

  isGone(): boolean {
    return this.response.destroyed
  }

  async body(maxBytes = maxBodyBytes): Promise<Uint8Array> {
    if (announcesMore(this.header('content-length'), maxBytes)) throw bodyTooLarge(maxBytes)
    return this.hasBody ? await readSocket(this.request, maxBytes) : new Uint8Array()
  }

  toRequest(): Request {
    const { method, target, signal } = this
    const headers = this.request.headers as Record<string, string>
    return new LightRequest(`http://${headers.host ?? 'localhost'}${target}`, { method, headers, signal })
  }

  breakOff = (): void => {
    this.response.destroy()
  }
}

function readSocket(request: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    if (request.destroyed) return reject(clientGone())
    const chunks: Buffer[] = []
    let size = 0
    const settle = () => request.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone)
    const onData = (chunk: Buffer) => {
      size += chunk.length
      chunks.push(chunk)
      if (size <= maxBytes) return
      settle()
      // What still arrives is dropped, so that the client can read the answer.
      request.resume()
      reject(bodyTooLarge(maxBytes))
    }
    const onEnd = () => {
      settle()
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks))
    }
    const onGone = () => {
      settle()
      reject(clientGone())
    }
    request.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone)
  })
}

export class RequestIncoming implements Incoming {
  readonly method: string
  readonly target: string
  readonly path: string
  readonly search: string
  readonly hasBody: boolean
  readonly remoteAddress = ''
  readonly breakOff = undefined

  constructor(private readonly request: Request) {
    const { pathname, search } = new URL(request.url)
    this.method = request.method
    this.target = pathname + search
    this.path = pathname
    this.search = search
    this.hasBody = request.body !== null
  }

  get signal(): AbortSignal {
    return this.request.signal
  }

  header(name: string): string | null {
    return this.request.headers.get(name)
  }

  isGone(): boolean {
    return this.request.signal.aborted
  }

  async body(maxBytes = maxBodyBytes): Promise<Uint8Array> {
    if (announcesMore(this.header('content-length'), maxBytes)) throw bodyTooLarge(maxBytes)
    const chunks: Uint8Array[] = []
    let size = 0
    const reader = this.request.body?.getReader()
    const read = () =>
      reader?.read().catch(() => {
        throw clientGone()
      })
    for (let next = await read(); next?.value; next = await read()) {
      size += next.value.byteLength
      if (size > maxBytes) throw bodyTooLarge(maxBytes)
      chunks.push(next.value)
    }
    return Buffer.concat(chunks)
  }

  toRequest(): Request {
    const { url, method, headers, signal } = this.request
    return new LightRequest(url, { method, headers, signal })
  }
}

const ownHeaders: Record<string, string> = { accept: 'application/json', 'content-type': 'application/json' }

/** An operation that this service sends to itself: JSON by POST, without the cost of a `Request`. */
export class OwnIncoming implements Incoming {
  readonly method = 'POST'
  readonly search = ''
  readonly hasBody = true
  readonly remoteAddress = ''
  readonly breakOff = undefined
  readonly path: string

  constructor(
    readonly target: string,
    private readonly content: Uint8Array,
  ) {
    this.path = target
  }

  get signal(): AbortSignal {
    return new AbortController().signal
  }

  header(name: string): string | null {
    return ownHeaders[name] ?? null
  }

  isGone(): boolean {
    return false
  }

  async body(): Promise<Uint8Array> {
    return this.content
  }

  toRequest(): Request {
    return new LightRequest(`http://localhost${this.target}`, { method: this.method, headers: ownHeaders })
  }
}

/** Smaller bodies are not counted: clients that send large ones slowly do not block them. In bytes. */
const uncountedBytes = 16 * 1024

/** How much of larger bodies is in memory, from before it is read until the request is answered. */
export type BodyBudget = {
  /** Counts a request's body. The returned function ends that. @throws UNAVAILABLE if there is too much */
  reserve(request: Pick<Incoming, 'header'>): () => void
}

export const defaultBodyBytesInAll = 64 * 1024 * 1024

export function createBodyBudget(maxBytesInAll: number): BodyBudget {
  let reserved = 0
  return {
    reserve(request) {
      const isOpen = request.header('transfer-encoding') !== null
      const announced = isOpen ? maxBodyBytes : Number(request.header('content-length') ?? 0)
      // What is too large is rejected before it is read.
      const bytes = announced > uncountedBytes && announced <= maxBodyBytes ? announced : 0
      if (bytes > 0 && reserved + bytes > maxBytesInAll)
        throw unavailable('Too many large requests are being received at the moment. Try again shortly.')
      reserved += bytes
      return () => {
        reserved -= bytes
      }
    },
  }
}

/** The text of a body, without a byte order mark. @throws BAD_REQUEST when it is not UTF-8 */
export function decodeText(body: Uint8Array): string {
  if (!isUtf8(body)) throw new TributaryError('BAD_REQUEST', 'The body is not valid UTF-8.')
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString()
  return text.startsWith('\ufeff') ? text.slice(1) : text
}
