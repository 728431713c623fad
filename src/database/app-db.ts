import pLimit from 'p-limit'
import { Prisma, type PrismaClient } from '../generated/prisma/client.ts'
import type { AppDb, DbWithin, Reads, SqlDatabase, SqlTransaction } from '../kernel/db.ts'
import type { Deadline } from '../kernel/deadline.ts'
import { giveWay, nextOwnTurn } from '../kernel/slices.ts'
import { isUnavailable } from './client/errors.ts'
import { enterProgram, enterProgramText, leaveProgram } from './client/row-security.ts'
import { sqlWithin, statement } from './client/sql.ts'
import { limits } from './client/timeouts.ts'
import { readsWithin } from './reader/reader.ts'

type Run<T> = (tx: Prisma.TransactionClient) => Promise<T>
type Options = NonNullable<Parameters<PrismaClient['$transaction']>[1]>
type Transaction = <T>(run: Run<T>, options?: Options) => Promise<T>
type Call = (...args: unknown[]) => Promise<unknown>

type Parts = {
  prisma: PrismaClient
  sql: SqlDatabase
  reads: Reads
  /** Begins a transaction, or a savepoint. */
  begin: Transaction
  deadline: Deadline | undefined
  /** Null without row-level security, too. */
  program: { id: string; role: string } | null
  /** The client of the process. Undefined for that one. */
  base: AppDb | undefined
  isWithin: boolean
}

/** The client of the process. @param base the client of the database that this one is a replica of */
export const createAppDb = (prisma: PrismaClient, sql: SqlDatabase, reads: Reads, base?: AppDb): AppDb => {
  const begin: Transaction = (run, options) => prisma.$transaction(run, options)
  return createClient({ prisma, sql, reads, begin, base, deadline: undefined, program: null, isWithin: false })
}

const models: ReadonlySet<string | symbol> = new Set(
  Object.keys(Prisma.ModelName).map((name) => name.charAt(0).toLowerCase() + name.slice(1)),
)

/** The only proxy over Prisma's client: it has what is its own, and all else is Prisma's. */
function createClient(parts: Parts): AppDb {
  const { prisma, sql, reads, deadline, program, isWithin } = parts
  const own: Record<string | symbol, unknown> = { sql: sqlOf(parts), reads, deadline, isWithin }
  const transaction = transactionOf(parts)
  if (deadline || program || isWithin) Object.assign(own, { $transaction: transaction }, rawMethodsOf(parts))
  const client = new Proxy(prisma, {
    get(_, name) {
      if (program && models.has(name)) own[name] ??= writingIn(transaction, name, Reflect.get(prisma, name))
      return own[name] ?? Reflect.get(prisma, name)
    },
  }) as AppDb
  const { base = client } = parts
  const programs = new Map<string, AppDb>()
  own.base = base
  own.until = (deadline: Deadline) => createClient({ ...parts, base, deadline })
  own.ofProgram = (id: string) => {
    if (sql.programRole === null) return client
    const known = programs.get(id) ?? createClient({ ...parts, base, program: { id, role: sql.programRole } })
    programs.set(id, known)
    return known
  }
  own.within = (tx: Prisma.TransactionClient) => clientWithin(tx, sql, base)
  return client
}

async function inTime<T>(deadline: Deadline | undefined, run: () => Promise<T>): Promise<T> {
  if (deadline?.isOver) throw deadline.error()
  try {
    return await run()
  } catch (error) {
    throw deadline?.isOver && isUnavailable(error) ? deadline.error() : error
  }
}

/** Fails if the deadline is over at its end, so that the transaction is rolled back. */
const endingInTime =
  <Tx, T>(deadline: Deadline | undefined, run: (tx: Tx) => Promise<T>) =>
  async (tx: Tx): Promise<T> => {
    const result = await run(tx)
    if (deadline?.isOver) throw deadline.error()
    return result
  }

function transactionOf({ begin, deadline, program, isWithin }: Parts): Transaction {
  const asProgram = <T>(run: Run<T>): Run<T> =>
    program
      ? async (tx) => {
          await tx.$executeRawUnsafe(enterProgramText(program))
          const result = await run(tx)
          // What follows in the same transaction can be of another program.
          if (isWithin) await tx.$executeRawUnsafe(leaveProgram)
          return result
        }
      : run
  return (run, options = {}) => {
    const { timeout = limits.transactionMs } = options
    const limited = deadline ? { ...options, timeout: Math.min(timeout, deadline.leftMs()) } : options
    return inTime(deadline, () => begin(endingInTime(deadline, asProgram(run)), limited))
  }
}

