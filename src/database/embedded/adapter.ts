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
 * Prisma's driver adapter for PGlite. pglite-prisma-adapter converts values. Scripts and transactions are here, because
 * that adapter reports a failed commit as successful, does not wait for a script, and sets the isolation level before
 * BEGIN. PGlite gives its one connection to one transaction or single statement at a time, in order of arrival.
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
      if (!createShadow) throw new Error('no shadow database is configured')
      const shadow = await createShadow()
      const adapter = await connect(shadow, () => shadow.close())
      return { ...adapter, executeRaw: (query) => executeScriptOrQuery(shadow, adapter, query) }
    },
  }
}

export async function connectValues(engine: Pick<PGlite, 'query'>): Promise<SqlDriverAdapter> {
  // The type asks for a PGlite, but queries call only query(), which a transaction has too.
  return await new PrismaPGlite(engine as PGlite).connect()
}

const longestTurnMs = 1
let turnStartedAt = performance.now()

/** PGlite runs in this thread, so without pauses a queue of queries would starve timers and sockets. */
export async function takeTurn(): Promise<void> {
  if (performance.now() - turnStartedAt < longestTurnMs) return
  await nextTurn()
  turnStartedAt = performance.now()
}

const queues = new WeakMap<object, Promise<unknown>>()

/** Runs what takes the connection, in order of arrival. Between two, the process handles other things. */
export function inQueue<T>(pglite: object, run: () => Promise<T>): Promise<T> {
  const before = queues.get(pglite) ?? Promise.resolve()
  const result = before.then(takeTurn).then(run)
  const ended = () => {}
  queues.set(pglite, result.then(ended, ended))
  return result
}

async function connect(pglite: PGlite, dispose: () => Promise<void>): Promise<SqlDriverAdapter> {
  const values = await connectValues(pglite)
  return {
    provider: 'postgres',
    adapterName: 'tributary-embedded',
    queryRaw: (query) => inQueue(pglite, () => values.queryRaw(query)),
    executeRaw: (query) => inQueue(pglite, () => values.executeRaw(query)),
    executeScript: async (script) => {
      await pglite.exec(script)
    },
    getConnectionInfo: () => ({ supportsRelationJoins: true }),
    startTransaction: (isolationLevel) => inQueue(pglite, () => startTransaction(pglite, isolationLevel)),
    dispose,
  }
}

/** On a shadow database, the migration engine sends whole migrations as queries without parameters. */
async function executeScriptOrQuery(pglite: PGlite, adapter: SqlDriverAdapter, query: SqlQuery): Promise<number> {
  if (query.args.length > 0) return await adapter.executeRaw(query)
  await pglite.exec(query.sql)
  return 0
}

/** Resolves when the transaction has the connection; it keeps it until commit() or rollback(). */
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
  const values = await connectValues(engine)
  return {
    provider: 'postgres',
    adapterName: 'tributary-embedded',
    options: { usePhantomQuery: true },
    queryRaw: (query) => takeTurn().then(() => values.queryRaw(query)),
    executeRaw: (query) => takeTurn().then(() => values.executeRaw(query)),
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
