/** Why nobody is signed in. `refused` is a link that was not taken, with what the service says of it. */
export type Out = { why: 'no-link' | 'over' | 'signed-out' | 'unreachable' } | { why: 'refused'; said: string }

export type View = { is: 'opening' } | { is: 'in'; token: string } | ({ is: 'out' } & Out)

/** In the storage of this tab's session alone: another tab does not have it, and it is gone with the tab. */
const place = 'tributary-portal'

let view: View = { is: 'opening' }
/** The ticket that is being turned in, also where that failed on its way. */
let ticket: string | undefined
const watchers = new Set<() => void>()

export const currentView = (): View => view

export function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

function show(next: View): void {
  view = next
  for (const watcher of watchers) watcher()
}

const ticketInAddress = () => new URLSearchParams(location.hash.slice(1)).get('ticket')

export const hasTicket = (): boolean => ticketInAddress() !== null

/** Signs in with the ticket in the address, else goes on with the session that there is. */
export function begin(): void {
  const given = ticketInAddress()
  if (given === null) {
    const token = keptToken()
    show(token === null ? { is: 'out', why: 'no-link' } : { is: 'in', token })
    return
  }
  // Before anything else: what works once is in no address that is copied, and in no history.
  history.replaceState(null, '', location.pathname + location.search)
  ticket = given
  void turnIn()
}

/** Turns the ticket in for a token; once more, where it did not arrive. Whoever was signed in before is not any more. */
export async function turnIn(): Promise<void> {
  keep(null)
  show({ is: 'opening' })
  const sent = ticket
  try {
    const response = await fetch('portal/session', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ticket: sent }),
    })
    const answer = (await response.json()) as { token?: string; error?: string }
    if (sent !== ticket) return
    if (answer.token) {
      keep(answer.token)
      show({ is: 'in', token: answer.token })
    } else if (response.status === 401) show({ is: 'out', why: 'refused', said: answer.error ?? '' })
    else show({ is: 'out', why: 'unreachable' })
  } catch {
    if (sent === ticket) show({ is: 'out', why: 'unreachable' })
  }
}

/** Forgets the token; it is not kept by the service either, and ends by itself. */
export function leave(why: 'signed-out' | 'over'): void {
  keep(null)
  show({ is: 'out', why })
}

// A browser may forbid pages to keep anything: then the session ends with the page.

function keep(token: string | null): void {
  try {
    if (token === null) sessionStorage.removeItem(place)
    else sessionStorage.setItem(place, token)
  } catch {}
}

function keptToken(): string | null {
  try {
    return sessionStorage.getItem(place)
  } catch {
    return null
  }
}
