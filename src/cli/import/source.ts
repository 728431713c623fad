import { describeCause, OperatorError } from '../../database/operator-error.ts'
import { askedWaitMs, pauseMs } from './pauses.ts'
import { printable } from './printable.ts'
import { createRepeats } from './repeats.ts'

export type Wire = Record<string, unknown>
export type SourcePage = { rows: Wire[]; totalCount: number | null }

/** A server that speaks the convention, read page by page. */
export type Source = {
  /** The address of its API, without a slash at the end: by it an import is found again. */
  address: string
  /** A page of a list; null where the server does not offer the list. @throws OperatorError */
  readPage(list: string, page: number): Promise<SourcePage | null>
}

export type SourceOptions = {
  from: string
  key: string
  fetch?: typeof fetch
  sleep: (ms: number) => Promise<void>
  now?: () => Date
  random?: () => number
  /** Told when it waits. */
  onWait?: (sentence: string) => void
}

const rowsOnPage = 100
const mostAttempts = 8
const mostWaits = 50
const requestTimeoutMs = 60_000

/** What is asked for with each list; servers that know no `expand` ignore it. */
const expands: Record<string, readonly string[]> = {
  affiliates: ['campaign', 'links'],
  referrals: ['affiliate'],
  commissions: ['sale', 'campaign'],
  payouts: ['affiliate', 'commissions'],
}

/** With `/v1` at its end, whether it was given with it or not, and without doubled slashes: one server has one address. @throws OperatorError for what is no address */
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

/**
 * Reads a list a page at a time. It waits as long as the server asks to where it limits its rate, and tries again after
 * growing pauses where it fails. What it says of failures never holds the key.
 */
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
  const repeats = createRepeats()
  let freeAt = 0
  let hasRead = false

  const readPage = async (list: string, page: number): Promise<SourcePage | null> => {
    const query = new URLSearchParams({ page: String(page), limit: String(rowsOnPage) })
    for (const name of expands[list] ?? []) query.append('expand[]', name)
    const url = `${address}/${list}?${query}`
    let waits = 0
    for (let attempt = 1; ; ) {
      const aheadMs = freeAt - now().getTime()
      if (aheadMs > 0) await sleep(aheadMs)
      freeAt = 0
      const trouble = await attemptOnce(url, list)
      if (typeof trouble !== 'string' && !('waitMs' in trouble)) {
        if (trouble.page && repeats.has(list, page, trouble.page.rows))
          throw new OperatorError(
            `${address}/${list} shows the same page again and again: page ${page} holds what a page before it held. It must heed "page" and end with an empty one.`,
          )
        return trouble.page
      }
      if (typeof trouble !== 'string') {
        waits += 1
        if (waits > mostWaits) throw new OperatorError(goOnLater(`${address} keeps limiting its rate`))
        onWait(`${new URL(address).host} limits its rate: waiting ${Math.ceil(trouble.waitMs / 1000)} s`)
        await sleep(trouble.waitMs)
        continue
      }
      if (attempt === mostAttempts) throw new OperatorError(goOnLater(trouble))
      onWait(`${trouble}: trying again`)
      await sleep(pauseMs(attempt, random))
      attempt += 1
    }
  }

  /** A page; how long to wait; or in a sentence what may be better the next time. */
  const attemptOnce = async (
    url: string,
    list: string,
  ): Promise<{ page: SourcePage | null } | { waitMs: number } | string> => {
    let response: Response
    let text: string
    try {
      response = await send(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(requestTimeoutMs) })
      text = await response.text()
    } catch (error) {
      return `${address} can not be reached (${quoted(describeFailure(error), key)})`
    }
    const { status } = response
    if (status === 429) return { waitMs: (askedWaitMs(response.headers, now()) ?? pauseMs(6, random)) + 250 }
    if (status === 401 || status === 403)
      throw new OperatorError(
        `${address} refused the key (${status}): check --key, or IMPORT_KEY.${hasRead ? ` ${goOnWith('with a key that works')}` : ''}`,
      )
    if (status >= 300 && status < 400)
      throw new OperatorError(quoted(`${address}/${list} ${redirected(response, url, list)}`, key))
    if (status >= 500 || status === 408) return `${address}/${list} answered ${status}`
    if (status === 404 && isOptional(list)) return { page: null }
    if (status === 404) throw new OperatorError(`${address} has no ${list}: check --from, the address of the API.`)
    const body = readJson(text)
    if (status >= 400) {
      const said = typeof body?.error === 'string' ? `: ${quoted(body.error, key)}` : ''
      throw new OperatorError(`${address}/${list} answered ${status}${said}.`)
    }
    if (body && Array.isArray(body.data) && body.data.every(isObject)) {
      hasRead = true
      noteLimit(response.headers)
      const { total_count: total = body.total_count } = isObject(body.pagination) ? body.pagination : {}
      return { page: { rows: body.data, totalCount: readCount(total) } }
    }
    if (body || /html/i.test(response.headers.get('content-type') ?? ''))
      throw new OperatorError(
        `${address}/${list} does not answer as the API of an affiliate program does: check --from, the address of the API.`,
      )
    return `${address}/${list} answered what is no JSON`
  }

  /** The last request of a window waits for the next one, instead of being refused. */
  const noteLimit = (answered: Headers) => {
    if (answered.get('ratelimit-remaining')?.trim() !== '0') return
    freeAt = now().getTime() + (askedWaitMs(answered, now()) ?? 0)
  }

  return { address, readPage }
}

/** Links and coupons are told with affiliates as well, or a program has none. */
const isOptional = (list: string) => list === 'affiliate_links' || list === 'affiliate_coupons'

const isObject = (value: unknown): value is Wire => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Redirects are not followed: elsewhere the key is not sent, and what answers there may be anything. */
function redirected({ status, headers }: Response, url: string, list: string): string {
  const location = headers.get('location') ?? ''
  const target = URL.canParse(location, url) ? new URL(location, url) : null
  if (!location || !target || !/^https?:$/.test(target.protocol))
    return `answered ${status}: check --from, the address of the API.`
  const path = target.pathname.replace(/\/+$/, '')
  const base = path.endsWith(`/${list}`) ? path.slice(0, -list.length - 1) : ''
  if (target.origin !== new URL(url).origin) return `leads to ${target.origin}${base}: name that address as --from.`
  return `leads to ${target.pathname} on the same server (${status}): check --from, the address of the API.`
}

/** A count as servers write it: as a number, or as its digits. */
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

const goOnWith = (how?: string) =>
  `What was read is kept: run the same command again${how ? ` ${how}` : ''}, and it goes on from there.`

const goOnLater = (sentence: string) => `${sentence}. ${goOnWith()}`

/** `fetch` says only that it failed; why, such as ECONNREFUSED or ENOTFOUND, says what caused that. */
function describeFailure(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error ? describeCause(cause) : describeCause(error)
}

/** What the source says, without the key and without what a terminal would act on. */
const quoted = (text: string, key: string) => printable(text.replaceAll(key, '…'))
