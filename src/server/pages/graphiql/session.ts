import { useSyncExternalStore } from 'react'

/**
 * The access that requests use: an API key, or the operator token with a program id. It is only in the session storage: it
 * ends with the tab, and is in no address and not in GraphiQL's storage.
 */
export type Session = { key: string; programId: string }

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
let keyState: KeyState = session.key ? { kind: 'checking' } : { kind: 'none' }
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
    const { key, programId } = JSON.parse(sessionStorage.getItem(storageKey) ?? '{}')
    return { key: String(key ?? ''), programId: String(programId ?? '') }
  } catch {
    return emptySession
  }
}

export const currentSession = (): Session => session
export const useSession = (): Session => useSyncExternalStore(subscribe, currentSession)
export const useKeyState = (): KeyState => useSyncExternalStore(subscribe, () => keyState)

/** Sets the key for the next requests; an empty one ends the session. Always a new object, so that the same key is retried. */
export function startSession({ key, programId }: Session): void {
  session = { key: key.trim(), programId: programId.trim() }
  keyState = session.key ? { kind: 'checking' } : { kind: 'none' }
  if (session.key) sessionStorage.setItem(storageKey, JSON.stringify(session))
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
