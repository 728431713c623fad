import { createHash } from 'node:crypto'
import type { Prisma, PrismaClient } from '../../generated/prisma/client.ts'
import type { Deadline } from './deadline.ts'

/**
 * A statement with a name, which PostgreSQL parses and plans once for each connection. On both databases, 64-bit
 * integers in `Row` are text, times are Date, and JSON is parsed.
 */
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

/** Runs statements: of a database, or of one transaction. */
export type Sql = {
  query<Row>(statement: Statement<Row>, values?: readonly unknown[]): Promise<Row[]>
}

export type SqlTransaction = Sql & {
  /**
   * Runs a statement without needed rows, in one round trip with the next `textRows` or the commit, which fails if it
   * fails.
   */
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
  /** Whether a running statement can be cancelled. */
  canCancel: boolean
  /** Whether statements run in this thread, on one connection: nothing else happens meanwhile. */
  isInThread: boolean
  /** The role that sees one program only; null without row-level security. */
  programRole: string | null
  /** Whether everything is part of one transaction: see within.ts. */
  isWithin?: boolean
}

/** Declares a statement. Its name follows from its text, so equal texts are one statement. */
export const statement = <Row>(text: string): Statement<Row> => ({
  name: `s${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`,
  text,
})

/** Declares a statement for which the generic plan is good enough. */
export const plannedOnce = <Row>(text: string): Statement<Row> => ({ ...statement<Row>(text), isPlannedOnce: true })

const connections = new WeakMap<PrismaClient, SqlDatabase>()

/**
 * Makes the database of a Prisma client reachable by SQL.
 * @param base the client that it is made of, if it is for one operation only
 */
export function registerSql(db: PrismaClient, sql: SqlDatabase, base?: PrismaClient): void {
  connections.set(db, sql)
  if (base) bases.set(db, baseOf(base))
}

const bases = new WeakMap<object, PrismaClient>()

/** The client of the process that a client is made of: for what is kept by database. */
export const baseOf = <T extends object>(db: T): T | PrismaClient => bases.get(db) ?? db

/** The database of a Prisma client, for what Prisma is too slow for. The client must not be a transaction. */
export function sqlOf(db: PrismaClient): SqlDatabase {
  const sql = connections.get(db)
  if (!sql) throw new Error('This Prisma client has no SQL connection. A transaction has none.')
  return sql
}

/** Runs statements in a transaction of Prisma. Unlike on other connections, 64-bit integers in rows are bigint. */
export function sqlWithin(tx: Prisma.TransactionClient): SqlTransaction {
  const query = <Row>({ text }: Statement<Row>, values: readonly unknown[] = []) =>
    tx.$queryRawUnsafe<Row[]>(text, ...values)
  return {
    query,
    defer: async (statement, values) => void (await query(statement, values)),
    textRows: async (statement, values) =>
      (await query(statement, values)).map((row) => Object.values(row as object).map(textOf)),
  }
}

const textOf = (value: unknown): string | null => {
  if (value === null || typeof value === 'string') return value
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
