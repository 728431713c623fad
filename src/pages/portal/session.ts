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

/** In session storage: other tabs cannot read it, and it is deleted when the tab closes. */
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

const ticketInAddress = () => new URLSearchParams(location.hash.slice(1)).get('ticket')

export const hasTicket = (): boolean => ticketInAddress() !== null

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

/** Signs in with the ticket in the address. Without a ticket it resumes the stored session. */
export function startSession(): void {
  const newTicket = ticketInAddress()
  if (newTicket === null) {
    const token = readToken()
    if (token === null) setSignedOut({ why: 'no-ticket' })
    else setView({ state: 'signed-in', token })
    return
  }
  // First of all, so that the ticket is in no copied address and in no history.
  history.replaceState(null, '', location.pathname + location.search)
  ticket = newTicket
  void redeemTicket()
}

/** Exchanges the ticket for a token. The previous session ends, even if this fails. */
export async function redeemTicket(): Promise<void> {
  storeToken(null)
  setView({ state: 'signing-in' })
  const sent = ticket
  try {
    const response = await fetch('portal/session', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ticket: sent }),
    })
    const { token, error } = (await response.json()) as { token?: string; error?: string }
    // A newer ticket replaced this one meanwhile.
    if (sent !== ticket) return
    if (token) {
      storeToken(token)
      setView({ state: 'signed-in', token })
    } else if (response.status === 401) setSignedOut({ why: 'ticket-rejected', message: error ?? '' })
    else setSignedOut({ why: 'unreachable' })
  } catch {
    if (sent === ticket) setSignedOut({ why: 'unreachable' })
  }
}

/** Deletes the token from this tab. */
export function endSession(why: 'signed-out' | 'expired' | 'disabled'): void {
  storeToken(null)
  setSignedOut({ why })
  if (isFramed) sendToHost({ tributary: 'expired' })
}

// Browsers can block storage. The session then ends with the page.

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
