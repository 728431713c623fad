import { createHash } from 'node:crypto'
import { describeCause, OperatorError } from '../../database/operator-error.ts'
import { backoffMs, requestedWaitMs } from './backoff.ts'
import { readBody } from './body.ts'
import { createEndDetector, createLoopDetector, type Totals } from './page-loop.ts'
import { printable } from './printable.ts'
import { createRedaction } from './secret.ts'
import type { Wire } from './wire.ts'

export type SourcePage = { rows: Wire[]; totalCount: number | null }

/** A server with the API of the convention, which is read page by page. */
export type Source = {
  /** The address of its API, without a slash at the end. */
  address: string
  /** A hash of the address and the key. It identifies a program of the server, and does not reveal the key. */
  keyHash: string
  /** Reads a page of a list; null if the server has no such list. @throws OperatorError */
  readPage(list: string, page: number): Promise<SourcePage | null>
}

/** A page, a wait that the server requests, or a failure that a retry may fix. */
type RequestResult = { page: SourcePage | null; totalPages: number | null } | { waitMs: number } | { failure: string }

export type SourceOptions = {
  from: string
  key: string
  fetch?: typeof fetch
  sleep: (ms: number) => Promise<void>
  now?: () => Date
  random?: () => number
  /** Receives a message before each wait. */
  onWait?: (sentence: string) => void
}

const pageSize = 100
const maxAttempts = 8
const maxWaits = 50
const requestTimeoutMs = 60_000
const maxTotalWaitMs = 24 * 60 * 60_000

/** The objects to expand in each list. Servers without `expand` ignore it. */
const expands: Record<string, readonly string[]> = {
  affiliates: ['campaign', 'links'],
  referrals: ['affiliate'],
  commissions: ['sale', 'campaign'],
  payouts: ['affiliate', 'commissions'],
}

/** Gives a server one address: with a version (`/v1`), without double slashes. @throws OperatorError */
export function sourceAddress(from: string): string {
  const text = from.trim()
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text))
    throw new OperatorError(
      '--from must be the address of the other server, such as https://affiliates.example.com/v1.',
    )
  const url = new URL(text)
  const path = url.pathname.replace(/\/{2,}/g, '/').replace(/\/$/, '')
  return `${url.origin}${/\/v\d+$/.test(path) ? path : `${path}/v1`}`
}

