import { useSyncExternalStore } from 'react'

/**
 * The access that requests use: an API key, the operator token with a program id, or the person who is signed in to the
 * dashboard. Only the session storage has it: it ends with the tab, and neither addresses nor GraphiQL's storage
 * contain it.
 */
export type Session = {
  key: string
  programId: string
  /** The name of the person whose cookie authenticates requests while there is no key. */
  person?: string
}

export const hasAccess = ({ key, person }: Session): boolean => key !== '' || person !== undefined

/** Whether the service accepted the key. */
export type KeyState =
  | { kind: 'none' }
  | { kind: 'checking' }
  | { kind: 'accepted' }
  /** The operator token without a program: no program's data can be read yet. */
  | { kind: 'choosing'; programs: Program[] }
  | { kind: 'rejected'; message: string }

export type Program = { id: string; name: string }

const storageKey = 'tributary.session'
const emptySession: Session = { key: '', programId: '' }

let session = readSession()
let keyState: KeyState = hasAccess(session) ? { kind: 'checking' } : { kind: 'none' }
const listeners = new Set<() => void>()
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
const notify = () => {
  for (const listener of listeners) listener()
}

function readSession(): Session {
  try {
    const { key, programId, person } = JSON.parse(sessionStorage.getItem(storageKey) ?? '{}')
    return { key: String(key ?? ''), programId: String(programId ?? ''), ...(person && { person: String(person) }) }
  } catch {
    return emptySession
  }
}

export const currentSession = (): Session => session
export const useSession = (): Session => useSyncExternalStore(subscribe, currentSession)
export const useKeyState = (): KeyState => useSyncExternalStore(subscribe, () => keyState)

/** Sets the key for the next requests; an empty one ends the session. Always a new object, so that the same key is retried. */
export function startSession({ key, programId, person }: Session): void {
  session = { key: key.trim(), programId: programId.trim(), ...(person && !key.trim() && { person }) }
  keyState = hasAccess(session) ? { kind: 'checking' } : { kind: 'none' }
  if (hasAccess(session)) sessionStorage.setItem(storageKey, JSON.stringify(session))
  else sessionStorage.removeItem(storageKey)
  notify()
}

/** Records whether the key was accepted. It ignores responses to a session that was replaced meanwhile. */
export function recordKeyState(requestSession: Session, state: KeyState): void {
  if (requestSession !== session) return
  // Requests still succeed while the program is missing.
  if (keyState.kind === 'choosing' && state.kind === 'accepted') return
  keyState = state
  notify()
}

/**
 * Starts the session of the dashboard's signed-in person, if its link opened the page: `?program=acme`. The parameter
 * is removed from the address.
 */
export async function startSessionOfPerson(): Promise<void> {
  const address = new URL(location.href)
  const programId = address.searchParams.get('program')
  if (programId === null) return
  address.searchParams.delete('program')
  history.replaceState(null, '', address)
  const signedIn = await fetch(new URL('dashboard/auth/get-session', document.baseURI)).then(
    (response) => response.json() as Promise<{ user: { name: string } } | null>,
    () => null,
  )
  if (signedIn?.user) startSession({ key: '', programId, person: signedIn.user.name })
}
