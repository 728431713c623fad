import { isFramed, sendToHost } from '../embed/frame.ts'
import type { ToFrame } from '../embed/messages.ts'

/** Why the sign-in failed. `ticket-rejected` has the message of the service. */
export type SignedOutReason =
  | { why: 'no-ticket' | 'expired' | 'disabled' | 'signed-out' | 'unreachable' }
  | { why: 'ticket-rejected'; message: string }

export type View =
  | { state: 'signing-in' }
  | { state: 'signed-in'; token: string }
  | { state: 'signed-out'; reason: SignedOutReason }

/** In session storage, the token of a view: it is that of one tab, and has no cookie. */
const storageKey = 'tributary-portal'

let view: View = { state: 'signing-in' }
/** The ticket that is being redeemed. It is kept after a network error, for a retry. */
let ticket: string | undefined
const listeners = new Set<() => void>()

export const currentView = (): View => view

export function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function setView(next: View): void {
  view = next
  for (const listener of listeners) listener()
}

const setSignedOut = (reason: SignedOutReason) => setView({ state: 'signed-out', reason })

const fragment = () => new URLSearchParams(location.hash.slice(1))

export const hasTicket = (): boolean => fragment().has('ticket')

/** The program whose portal it is. */
export const programInAddress = (): string | null => new URLSearchParams(location.search).get('program')

/** The tabs of a browser with the portal of this program. One that signs out ends the session in all of them. */
const tabs = new BroadcastChannel(`tributary-portal ${programInAddress() ?? ''}`)

/** @param end ends the session of this tab, which can be another one than that of the cookie */
export function followOtherTabs(end: () => void): void {
  tabs.onmessage = () => {
    if (view.state === 'signed-in' && readToken() === null) end()
  }
}

/**
 * In a page of the company, that page has the token. It is in no storage, so browsers without storage for frames are
 * enough.
 */
export function startFramedSession(): void {
  addEventListener('message', ({ source, data }: MessageEvent<ToFrame | null>) => {
    if (source !== parent || data?.tributary !== 'token') return
    if (data.token === null) setSignedOut({ why: 'expired' })
    else setView({ state: 'signed-in', token: data.token })
  })
  sendToHost({ tributary: 'ready' })
}

/** Signs in with the ticket in the address. Without a ticket it resumes the session of the browser. */
export function startSession(): void {
  const given = fragment()
  const newTicket = given.get('ticket')
  if (newTicket !== null) {
    const section = given.get('to')
    // First of all, so that the ticket is in no copied address and in no history.
    history.replaceState(null, '', location.pathname + location.search + (section === null ? '' : `#${section}`))
    storeToken(null)
    ticket = newTicket
  }
  void signIn()
}

type Session = { token?: string | null; error?: string; why?: string; in_cookie?: boolean }

const post = (path: string, body: object, options: RequestInit = {}) =>
  fetch(path, {
    ...options,
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })

/** Exchanges the ticket for a token, or resumes the session. After a network error it can be called again. */
export async function signIn(): Promise<void> {
  const token = readToken()
  if (token !== null) return setView({ state: 'signed-in', token })
  setView({ state: 'signing-in' })
  const sent = ticket
  try {
    await (sent === undefined ? resume() : redeem(sent))
  } catch {
    if (sent === ticket) setSignedOut({ why: 'unreachable' })
  }
}

async function redeem(sent: string): Promise<void> {
  const response = await post('portal/session', { ticket: sent })
  const { token, error, in_cookie } = (await response.json()) as Session
  // A newer ticket replaced this one meanwhile.
  if (sent !== ticket) return
  if (token) {
    ticket = undefined
    if (!in_cookie) storeToken(token)
    setView({ state: 'signed-in', token })
  } else if (response.status === 401) {
    ticket = undefined
    setSignedOut({ why: 'ticket-rejected', message: error ?? '' })
  } else setSignedOut({ why: 'unreachable' })
}

async function resume(): Promise<void> {
  const program = programInAddress()
  if (program === null) return setSignedOut({ why: 'no-ticket' })
  const response = await post('portal/session/resume', { program })
  const { token, why } = (await response.json()) as Session
  if (ticket !== undefined) return
  if (token) setView({ state: 'signed-in', token })
  else if (!response.ok) setSignedOut({ why: 'unreachable' })
  else setSignedOut({ why: why === 'disabled' ? 'disabled' : why === 'ended' ? 'expired' : 'no-ticket' })
}

/**
 * Ends the session of the browser, in all its tabs. A view ends in this tab. The cookie is deleted before the page
 * says so: otherwise a reload could resume the session whose end is on its way.
 */
export async function signOut(): Promise<void> {
  if (readToken() === null) {
    // It arrives also if the page is left at once.
    const options = { keepalive: true, signal: AbortSignal.timeout(10_000) }
    await post('portal/session/end', { program: programInAddress() }, options).catch(() => {})
    tabs.postMessage('signed-out')
  }
  endSession('signed-out')
}

/** Deletes the token from this tab. */
export function endSession(why: 'signed-out' | 'expired' | 'disabled'): void {
  storeToken(null)
  setSignedOut({ why })
  if (isFramed) sendToHost({ tributary: 'expired' })
}

// Browsers can block storage. A view then ends with the page.

function storeToken(token: string | null): void {
  try {
    if (token === null) sessionStorage.removeItem(storageKey)
    else sessionStorage.setItem(storageKey, token)
  } catch {}
}

function readToken(): string | null {
  try {
    return sessionStorage.getItem(storageKey)
  } catch {
    return null
  }
}
