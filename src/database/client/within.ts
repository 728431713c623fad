import type { Prisma, PrismaClient } from '../../generated/prisma/client.ts'
import { enterProgram, leaveProgram } from './row-security.ts'
import { baseOf, registerSql, type SqlTransaction, sqlOf, sqlWithin, statement } from './sql.ts'

type Run<T> = (tx: Prisma.TransactionClient) => Promise<T>

export type ClientWithin = {
  db: PrismaClient
  /** Whether one of its transactions has ended without an error. */
  hasWritten(): boolean
}

/**
 * A client for code that opens transactions of its own, inside of one transaction. Its transactions are savepoints: an
 * error undoes only its own. Options such as a timeout do not apply. Not to be used after the transaction.
 * @param outer the client whose transaction `tx` is
 */
export function clientWithin(tx: Prisma.TransactionClient, outer: PrismaClient): ClientWithin {
  const { programRole, isInThread } = sqlOf(outer)
  let hasWritten = false
  let last: Promise<unknown> = Promise.resolve()
  // Savepoints of one connection cannot overlap.
  const transaction = <T>(run: Run<T>): Promise<T> => {
    const result = last.then(() => tx.$transaction(run))
    last = result.then(
      () => {
        hasWritten = true
      },
      () => {},
    )
    return result
  }
  const db = new Proxy(tx, {
    get(target, name) {
      if (name === '$transaction') return transaction
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  }) as PrismaClient
  const sql = sqlWithin(tx)
  registerSql(db, {
    ...sql,
    sharedTextRows: sql.textRows,
    transaction: (run, _end, programId) =>
      transaction((inner) => {
        const within = sqlWithin(inner)
        return programRole && programId ? runEntered(within, [programRole, programId], run) : run(within)
      }),
    canCancel: false,
    isInThread,
    programRole,
    isWithin: true,
  })
  outers.set(db, outer)
  return { db, hasWritten: () => hasWritten }
}

const enter = statement(enterProgram)
const leave = statement(leaveProgram)

async function runEntered<T>(
  sql: SqlTransaction,
  program: readonly [role: string, id: string],
  run: (tx: SqlTransaction) => Promise<T>,
): Promise<T> {
  await sql.query(enter, program)
  const result = await run(sql)
  // What follows in the same transaction can be of another program.
  await sql.query(leave)
  return result
}

const outers = new WeakMap<object, PrismaClient>()

/** The client of the process, for what follows the request, and whether what the request writes is committed later. */
export function clientAfter(db: PrismaClient): { db: PrismaClient; isUncommitted: boolean } {
  const outer = outers.get(db)
  return { db: baseOf(outer ?? db), isUncommitted: outer !== undefined }
}
