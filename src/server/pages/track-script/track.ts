/** The script that pages load as /track.js. An error or a blocked feature must never affect the page. */
import { readCookie, writeCookie } from './cookie.ts'
import { decorateLinks } from './links.ts'
import { send } from './send.ts'

type Visit = { referral_id: string | null; expires_at: string | null }
type Lead = { referral_id: string | null; conversion_state: string | null }
type Person = { email: string; name?: string }
type Done<T> = (value: T) => void

type Tributary = {
  /** The referral's id; null until it is known. */
  referral: string | null
  ready(done?: Done<string | null>): Promise<string | null>
  convert(person: Person, done?: Done<Lead | null>): Promise<Lead | null>
  source(token: string, done?: Done<string | null>): Promise<string | null>
  loaded: true
}
type Call = ['ready' | 'convert' | 'source', ArrayLike<unknown>, (value: unknown) => void]
type Page = Window & { tributary?: Partial<Tributary> & { q?: Call[] | { push(call: Call): void } } }

const idCookie = 'tributary_referral'
const tokenCookie = 'tributary_via'
const visitorName = 'tributary_visitor'
const leadName = 'tributary_lead'

/** Calls of the page resolve after this time at the latest, because the page may wait for them. */
const callTimeoutMs = 5_000
/** The lifetime of a referral from another domain if the service does not respond: the default of campaigns. */
const fallbackLifetimeMs = 60 * 86_400_000

function start(script: HTMLScriptElement): void {
  const page = window as Page
  const stub = page.tributary
  if (stub?.loaded) return
  const key = script.dataset.key
  const base = script.src.replace(/track\.js.*$/, 'track/')
  const query = new URLSearchParams(location.search)
  const via = query.get('via')
  const brought = query.get('referral')

  const keep = (id: string, token: string | undefined, expiresAt: string | null | undefined) => {
    const expires = expiresAt ? new Date(expiresAt) : new Date(Date.now() + fallbackLifetimeMs)
    api.referral = id
    writeCookie(idCookie, id, expires)
    writeCookie(tokenCookie, token || '', expires)
    return id
  }

  /** The last click wins. A click without a referral keeps the current one. */
  const visit = async (token: string): Promise<string | null> => {
    if (api.referral && readCookie(tokenCookie) === token.toLowerCase()) return api.referral
    const { href: url } = location
    const body = { key, token, url, referrer: document.referrer, visitor: visitorId() }
    const answer = await send<Visit>(`${base}visits`, body, [1_000])
    return answer?.referral_id ? keep(answer.referral_id, token.toLowerCase(), answer.expires_at) : api.referral
  }

  /** Adopts a referral from another domain if the service knows it. */
  const adopt = async (id: string): Promise<string | null> => {
    if (id === api.referral) return id
    const answer = await send<Visit>(`${base}visits`, { key, referral_id: id }, [1_000])
    const isTaken = answer === undefined ? /^[0-9a-f-]{36}$/.test(id) : answer?.referral_id === id
    if (isTaken) return keep(id, via?.toLowerCase(), answer?.expires_at)
    return via ? visit(via) : api.referral
  }

  const lead = async ({ email, name }: Person): Promise<Lead | null> => {
    storage('sessionStorage', leadName, JSON.stringify({ email, name }))
    const id = await visiting
    const answer = id
      ? await send<Lead>(`${base}leads`, { key, referral_id: id, email, name }, [1_000, 4_000, 15_000])
      : null
    // Without a response, the next page tries again.
    if (answer !== undefined) storage('sessionStorage', leadName, null)
    return answer || null
  }

  const current = (work: Promise<unknown>) => Promise.race([work, pause(callTimeoutMs)]).then(() => api.referral)

  const api: Tributary = {
    referral: readCookie(idCookie),
    ready: (done) => settle(current(visiting), done),
    convert: (person, done) => settle(Promise.race([lead(person), pause(callTimeoutMs)]), done),
    source: (token, done) => {
      visiting = visiting.then(() => visit(token)).catch(() => api.referral)
      return settle(current(visiting), done)
    },
    loaded: true,
  }

  let visiting: Promise<string | null> = (async () => {
    if (brought) return adopt(brought)
    return via ? visit(via) : api.referral
  })().catch(() => api.referral)

  page.tributary = Object.assign(stub || {}, api)
  // The page's object reads the current id.
  Object.defineProperty(page.tributary, 'referral', { get: () => api.referral, enumerable: true })
  if (brought) removeFromAddress()
  decorateLinks(
    (script.dataset.domains || '')
      .split(',')
      .map((name) => name.trim().toLowerCase())
      .filter(Boolean),
    () => api.referral,
  )
  const left = storage('sessionStorage', leadName)
  if (left) void lead(JSON.parse(left)).catch(() => {})
  const run = ([name, args, resolve]: Call) => {
    try {
      resolve((api[name] as (...args: unknown[]) => unknown)(...Array.from(args)))
    } catch {
      resolve(null)
    }
  }
  const calls = (stub?.q as Call[]) || []
  page.tributary.q = { push: run }
  calls.forEach(run)
}

/** Never rejects. The callback runs in a timer, so that its errors are reported as the page's own. */
function settle<T>(promise: Promise<T | null>, done?: Done<T | null>): Promise<T | null> {
  const value = promise.catch(() => null)
  if (typeof done === 'function') void value.then((found) => setTimeout(done, 0, found))
  return value
}

const pause = (ms: number) => new Promise<null>((resume) => setTimeout(resume, ms, null))

/** Removes the referral from the address, so that a shared link does not attribute others to this visitor's referral. */
function removeFromAddress(): void {
  try {
    const { search, pathname, hash } = location
    const rest = search
      .slice(1)
      .split('&')
      .filter((pair) => !/^referral(=|$)/.test(pair))
      .join('&')
    history.replaceState(history.state, '', pathname + (rest && `?${rest}`) + hash)
  } catch {}
}

/** Reads an entry. A value is stored first; null removes the entry. Browsers can block storage. */
function storage(kind: 'localStorage' | 'sessionStorage', name: string, value?: string | null): string | null {
  try {
    const store = window[kind]
    if (value) store.setItem(name, value)
    else if (value === null) store.removeItem(name)
    return store.getItem(name)
  } catch {
    return null
  }
}

/** Distinguishes browsers behind one IP address. It is created only for visitors who followed a link. */
function visitorId(): string | undefined {
  const known = storage('localStorage', visitorName)
  if (known) return known
  const made = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0'))
  return storage('localStorage', visitorName, made.join('')) || undefined
}

try {
  const script = (document.currentScript ||
    document.querySelector('script[data-key][src*="track.js"]')) as HTMLScriptElement
  // A prerendered page has not been visited yet.
  if ((document as { prerendering?: boolean }).prerendering) {
    document.addEventListener('prerenderingchange', () => start(script), { once: true })
  } else start(script)
} catch {}
