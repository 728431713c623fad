import type { Logger } from 'pino'
import type { Prisma, PrismaClient, Program } from '../generated/prisma/client.ts'
import type { ApiKeyAccess } from '../generated/prisma/enums.ts'

/** The Prisma client, or a transaction of it: verbs that only read or write rows take either. */
export type Db = PrismaClient | Prisma.TransactionClient

/**
 * Who asks. An affiliate, who holds a token, reads what is theirs and nothing else: src/schema/access.ts sees to it.
 * The service itself acts for a page that names a program by its publishable key.
 */
export type Actor =
  | { kind: 'operator' }
  | { kind: 'api_key'; id: string; access: ApiKeyAccess }
  | { kind: 'affiliate'; affiliateId: string }
  | { kind: 'system' }

/** What every verb is given. `now` is the only clock: the program's own where it is about a program's data. */
export type Ctx = {
  db: PrismaClient
  now: () => Date
  log: Logger
  actor: Actor
  requestId: string
}

/** What a verb about one program's data is given; nothing outside `program` can be reached with it. */
export type ProgramCtx = Ctx & { program: Program }
