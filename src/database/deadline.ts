import type { Prisma, PrismaClient } from '../generated/prisma/client.ts'
import { isUnavailable } from './errors.ts'
import { registerSql, type SqlDatabase, type SqlTransaction, sqlOf } from './sql.ts'
import { limits } from './timeouts.ts'

/** An operation has taken longer than it may. What it had not committed is rolled back. */
export class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded'
  constructor(readonly seconds: number) {
    super(`the operation took longer than ${seconds} seconds`)
  }
}

/** The time at which an operation has to end. */
export type Deadline = {
  readonly isOver: boolean
  /** At least 1. */
  leftMs(): number
  error(): DeadlineExceeded
  /** Calls back once it is over. Returns a function that takes this back. */
  onOver(callback: () => void): () => void
  /** Moves it, so that at least this time is left. */
  extend(ms: number): void
}

export function createDeadline(ms: number): Deadline {
  const startedAt = performance.now()
  let allowedMs = ms
  const leftMs = () => startedAt + allowedMs - performance.now()
  return {
    get isOver() {
      return leftMs() <= 0
    },
    leftMs: () => Math.max(1, Math.ceil(leftMs())),
    error: () => new DeadlineExceeded(Math.round(allowedMs / 1000)),
    onOver(callback) {
      let timer: NodeJS.Timeout
      const wait = () => {
        // It may have been moved meanwhile, and a timer may be early by a part of a millisecond.
        timer = setTimeout(() => (leftMs() <= 0 ? callback() : wait()), Math.max(1, Math.ceil(leftMs())))
      }
      wait()
      return () => clearTimeout(timer)
    },
    extend(atLeastMs) {
      allowedMs = Math.max(allowedMs, performance.now() - startedAt + atLeastMs)
    },
  }
}

const deadlines = new WeakMap<object, Deadline>()

/** Gives an operation at least this much more time. For operators' work on all data, whose parts have times of their own. */
export const allowLonger = (db: PrismaClient, ms: number): void => deadlines.get(db)?.extend(ms)

/** A client of another database that ends when this one does. */
export function clientLike(client: PrismaClient, other: PrismaClient): PrismaClient {
  const deadline = deadlines.get(client)
  return deadline ? clientUntil(other, deadline) : other
}

const rawMethods = ['$queryRaw', '$queryRawUnsafe', '$executeRaw', '$executeRawUnsafe'] as const
type Raw = (...args: unknown[]) => Promise<unknown>
type Run<T> = (tx: Prisma.TransactionClient) => Promise<T>
type Options = NonNullable<Parameters<PrismaClient['$transaction']>[1]>

/**
 * A client for one operation. When the deadline is over, its transactions are rolled back, their running statement is
 * cancelled on PostgreSQL, and no other begins. So are statements of its own; raw ones of Prisma run in transactions for it.
 * Reads of models, which are short, end by the statement timeout.
 */
export function clientUntil(db: PrismaClient, deadline: Deadline): PrismaClient {
  const sql = sqlOf(db)
  const inTime = async <T>(run: () => Promise<T>): Promise<T> => {
    if (deadline.isOver) throw deadline.error()
    try {
      return await run()
    } catch (error) {
      throw deadline.isOver && isUnavailable(error) ? deadline.error() : error
    }
  }
  /** Nothing is committed too late. */
  const checked =
    <Tx, T>(run: (tx: Tx) => Promise<T>) =>
    async (tx: Tx): Promise<T> => {
      const result = await run(tx)
      if (deadline.isOver) throw deadline.error()
      return result
    }
  const transaction = <T>(run: Run<T>, options: Options = {}): Promise<T> => {
    const { timeout = limits.transactionMs } = options
    return inTime(() => db.$transaction(checked(run), { ...options, timeout: Math.min(timeout, deadline.leftMs()) }))
  }
  const raw = (name: (typeof rawMethods)[number]): Raw =>
    sql.canCancel
      ? (...args) => transaction((tx) => (tx[name] as Raw)(...args))
      : (...args) => inTime(() => (db[name] as Raw)(...args))
  const own: Record<string | symbol, unknown> = { $transaction: transaction }
  for (const name of rawMethods) own[name] = raw(name)
  const client = new Proxy(db, {
    get: (target, name) => own[name] ?? Reflect.get(target, name),
  })
  const limited: SqlDatabase = {
    ...sql,
    query: (statement, values) => inTime(() => sql.query(statement, values, deadline)),
    textRows: (statement, values) => inTime(() => sql.textRows(statement, values, deadline)),
    transaction: (run, _end, programId) => inTime(() => sql.transaction(withChecks(run), deadline, programId)),
  }
  registerSql(client, limited, db)
  deadlines.set(client, deadline)
  return client

  function withChecks<T>(run: (tx: SqlTransaction) => Promise<T>): (tx: SqlTransaction) => Promise<T> {
    return checked((tx: SqlTransaction) =>
      run({
        query: (...args) => inTime(() => tx.query(...args)),
        textRows: (...args) => inTime(() => tx.textRows(...args)),
        defer: (...args) => inTime(() => tx.defer(...args)),
      }),
    )
  }
}
