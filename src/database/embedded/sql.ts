import type { PGlite } from '@electric-sql/pglite'
import type { Sql, SqlDatabase, SqlTransaction } from '../../kernel/db.ts'
import { runAlone } from '../seams/pglite.ts'
import { inQueue } from './adapter.ts'
import { createGroupCommit, type GroupCommit } from './group-commit.ts'
import { createEmbeddedStatements } from './statements.ts'

/** SQL on the embedded database. Statements outside a transaction wait until the transaction has ended. */
export function createEmbeddedSql(pglite: PGlite): SqlDatabase & Pick<GroupCommit, 'whenDurable'> {
  const statements = createEmbeddedStatements(pglite)
  const sql: Sql = { query: statements.run }
  // There are no round trips to save.
  const transaction: SqlTransaction = {
    ...sql,
    textRows: statements.textRows,
    defer: async (...args) => void (await statements.textRows(...args)),
  }
  const groupCommit = createGroupCommit(pglite, statements)
  const alone = <T>(run: () => Promise<T>): Promise<T> => inQueue(pglite, () => runAlone(pglite, run))
  return {
    query: (statement, values) => alone(() => sql.query(statement, values)),
    textRows: (...args) => alone(() => statements.textRows(...args)),
    sharedTextRows: (...args) => alone(() => statements.textRows(...args)),
    transaction: (run) => groupCommit.run(() => run(transaction)),
    canCancel: false,
    isInThread: true,
    programRole: null,
    whenDurable: groupCommit.whenDurable,
  }
}
