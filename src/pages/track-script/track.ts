/** The script that pages load as /track.js. An error or a blocked feature must never affect the page. */
import {
  type Arrival,
  agentParameter,
  keepArrival,
  keptArrival,
  onRoute,
  readArrival,
  removeFromAddress,
} from './arrival.ts'
import { speakConvention } from './convention.ts'
import { cookieScope, isWithin, readCookie, writeCookie } from './cookie.ts'
import { decorateLinks, fillForms, isOtherDomain } from './links.ts'
import { readSettings } from './script-tag.ts'
import { send } from './send.ts'
import { storage, visitorId, visitorName } from './storage.ts'

type Known = { affiliate: object; campaign: object }
type Visit = { referral_id: string | null; expires_at: string | null } & Partial<Known>
type Lead = { referral_id: string | null; conversion_state: string | null }
type Person = { email: string; name?: string }
type Done<T> = (value: T) => void

type Tributary = {
  /** The referral's id; null until it is known. */
  readonly referral: string | null
  /** The affiliate and the campaign of the referral; null unless the tag asks for them. */
  readonly affiliate: object | null
  readonly campaign: object | null
  ready(done?: Done<string | null>): Promise<string | null>
  convert(person: Person, done?: Done<Lead | null>): Promise<Lead | null>
  source(token: string, done?: Done<string | null>): Promise<string | null>
  consent(isGiven?: boolean): Promise<string | null>
  loaded: true
}
type Method = 'ready' | 'convert' | 'source' | 'consent'
type Call = [Method, ArrayLike<unknown>, (value: unknown) => void]
type Page = Window & { tributary?: Partial<Tributary> & { q?: Call[] | { push(call: Call): void } } }

const idCookie = 'tributary_referral'
const tokenCookie = 'tributary_via'
const affiliateCookie = 'tributary_affiliate'
const leadName = 'tributary_lead'

/** Calls of the page resolve after this time at the latest, because the page may wait for them. */
const callTimeoutMs = 5_000
/** The lifetime of a referral from another domain if the service does not respond: the default of campaigns. */
const fallbackLifetimeMs = 60 * 86_400_000

