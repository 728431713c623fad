/**
 * What a page loads as /track.js. It has to work wherever it lands: whatever fails in it, or is kept from it, the page
 * goes on as if it was not there.
 */
import { readCookie, writeCookie } from './cookie.ts'
import { decorateLinks } from './links.ts'
import { send } from './send.ts'

type Visit = { referral_id: string | null; expires_at: string | null }
type Lead = { referral_id: string | null; conversion_state: string | null }
type Person = { email: string; name?: string }
type Done<T> = (value: T) => void

type Tributary = {
  /** The referral's id, once it is known. */
  referral: string | null
  ready(done?: Done<string | null>): Promise<string | null>
  convert(person: Person, done?: Done<Lead | null>): Promise<Lead | null>
  source(token: string, done?: Done<string | null>): Promise<string | null>
  loaded: true
}
type Call = ['ready' | 'convert' | 'source', ArrayLike<unknown>, (value: unknown) => void]
type Page = Window & { tributary?: Partial<Tributary> & { q?: Call[] } }

const idCookie = 'tributary_referral'
const tokenCookie = 'tributary_via'
const visitorName = 'tributary_visitor'
const leadName = 'tributary_lead'

/** What the page asked for is answered after this at the latest: it may wait for that before it goes on. */
const patienceMs = 5_000
/** Where a referral is taken over and the service can not be asked for its end: the longest a new campaign keeps one. */
const assumedMs = 60 * 86_400_000

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
    const expires = expiresAt ? new Date(expiresAt) : new Date(Date.now() + assumedMs)
    api.referral = id
    writeCookie(idCookie, id, expires)
    writeCookie(tokenCookie, token || '', expires)
    return id
  }

  /** The last click wins; one that leads to no referral leaves what there was. */
  const visit = async (token: string): Promise<string | null> => {
    if (api.referral && readCookie(tokenCookie) === token.toLowerCase()) return api.referral
    const { href: url } = location
    const body = { key, token, url, referrer: document.referrer, visitor: visitorId() }
    const answer = await send<Visit>(`${base}visits`, body, [1_000])
    return answer?.referral_id ? keep(answer.referral_id, token.toLowerCase(), answer.expires_at) : api.referral
  }

  /** A referral that another domain made. One that the service does not know is none. */
  const takeOver = async (id: string): Promise<string | null> => {
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
    // Where no answer came, the next page tries again.
    if (answer !== undefined) storage('sessionStorage', leadName, null)
    return answer || null
  }

  const current = (work: Promise<unknown>) => Promise.race([work, pause(patienceMs)]).then(() => api.referral)

  const api: Tributary = {
    referral: readCookie(idCookie),
    ready: (done) => told(current(visiting), done),
    convert: (person, done) => told(Promise.race([lead(person), pause(patienceMs)]), done),
    source: (token, done) => {
      visiting = visiting.then(() => visit(token)).catch(() => api.referral)
      return told(current(visiting), done)
    },
    loaded: true,
  }

  let visiting: Promise<string | null> = (async () => {
    if (brought) return takeOver(brought)
    return via ? visit(via) : api.referral
  })().catch(() => api.referral)

  page.tributary = Object.assign(stub || {}, api)
  // The id is read from the object that the page has.
  Object.defineProperty(page.tributary, 'referral', { get: () => api.referral, enumerable: true })
  if (brought) forgetInAddress()
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
  const calls = stub?.q || []
  page.tributary.q = { push: run } as unknown as Call[]
  calls.forEach(run)
}

/** Never rejects. What a callback throws is the page's own error, and no one else's. */
function told<T>(promise: Promise<T | null>, done?: Done<T | null>): Promise<T | null> {
  const value = promise.catch(() => null)
  if (typeof done === 'function') void value.then((found) => setTimeout(done, 0, found))
  return value
}

const pause = (ms: number) => new Promise<null>((resume) => setTimeout(resume, ms, null))

/** An address that is shared or bookmarked must not bring others under this visitor's referral. */
function forgetInAddress(): void {
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

/** Reads an entry; with a value writes it, with null removes it. Browsers may refuse all of this. */
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

/** Tells browsers behind one address apart; made only for who came through a link. */
function visitorId(): string | undefined {
  const known = storage('localStorage', visitorName)
  if (known) return known
  const made = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0'))
  return storage('localStorage', visitorName, made.join('')) || undefined
}

try {
  const script = (document.currentScript ||
    document.querySelector('script[data-key][src*="track.js"]')) as HTMLScriptElement
  // A page that is drawn ahead of a click has not been visited yet.
  if ((document as { prerendering?: boolean }).prerendering) {
    document.addEventListener('prerenderingchange', () => start(script), { once: true })
  } else start(script)
} catch {}
