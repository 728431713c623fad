import { createContext, useContext } from 'react'
import { type Permissions, permissionsOf } from './permissions.ts'
import type { Program, Role, Session } from './session.ts'

export const SessionContext = createContext<Session | null>(null)

/** The signed-in person. */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('Nobody is signed in.')
  return session
}

export type Opened = { program: Program; role: Role }

export const ProgramContext = createContext<Opened | null>(null)

/** The program of the address, and what the person can do in it. */
export function useProgram(): Opened & Permissions {
  const opened = useContext(ProgramContext)
  if (!opened) throw new Error('No program is open.')
  return { ...opened, ...permissionsOf(opened.role) }
}