/** Reads a server's lists with rate limits and backoff. Errors never contain the key. Everything is bounded. */
export function createSource({
  from,
  key,
  fetch: send = fetch,
  sleep,
  now = () => new Date(),
  random = Math.random,
  onWait = () => {},
}: SourceOptions): Source {
  const address = sourceAddress(from)
  const headers = { Authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}`, Accept: 'application/json' }
  const loop = createLoopDetector()
  const end = createEndDetector()
  const redact = createRedaction(key)
  /** Text of the source, without the key and safe for a terminal. */
  const quoted = (text: string) => printable(redact(text))
  /** No request is sent before this time. */
  let resumesAt = 0
  let waitedMs = 0
  let hasRead = false

  /** Waits because of the rate limit, and says so. */
  const waitForLimit = async (ms: number) => {
    waitedMs += ms
    if (waitedMs > maxTotalWaitMs)
      throw new OperatorError(orResumeLater(`${address} made this run wait for more than 24 hours`))
    onWait(`${new URL(address).host} limits the rate of requests: waiting ${Math.ceil(ms / 1000)} s`)
    await sleep(ms)
  }

  const readPage = async (list: string, page: number): Promise<SourcePage | null> => {
    const query = new URLSearchParams({ page: String(page), limit: String(pageSize) })
    for (const name of expands[list] ?? []) query.append('expand[]', name)
    const url = `${address}/${list}?${query}`
    let waits = 0
    for (let attempt = 1; ; ) {
      const remainingMs = resumesAt - now().getTime()
      if (remainingMs > 0) await waitForLimit(remainingMs)
      resumesAt = 0
      const result = await requestPage(url, list)
      if ('page' in result) {
        if (result.page && loop.isRepeated(list, page, result.page.rows))
          throw new OperatorError(
            `${address}/${list} repeats its pages: page ${page} has the same rows as an earlier page. The server must support the parameter "page" and end with an empty page.`,
          )
        const endless =
          result.page && end.findEndless(list, page, result.page.rows.length, { ...result, ...result.page })
        if (endless)
          throw new OperatorError(
            `${address}/${list} does not end: page ${page} is still not the last, though the server counts ${describeTotals(endless)}. The server must end the list with an empty page.`,
          )
        return result.page
      }
      if ('waitMs' in result) {
        waits += 1
        if (waits > maxWaits) throw new OperatorError(orResumeLater(`${address} still limits the rate of requests`))
        await waitForLimit(result.waitMs)
        continue
      }
      if (attempt === maxAttempts) throw new OperatorError(orResumeLater(result.failure))
      onWait(`${result.failure}: retrying`)
      await sleep(backoffMs(attempt, random))
      attempt += 1
    }
  }

  /** Sends one request. Failures that a retry cannot fix are thrown. */
  const requestPage = async (url: string, list: string): Promise<RequestResult> => {
    let response: Response
    let text: string | null
    try {
      response = await send(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(requestTimeoutMs) })
      text = await readBody(response)
    } catch (error) {
      return { failure: `Cannot reach ${address} (${quoted(describeFailure(error))})` }
    }
    if (text === null)
      throw new OperatorError(
        `${address}/${list} responded with more than 16 MiB. Check --from, the address of the API.`,
      )
    const { status } = response
    if (status === 429) return { waitMs: (requestedWaitMs(response.headers, now()) ?? backoffMs(6, random)) + 250 }
    if (status === 401 || status === 403)
      throw new OperatorError(
        `${address} rejected the key (${status}). Check --key or IMPORT_KEY.${hasRead ? ` ${resumeHint(' with a valid key')}` : ''}`,
      )
    if (status >= 300 && status < 400)
      throw new OperatorError(quoted(`${address}/${list} ${redirectMessage(response, url, list)}`))
    if (status >= 500 || status === 408) return { failure: `${address}/${list} responded with status ${status}` }
    if (status === 404 && isOptional(list)) return { page: null, totalPages: null }
    if (status === 404) throw new OperatorError(`${address} has no ${list}. Check --from, the address of the API.`)
    const body = readJson(text)
    if (status >= 400) {
      const detail = typeof body?.error === 'string' ? `: ${quoted(body.error)}` : ''
      throw new OperatorError(`${address}/${list} responded with status ${status}${detail}.`)
    }
    if (body && Array.isArray(body.data) && body.data.every(isObject)) {
      hasRead = true
      noteLimit(response.headers)
      const totals = { ...body, ...(isObject(body.pagination) && body.pagination) }
      const [totalCount, totalPages] = [readCount(totals.total_count), readCount(totals.total_pages)]
      return { page: { rows: body.data, totalCount }, totalPages }
    }
    if (body || /html/i.test(response.headers.get('content-type') ?? ''))
      throw new OperatorError(
        `${address}/${list} is not the API of an affiliate program. Check --from, the address of the API.`,
      )
    return { failure: `${address}/${list} did not respond with JSON` }
  }

  /** When no request is left in the rate limit's window, the next request waits for the next window. */
  const noteLimit = (headers: Headers) => {
    if (headers.get('ratelimit-remaining')?.trim() !== '0') return
    resumesAt = now().getTime() + (requestedWaitMs(headers, now()) ?? 0)
  }

  const keyHash = createHash('sha256').update(`${address} ${key}`).digest('hex').slice(0, 32)
  return { address, keyHash, readPage }
}

/** Links are also part of affiliates, and not every server has coupons. */
const isOptional = (list: string) => list === 'affiliate_links' || list === 'affiliate_coupons'

const isObject = (value: unknown): value is Wire => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Redirects are not followed, because the key must not be sent to another server. The message names the target. */
function redirectMessage({ status, headers }: Response, url: string, list: string): string {
  const location = headers.get('location') ?? ''
  const target = URL.canParse(location, url) ? new URL(location, url) : null
  if (!location || !target || !/^https?:$/.test(target.protocol))
    return `responded with status ${status}. Check --from, the address of the API.`
  const path = target.pathname.replace(/\/+$/, '')
  const base = path.endsWith(`/${list}`) ? path.slice(0, -list.length - 1) : ''
  if (target.origin !== new URL(url).origin) return `redirects to ${target.origin}${base}. Use that address as --from.`
  return `redirects to ${target.pathname} on the same server (${status}). Check --from, the address of the API.`
}

const describeTotals = ({ totalCount, totalPages }: Totals): string =>
  totalCount === null && totalPages !== null ? `${totalPages} pages` : `${totalCount ?? 'no'} records`

/** Some servers write a count as a string of digits. */
function readCount(value: unknown): number | null {
  const count = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : null
}

function readJson(text: string): Wire | null {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

const resumeHint = (how = '') => `The progress is saved. To continue, run the same command again${how}.`

const orResumeLater = (failure: string) => `${failure}. ${resumeHint()}`

/** `fetch` itself only says that it failed. Its cause has the reason, such as ECONNREFUSED. */
function describeFailure(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error ? describeCause(cause) : describeCause(error)
}
