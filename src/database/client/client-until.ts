import pLimit from 'p-limit'
import type { Prisma, PrismaClient } from '../../generated/prisma/client.ts'
import { giveWay, nextOwnTurn } from '../../kernel/slices.ts'
import type { Deadline } from './deadline.ts'
import { isUnavailable } from './errors.ts'
import { registerSql, type SqlDatabase, type SqlTransaction, sqlOf } from './sql.ts'
import { limits } from './timeouts.ts'

const deadlines = new WeakMap<object, Deadline>()

/** Gives an operation at least this much more time. For operators' work on all data, whose parts have times of their own. */
export const allowLonger = (db: PrismaClient, ms: number): void => deadlines.get(db)?.extend(ms)

/** A client of another database that ends when this one does. */
export function clientLike(client: PrismaClient, other: PrismaClient): PrismaClient {
  const deadline = deadlines.get(client)
  return deadline ? clientUntil(other, deadline) : other
}

/** How many raw statements of one operation run at the same time: its reports do not take all connections of the pool. */
const rawAtOnce = 4

/** An operation with more raw statements gives way before each of the others. */
const rawWithoutPause = 3

const rawMethods = ['$queryRaw', '$queryRawUnsafe', '$executeRaw', '$executeRawUnsafe'] as const
type Raw = (...args: unknown[]) => Promise<unknown>
type Run<T> = (tx: Prisma.TransactionClient) => Promise<T>
type Options = NonNullable<Parameters<PrismaClient['$transaction']>[1]>

/**
 * A client for one operation. After the deadline, its transactions are rolled back, running statements are cancelled on
 * PostgreSQL, and no other begins. Short reads of models end by the statement timeout.
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
  const limit = pLimit(sql.isInThread ? 1 : rawAtOnce)
  let begun = 0
  const raw =
    (name: (typeof rawMethods)[number]): Raw =>
    (...args) =>
      limit(async () => {
        begun += 1
        if (begun > rawWithoutPause) await giveWay()
        try {
          return await (sql.canCancel
            ? transaction((tx) => (tx[name] as Raw)(...args))
            : inTime(() => (db[name] as Raw)(...args)))
        } finally {
          // What is made of each result is made in a turn of the event loop of its own.
          await nextOwnTurn()
        }
      })
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