function start(script: HTMLScriptElement): void {
  const page = window as Page
  const stub = page.tributary
  const settings = readSettings(script)
  if (!settings || stub?.loaded) return
  const { key, base, domains, needsConsent, waitsInSession, wantsAffiliate } = settings
  let referral = readCookie(idCookie)
  let known = readKnown()
  /** A cookie of an earlier page was set with consent. */
  let isAllowed = !needsConsent || referral !== null
  /** What waits for consent. */
  let arrival: Arrival | null = null
  let person: Person | null = null
  let seen = ''

  const keep = (id: string, token: string, answer: Visit | undefined) => {
    const { expires_at: expiresAt, affiliate, campaign } = answer || {}
    const expires = expiresAt ? new Date(expiresAt) : new Date(Date.now() + fallbackLifetimeMs)
    // Safari keeps cookies of scripts for 7 days. One from a response is not overwritten.
    const write = (name: string, value: string) =>
      (readCookie(name) || '') !== value && writeCookie(name, value, expires)
    referral = id
    known = affiliate && campaign ? { affiliate, campaign } : null
    write(idCookie, id)
    write(tokenCookie, token)
    write(affiliateCookie, known ? JSON.stringify(known) : '')
    return id
  }

  const post = (fields: object) => {
    const isOwnOrigin = new URL(base).origin === location.origin
    const cookie = isOwnOrigin ? { cookie: cookieScope() } : {}
    const expand = wantsAffiliate ? { expand: 'affiliate' } : {}
    return send<Visit>(`${base}visits`, { key, ...fields, ...cookie, ...expand }, [1_000])
  }

  /** The last click wins. A click without a referral keeps the current one. */
  const visit = async (token: string, from: Omit<Arrival, 'via' | 'referral'>): Promise<string | null> => {
    if (referral && readCookie(tokenCookie) === token.toLowerCase()) return referral
    const { url, referrer, parameter, agent } = from
    const answer = await post({ token, url, referrer, parameter, visitor: visitorId(), [agentParameter]: agent })
    return answer?.referral_id ? keep(answer.referral_id, token.toLowerCase(), answer) : referral
  }

  /** Adopts a referral from another domain if the service knows it. */
  const adopt = async (brought: Arrival): Promise<string | null> => {
    const { referral: id, via } = brought
    if (id === referral) return id
    const answer = await post({ referral_id: id, via })
    const isTaken = answer === undefined ? /^[0-9a-f-]{36}$/.test(id) : answer?.referral_id === id
    if (isTaken) return keep(id, via.toLowerCase(), answer || undefined)
    return via || brought.agent ? visit(via, brought) : referral
  }

  let visiting: Promise<string | null> = Promise.resolve(referral)
  const take = (one: Arrival) => {
    visiting = visiting.then(() => (one.referral ? adopt(one) : visit(one.via, one))).catch(() => referral)
  }

  /** Reads what the address brings, when the page loads and when its route changes. */
  const arrive = () => {
    const found = readArrival(settings.parameters)
    const brings = found ? `${found.via} ${found.referral || found.agent || ''}` : ''
    const isNew = brings !== seen
    seen = brings
    if (!found || !isNew) return
    if (found.referral || found.agent) {
      removeFromAddress()
      seen = `${found.via} `
    }
    if (isAllowed) return take(found)
    arrival = found
    if (waitsInSession) keepArrival(found)
  }

  const lead = async ({ email, name }: Person): Promise<Lead | null> => {
    if (!isAllowed) {
      person = { email, name } as Person
      return null
    }
    storage('sessionStorage', leadName, JSON.stringify({ email, name }))
    const id = await visiting
    const answer = id
      ? await send<Lead>(`${base}leads`, { key, referral_id: id, email, name }, [1_000, 4_000, 15_000])
      : null
    // Without a response, the next page tries again.
    if (answer !== undefined) storage('sessionStorage', leadName, null)
    return answer || null
  }

  const allow = () => {
    isAllowed = true
    if (arrival) take(arrival)
    arrival = null
    keepArrival(null)
    if (person) void lead(person).catch(() => {})
    person = null
  }

  const forget = () => {
    isAllowed = false
    referral = known = arrival = person = null
    for (const name of [idCookie, tokenCookie, affiliateCookie]) writeCookie(name, '', new Date(0))
    storage('localStorage', visitorName, null)
    storage('sessionStorage', leadName, null)
    keepArrival(null)
  }

  const current = (work: Promise<unknown>) => Promise.race([work, pause(callTimeoutMs)]).then(() => referral)

  const api: Tributary = {
    get referral() {
      return referral
    },
    get affiliate() {
      return known?.affiliate || null
    },
    get campaign() {
      return known?.campaign || null
    },
    ready: (done) => settle(current(visiting), done),
    convert: (someone, done) => settle(Promise.race([lead(someone), pause(callTimeoutMs)]), done),
    source: (token, done) => {
      const from = { url: location.href, referrer: document.referrer }
      if (isAllowed) take({ via: token, referral: '', ...from })
      else arrival = { via: token, referral: '', ...from }
      return settle(current(visiting), done)
    },
    consent: (isGiven = true) => {
      if (isGiven) allow()
      else forget()
      return settle(current(visiting))
    },
    loaded: true,
  }

  if (!isAllowed && waitsInSession) arrival = keptArrival()
  arrive()
  onRoute(arrive)
  page.tributary = Object.assign(stub || {}, api)
  // The page's object reads the current values.
  Object.defineProperties(page.tributary, Object.getOwnPropertyDescriptors(api))
  decorateLinks((host) => {
    if (referral) return isOtherDomain(host, domains) ? { referral } : {}
    // Cookies cannot be tried before there is consent, so only the host's name says whether it is the same site.
    if (!arrival || !isWithin(host, location.hostname.replace(/^www\./, ''))) return {}
    return {
      ...(arrival.via && { [arrival.parameter || 'via']: arrival.via }),
      ...(arrival.referral && { referral: arrival.referral }),
      ...(arrival.agent && { [agentParameter]: arrival.agent }),
    }
  })
  void visiting.then(() => fillForms(referral))
  document.addEventListener('DOMContentLoaded', () => fillForms(referral))
  document.addEventListener('submit', () => fillForms(referral), true)
  const left = isAllowed ? storage('sessionStorage', leadName) : null
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
  if (settings.isConvention) speakConvention(api as unknown as Parameters<typeof speakConvention>[0])
}

/** The affiliate and the campaign, as an earlier page stored them. */
function readKnown(): Known | null {
  try {
    return JSON.parse(readCookie(affiliateCookie) || 'null') as Known | null
  } catch {
    return null
  }
}

/** Never rejects. The callback runs in a timer, so that its errors are reported as the page's own. */
function settle<T>(promise: Promise<T | null>, done?: Done<T | null>): Promise<T | null> {
  const value = promise.catch(() => null)
  if (typeof done === 'function') void value.then((found) => setTimeout(done, 0, found))
  return value
}

const pause = (ms: number) => new Promise<null>((resume) => setTimeout(resume, ms, null))

try {
  const script = (document.currentScript ||
    document.querySelector(
      'script[data-key][src*="track.js"],script[data-rewardful^=trib_pk_],script[data-key^=trib_pk_]',
    )) as HTMLScriptElement
  // A prerendered page has not been visited yet.
  if ((document as { prerendering?: boolean }).prerendering) {
    document.addEventListener(
      'prerenderingchange',
      () => {
        try {
          start(script)
        } catch {}
      },
      { once: true },
    )
  } else start(script)
} catch {}
