import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Transaction as EngineTransaction, PGlite } from '@electric-sql/pglite'
import type {
  IsolationLevel,
  SqlDriverAdapter,
  SqlMigrationAwareDriverAdapterFactory,
  SqlQuery,
  Transaction,
} from '@prisma/driver-adapter-utils'
import { PrismaPGlite } from 'pglite-prisma-adapter'

/**
 * Prisma over PGlite. The conversion of values is pglite-prisma-adapter's; scripts and transactions are ours, because
 * there a commit that fails is reported as done, a script is not waited for, and the isolation level is set before BEGIN.
 *
 * One connection serves all: PGlite gives it to one transaction or to one statement outside of any at a time, in the
 * order they came. A statement outside a transaction therefore waits for it and never runs inside it.
 */
export function createEmbeddedAdapter(
  pglite: PGlite,
  createShadow?: () => Promise<PGlite>,
): SqlMigrationAwareDriverAdapterFactory {
  return {
    provider: 'postgres',
    adapterName: 'tributary-embedded',
    connect: () => connect(pglite, async () => {}),
    connectToShadowDb: async () => {
      if (!createShadow) throw new Error('no shadow database was given')
      const shadow = await createShadow()
      const adapter = await connect(shadow, () => shadow.close())
      return { ...adapter, executeRaw: (query) => executeScriptOrQuery(shadow, adapter, query) }
    },
  }
}

const longestTurnMs = 1
let turnStartedAt = performance.now()

/** PGlite never waits for the system, so a queue of queries would keep timers and sockets waiting until it is empty. */
async function takeTurn(): Promise<void> {
  if (performance.now() - turnStartedAt < longestTurnMs) return
  await nextTurn()
  turnStartedAt = performance.now()
}

async function connect(pglite: PGlite, dispose: () => Promise<void>): Promise<SqlDriverAdapter> {
  const values = await new PrismaPGlite(pglite).connect()
  return {
    provider: 'postgres',
    adapterName: 'tributary-embedded',
    queryRaw: (query) => takeTurn().then(() => values.queryRaw(query)),
    executeRaw: (query) => takeTurn().then(() => values.executeRaw(query)),
    executeScript: async (script) => {
      await pglite.exec(script)
    },
    getConnectionInfo: () => ({ supportsRelationJoins: true }),
    startTransaction: (isolationLevel) => takeTurn().then(() => startTransaction(pglite, isolationLevel)),
    dispose,
  }
}

/** On a shadow database the migration engine runs whole migrations as queries without parameters. */
async function executeScriptOrQuery(pglite: PGlite, adapter: SqlDriverAdapter, query: SqlQuery): Promise<number> {
  if (query.args.length > 0) return await adapter.executeRaw(query)
  await pglite.exec(query.sql)
  return 0
}

/** Resolves once the transaction has the connection; PGlite then keeps it until commit() or rollback(). */
function startTransaction(pglite: PGlite, isolationLevel?: IsolationLevel): Promise<Transaction> {
  return new Promise((start, failToStart) => {
    const finished = pglite.transaction(async (engine) => {
      if (isolationLevel) await engine.exec(`SET TRANSACTION ISOLATION LEVEL ${isolationLevel}`)
      const ended = new Promise<void>((commit, abandon) => {
        openTransaction(engine, commit, abandon, () => finished).then(start, abandon)
      })
      await ended
    })
    finished.catch(failToStart)
  })
}

async function openTransaction(
  engine: EngineTransaction,
  commit: () => void,
  abandon: (error: unknown) => void,
  finished: () => Promise<void>,
): Promise<Transaction> {
  // The adapter's conversion asks its client for query() alone, which a transaction of PGlite has too.
  const values = await new PrismaPGlite(engine as unknown as PGlite).connect()
  return {
    provider: 'postgres',
    adapterName: 'tributary-embedded',
    options: { usePhantomQuery: true },
    queryRaw: (query) => values.queryRaw(query),
    executeRaw: (query) => values.executeRaw(query),
    commit: async () => {
      commit()
      await finished()
    },
    rollback: async () => {
      await engine.rollback().then(commit, abandon)
      await finished()
    },
    createSavepoint: async (name) => void (await engine.exec(`SAVEPOINT ${name}`)),
    rollbackToSavepoint: async (name) => void (await engine.exec(`ROLLBACK TO SAVEPOINT ${name}`)),
    releaseSavepoint: async (name) => void (await engine.exec(`RELEASE SAVEPOINT ${name}`)),
  }
}
