import type { SqlDriverAdapter, SqlDriverAdapterFactory, SqlQuery, Transaction } from '@prisma/driver-adapter-utils'
import type { SqlDatabase, SqlTransaction, Statement } from '../../kernel/db.ts'
import { enterProgram, entersProgram } from './row-security.ts'

/** Makes the spans of a trace: see src/server/traces. */
export type Spans = {
  /** Runs a statement in a span, if it belongs to a request. The span has the text of the statement only. */
  statement<T>(text: string, run: () => Promise<T>): Promise<T>
  /** A function that belongs to the request of the caller, also when another request calls it. */
  bind<A extends unknown[], T>(run: (...args: A) => T): (...args: A) => T
}

type Read<T> = (statement: Statement<unknown>, values?: readonly unknown[], ...more: never[]) => Promise<T>

/** Statements with spans. Statements that share a round trip have a span each, which lasts until its rows are there. */
export function sqlWithSpans(sql: SqlDatabase, spans: Spans): SqlDatabase {
  const inSpan = <R extends Read<unknown>>(run: R): R =>
    ((statement, ...more) => spans.statement(statement.text, () => run(statement, ...more))) as R
  const transaction = (tx: SqlTransaction): SqlTransaction => ({
    query: inSpan(tx.query as Read<never>) as SqlTransaction['query'],
    textRows: inSpan(tx.textRows),
    defer: inSpan(tx.defer),
  })
  return {
    query: inSpan(sql.query as Read<never>) as SqlDatabase['query'],
    textRows: inSpan(sql.textRows),
    sharedTextRows: inSpan(sql.sharedTextRows),
    // A group of transactions runs in the turn of the first of them.
    transaction: (run, end, programId) =>
      spans.statement('TRANSACTION', () =>
        sql.transaction(
          spans.bind((tx) => run(transaction(tx))),
          end,
          programId,
        ),
      ),
    canCancel: sql.canCancel,
    isInThread: sql.isInThread,
    programRole: sql.programRole,
  }
}

export const adapterWithSpans = (factory: SqlDriverAdapterFactory, spans: Spans): SqlDriverAdapterFactory => ({
  provider: factory.provider,
  adapterName: factory.adapterName,
  connect: async () => {
    const adapter = withSpans(await factory.connect(), spans)
    const start = adapter.startTransaction.bind(adapter)
    adapter.startTransaction = async (level) => {
      const transaction = await spans.statement('BEGIN', () => start(level))
      return withSpans(transaction, spans)
    }
    return adapter
  },
})

function withSpans<A extends SqlDriverAdapter | Transaction>(adapter: A, spans: Spans): A {
  const { queryRaw, executeRaw } = adapter
  adapter.queryRaw = (query: SqlQuery) => spans.statement(query.sql, () => queryRaw.call(adapter, query))
  adapter.executeRaw = (query: SqlQuery) =>
    spans.statement(entersProgram(query.sql) ? enterProgram : query.sql, () => executeRaw.call(adapter, query))
  return adapter
}
