import type { Prisma, PrismaClient } from '../generated/prisma/client.ts'
import type { Deadline } from './deadline.ts'

/** Prisma's client, and what it lacks. It can be limited to a deadline, and its writes to a program. */
export type AppDb = PrismaClient & {
  /** Prepared statements, for what Prisma is too slow for. */
  readonly sql: SqlDatabase
  /** Reads that Prisma's models lack. */
  readonly reads: Reads
  /** When the operation must have ended. Operators' work on all data, whose parts have times of their own, moves it. */
  readonly deadline: Deadline | undefined
  /** The client of the process: for what is kept by database, and for what follows the request. */
  readonly base: AppDb
  /** Whether everything is part of one transaction, so that it is committed later. */
  readonly isWithin: boolean
  /**
   * The client of one operation. After the deadline, its transactions are rolled back, running statements are cancelled
   * on PostgreSQL, and no other begins. Short reads of models end by the statement timeout.
   */
  until(deadline: Deadline): AppDb
  /**
   * The client for the data of one program. With row-level security, its transactions run as the role that sees only
   * this program. Reads outside of transactions do not: see bench/notes/sales-and-events.md.
   * @param programId a UUID
   */
  ofProgram(programId: string): AppDb
  /**
   * A client for code that opens transactions of its own, inside of one transaction of this client. Its transactions
   * are savepoints: an error undoes only its own. Options such as a timeout do not apply. Not to be used after the
   * transaction.
   */
  within(tx: Prisma.TransactionClient): DbWithin
}

export type DbWithin = {
  db: AppDb
  /** Whether one of its transactions has ended without an error. */
  hasWritten(): boolean
}

/**
 * Runs a read: with a replica in `context.db` that has replayed every commit from before the read, else on the primary.
 * So an answer is never older than a write that was acknowledged before the request. If the replica fails, the read
 * runs again on the primary.
 * @param run only reads, and can run twice
 * @param isGood whether a result can be used; if not, the read runs again on the primary
 */
export type ReadFrom = <C extends { db: AppDb }, T>(
  context: C,
  run: (context: C) => Promise<T>,
  isGood?: (result: T) => boolean,
) => Promise<T>

/** The Prisma client or a transaction of it, for functions that can run in either. */
export type Db = PrismaClient | Prisma.TransactionClient

/** A statement that each connection plans once. 64-bit integers in `Row` are text, times are Date. */
export type Statement<Row> = {
  name: string
  text: string
  /** Uses the generic plan. Otherwise PostgreSQL may plan each time, which can take longer than executing. */
  isPlannedOnce?: boolean
  /** How long it may take on PostgreSQL, where `statement_timeout` was raised for it. Others: see timeouts.ts. */
  patienceMs?: number
  row?: Row
}

export type TextRow = (string | null)[]

export type Sql = {
  query<Row>(statement: Statement<Row>, values?: readonly unknown[]): Promise<Row[]>
}

export type SqlTransaction = Sql & {
  /** Runs a statement whose rows are not needed, in one round trip with the next `textRows` or the commit. */
  defer(statement: Statement<unknown>, values?: readonly unknown[]): Promise<void>
  /** As `query`, but a row is an array of the text that PostgreSQL sends for each column. */
  textRows(statement: Statement<unknown>, values?: readonly unknown[]): Promise<TextRow[]>
}

/** When a running statement is to be cancelled, where that is possible. */
type End = Pick<Deadline, 'onOver'>

export type SqlDatabase = {
  query<Row>(statement: Statement<Row>, values?: readonly unknown[], end?: End): Promise<Row[]>
  /** As `query`, but a row is an array of the text that PostgreSQL sends for each column. */
  textRows(statement: Statement<unknown>, values?: readonly unknown[], end?: End): Promise<TextRow[]>
  /**
   * As `textRows`, for a short statement. On PostgreSQL, it shares a round trip with others of this turn of the event
   * loop, and equal ones run once. Other callers may get the same rows, so they must not be changed.
   */
  sharedTextRows(statement: Statement<unknown>, values?: readonly unknown[]): Promise<TextRow[]>
  /**
   * Runs `run` in one transaction (read committed) and returns after the commit; an error rolls it back. No retry.
   * @param programId the only program that it sees, with row-level security
   */
  transaction<T>(run: (tx: SqlTransaction) => Promise<T>, end?: End, programId?: string): Promise<T>
  canCancel: boolean
  /** Whether statements run in this thread, on one connection: nothing else happens meanwhile. */
  isInThread: boolean
  /** The role that sees one program only; null without row-level security. */
  programRole: string | null
}

/** A model by its name in Prisma's client. */
export type ModelKey = Uncapitalize<Prisma.ModelName>

export type Reads = {
  /** The rows of `findMany`, and the number that `count` returns, in one statement. */
  counted<Row>(model: ModelKey, query: object, count: Prisma.Sql): Promise<{ rows: Row[]; count: number }>
  /** The rows of `findMany` (`t1`) as one text, made by `column`. Undefined if `findMany` has to read them. */
  asText(
    model: ModelKey,
    query: object,
    column: Prisma.Sql,
  ): Promise<{ text: string; count: number; lastId: string | null } | undefined>
  /** As `findFirst` by a unique key, for rows that are read again and again: an unchanged row is the same object. */
  again<Row extends object>(model: ModelKey, query: object): Promise<Row | null>
  /** The columns of the one row of a short query of kept counts, as text. */
  row(query: Prisma.Sql): Promise<readonly unknown[]>
}
