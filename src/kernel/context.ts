import type { Logger } from 'pino'
import type { Program } from '../generated/prisma/client.ts'
import type { ApiKeyAccess, MemberRole } from '../generated/prisma/enums.ts'
import type { AppDb } from './db.ts'

/** The caller. An affiliate reads only their own data: see src/graphql/access.ts. `system` is the service itself. */
export type Actor =
  | { kind: 'operator' }
  | { kind: 'api_key'; id: string; access: ApiKeyAccess }
  | { kind: 'affiliate'; affiliateId: string; sessionId?: string | undefined; viewer?: Viewer | undefined }
  | PersonActor
  | { kind: 'system' }

/** Who sees the portal as an affiliate sees it, and can change nothing there: the id of a person, or `operator`. */
export type Viewer = string

/** A signed-in person. `role` is the one in the program that the request names. */
export type PersonActor = {
  kind: 'person'
  id: string
  name: string
  isOperator: boolean
  role: MemberRole | null
  /** The application that acts as the person, in one program. It changes nothing, but it can be allowed to propose. */
  app?: { id: string; canPropose: boolean } | undefined
}

/** Whether the actor may do everything in the installation: the operator token, or an operator. */
export const isOperator = (actor: Actor): boolean =>
  actor.kind === 'operator' || (actor.kind === 'person' && actor.isOperator)

/** The context of every service function. `now` is the only clock; for a program's data it is the program's clock. */
export type Ctx = {
  db: AppDb
  now: () => Date
  log: Logger
  actor: Actor
  requestId: string
  /** Aborted when the client has gone, or when the deadline is over. Without it, work continues to its end. */
  signal?: AbortSignal | undefined
  /** The mark of the installation in new keys, if it is one of several. */
  cell?: string | undefined
  /** Whether nothing is recorded as an event: for imports. */
  isSilent?: boolean
}

/** The context of functions that manage programs: all of them, or only one. */
export type ManagementCtx = Ctx & { onlyProgramId?: string }

/** The context of functions on one program's data. They read and write nothing outside `program`. */
export type ProgramCtx = Ctx & { program: Program }
