import { useSyncExternalStore } from 'react'
import { postOperation, type Result, readResult } from '../parts/graphql.ts'
import { rememberedProgram } from '../parts/remembered-program.ts'

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
  /** `program` is its name: undefined until it is known, empty if it cannot be read. */
  | { kind: 'accepted'; program?: string }
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

/**
 * Sets the key for the next requests; an empty one ends the session. Always a new object, so that the same key is
 * retried.
 */
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
  const isKnown = keyState.kind === 'accepted' && state.kind === 'accepted' && state.program === undefined
  if (isKnown) return
  keyState = state
  notify()
}

/**
 * Starts the session of the person who is signed in to the dashboard, unless this tab has a key. The program is that of
 * the link which opened the page, `?program=acme`, or the one that the person has opened last. The parameter is removed
 * from the address.
 */
export async function startSessionOfPerson(): Promise<void> {
  const address = new URL(location.href)
  const named = address.searchParams.get('program')
  if (named === null && session.key !== '') return
  address.searchParams.delete('program')
  history.replaceState(null, '', address)
  const signedIn = await fetch(new URL('dashboard/auth/get-session', document.baseURI)).then(
    (response) => response.json() as Promise<{ user: { name: string } } | null>,
    () => null,
  )
  if (!signedIn?.user) {
    if (session.person) startSession(emptySession)
    return
  }
  const programId = named ?? (session.programId || (await lastProgram()))
  if (programId) startSession({ key: '', programId, person: signedIn.user.name })
}

/** The program that the dashboard opens first. Null for a person without a program. */
async function lastProgram(): Promise<string | null> {
  const query = '{ viewer { programs { program { id slug } } } }'
  const slugs = await postOperation(new URL('graphql', document.baseURI), { query }).then(
    async (response) => slugsOf(await readResult<Viewer>(response)),
    () => [],
  )
  return slugs.find((slug) => slug === rememberedProgram()) ?? slugs[0] ?? null
}

type Viewer = { viewer: { programs: { program: { id: string; slug: string } }[] } | null }

/** Oldest first. */
const slugsOf = ({ data }: Result<Viewer>): string[] =>
  (data?.viewer?.programs ?? [])
    .map(({ program }) => program)
    .sort((one, other) => (one.id < other.id ? -1 : 1))
    .map(({ slug }) => slug)