/** How many raw statements of one operation run at once, so that reports leave connections to others. */
const rawAtOnce = 4

/** An operation with more raw statements gives way before each of the others. */
const rawWithoutPause = 3

function rawMethodsOf(parts: Parts): Record<string, Call> {
  const { prisma, sql, deadline, program } = parts
  const call = (db: Prisma.TransactionClient, name: string, args: unknown[]) =>
    (Reflect.get(db, name) as Call).apply(db, args)
  const within = (parts: Parts, name: string, args: unknown[]) => transactionOf(parts)((tx) => call(tx, name, args))
  let limit: ReturnType<typeof pLimit> | undefined
  let begun = 0
  const limited = (name: string, args: unknown[]) => {
    limit ??= pLimit(sql.isInThread ? 1 : rawAtOnce)
    return limit(async () => {
      begun += 1
      if (begun > rawWithoutPause) await giveWay()
      try {
        // Only a statement of a transaction can be cancelled.
        if (sql.canCancel) return await within({ ...parts, program: null }, name, args)
        return await inTime(deadline, () => call(prisma, name, args))
      } finally {
        // What is made of each result is made in a turn of the event loop of its own.
        await nextOwnTurn()
      }
    })
  }
  const read = (name: string, args: unknown[]) => (deadline ? limited(name, args) : call(prisma, name, args))
  const write = (name: string, args: unknown[]) => (program ? within(parts, name, args) : read(name, args))
  return {
    $queryRaw: (...args) => read('$queryRaw', args),
    $queryRawUnsafe: (...args) => read('$queryRawUnsafe', args),
    $executeRaw: (...args) => write('$executeRaw', args),
    $executeRawUnsafe: (...args) => write('$executeRawUnsafe', args),
  }
}

const writes = /^(create|update|upsert|delete)/

const writingIn = (transaction: Transaction, model: string | symbol, delegate: object): object =>
  new Proxy(delegate, {
    get(target, method) {
      const value = Reflect.get(target, method)
      if (typeof method !== 'string' || !writes.test(method)) return value
      return (...args: unknown[]) =>
        transaction((tx) => (Reflect.get(tx, model) as Record<string, Call>)[method]?.(...args) as Promise<unknown>)
    },
  })

function sqlOf({ sql, deadline, program }: Parts): SqlDatabase {
  if (!deadline) return program ? { ...sql, transaction: (run, end) => sql.transaction(run, end, program.id) } : sql
  const limited = (run: (tx: SqlTransaction) => Promise<never>) =>
    endingInTime(deadline, (tx: SqlTransaction) =>
      run({
        query: (...args) => inTime(deadline, () => tx.query(...args)),
        textRows: (...args) => inTime(deadline, () => tx.textRows(...args)),
        defer: (...args) => inTime(deadline, () => tx.defer(...args)),
      }),
    )
  return {
    ...sql,
    query: (statement, values) => inTime(deadline, () => sql.query(statement, values, deadline)),
    textRows: (statement, values) => inTime(deadline, () => sql.textRows(statement, values, deadline)),
    transaction: (run) => inTime(deadline, () => sql.transaction(limited(run as never), deadline, program?.id)),
  }
}

const enter = statement(enterProgram)
const leave = statement(leaveProgram)

function clientWithin(tx: Prisma.TransactionClient, { programRole, isInThread }: SqlDatabase, base: AppDb): DbWithin {
  let hasWritten = false
  let last: Promise<unknown> = Promise.resolve()
  // Savepoints of one connection cannot overlap.
  const begin: Transaction = (run) => {
    const result = last.then(() => tx.$transaction(run))
    last = result.then(
      () => {
        hasWritten = true
      },
      () => {},
    )
    return result
  }
  const own = sqlWithin(tx)
  const sql: SqlDatabase = {
    ...own,
    sharedTextRows: own.textRows,
    transaction: (run, _end, programId) =>
      begin(async (inner) => {
        const within = sqlWithin(inner)
        if (!programRole || !programId) return await run(within)
        await within.query(enter, [programRole, programId])
        const result = await run(within)
        await within.query(leave)
        return result
      }),
    canCancel: false,
    isInThread,
    programRole,
  }
  const prisma = tx as PrismaClient
  const reads = readsWithin(tx)
  const db = createClient({ prisma, sql, reads, begin, base, deadline: undefined, program: null, isWithin: true })
  return { db, hasWritten: () => hasWritten }
}
