import { useSyncExternalStore } from 'react'

/**
 * Whose requests these are: a key, and for an operator the program that is meant. It lives in the session storage alone:
 * gone with the tab, in no address, and nowhere that GraphiQL keeps its own things.
 */
export type Session = { key: string; programId: string }

/** What the service said of the key. */
export type KeyState =
  | { kind: 'none' }
  | { kind: 'checking' }
  | { kind: 'accepted' }
  | { kind: 'refused'; message: string }

const name = 'tributary.session'
const nobody: Session = { key: '', programId: '' }

let session = read()
let keyState: KeyState = session.key ? { kind: 'checking' } : { kind: 'none' }
const listeners = new Set<() => void>()
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
const tell = () => {
  for (const listener of listeners) listener()
}

function read(): Session {
  try {
    const { key, programId } = JSON.parse(sessionStorage.getItem(name) ?? '{}')
    return { key: String(key ?? ''), programId: String(programId ?? '') }
  } catch {
    return nobody
  }
}

export const currentSession = (): Session => session
export const useSession = (): Session => useSyncExternalStore(subscribe, currentSession)
export const useKeyState = (): KeyState => useSyncExternalStore(subscribe, () => keyState)

/** From now on requests are sent with this key, or with none. Always a new object, so that the same key is tried again. */
export function startSession({ key, programId }: Session): void {
  session = { key: key.trim(), programId: programId.trim() }
  keyState = session.key ? { kind: 'checking' } : { kind: 'none' }
  if (session.key) sessionStorage.setItem(name, JSON.stringify(session))
  else sessionStorage.removeItem(name)
  tell()
}

/** What an answer says of the key that was sent with it; of one that was replaced meanwhile, nothing. */
export function noteKeyState(asked: Session, state: KeyState): void {
  if (asked !== session) return
  keyState = state
  tell()
}
