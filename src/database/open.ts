import type { PGlite } from '@electric-sql/pglite'
import type { Logger } from 'pino'
import type { AppDb, ReadFrom } from '../kernel/db.ts'
import { type Mechanism, useMechanisms } from '../kernel/engine.ts'
import type { Spans } from './client/spans.ts'
import { connectDb } from './connect.ts'
import type { EmbeddedOptions } from './embedded/open.ts'
import { eventsChannel, type Listen } from './events.ts'
import { applyMigrations } from './migrations/migrate.ts'
import type { Replicas } from './postgres/replicas.ts'
import { checkPglite } from './seams/pglite.ts'

/** Replication takes a few milliseconds. A replica that needs longer is left out. */
export const defaultReplicaWaitMs = 100

export type Database = {
  db: AppDb
  kind: 'embedded' | 'postgres'
  /** Throws if the database does not respond or accepts no writes. */
  ping(): Promise<void>
  /** Writes a little that reaches the disk. Throws if a sale could not be written, for example on a full disk. */
  tryWrite(): Promise<void>
  /** The free space of the disk with the embedded database, in bytes. */
  freeBytes?: () => Promise<number>
  /** How many connections the pool has, and what waits for one. Only on PostgreSQL. */
  pool?: () => { total: number; idle: number; waiting: number }
  readFrom?: ReadFrom
  replicas?: Replicas['stats']
  /** Receives the events of committed transactions, including those of other instances. */
  listen: Listen
  /** Ends open transactions and connections, and shuts the embedded database down cleanly. */
  close(): Promise<void>
}

export type OpenOptions = {
  /** The URL of a PostgreSQL database; without it, the embedded database in dataDir is opened. */
  databaseUrl?: string
  /** The address of PostgreSQL itself, if databaseUrl is that of a pooler in transaction mode. */
  databaseDirectUrl?: string | undefined
  databaseReplicaUrls?: readonly string[]
  databaseReplicaWaitMs?: number
  dataDir: string
  poolSize?: number
  /** What this process uses from then on. Without it, everything. */
  engine?: readonly Mechanism[]
  log: Logger
  spans?: Spans | undefined
  /** Whether it is the target of a move that has not ended. Other callers must not open that. */
  isMoveTarget?: boolean
  /** Called when the embedded database aborted, for example because the disk is full. The process must be restarted. */
  onFailure?: EmbeddedOptions['onFailure']
}

/** Opens the database and applies pending migrations. @throws OperatorError if the operator has to act */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  if (options.engine) useMechanisms(options.engine)
  return options.databaseUrl ? await openPostgres(options, options.databaseUrl) : await openEmbeddedDatabase(options)
}

async function openEmbeddedDatabase({ dataDir, log, onFailure, spans }: OpenOptions): Promise<Database> {
  // The engines are imported on demand, because each costs memory and start-up time.
  const { openEmbedded } = await import('./embedded/open.ts')
  const { embeddedTarget } = await import('./migrations/targets.ts')
  const embedded = await openEmbedded({ dataDir, log, onFailure })
  try {
    await applyMigrations(embeddedTarget(embedded.pglite), { log })
    const { writeProbe } = await import('./embedded/write-probe.ts')
    const database = await connectEmbedded(embedded.pglite, embedded.close, spans)
    // The file first: without space for it, the log could be full too, which stops the engine.
    const tryWrite = () => writeProbe(dataDir).then(database.tryWrite)
    const { freeBytesOf } = await import('./embedded/disk-full.ts')
    return { ...database, tryWrite, freeBytes: () => freeBytesOf(dataDir) }
  } catch (error) {
    await embedded.close()
    throw error
  }
}

/** Prisma on an open PGlite with all migrations applied; tests pass one that is in memory. */
export async function connectEmbedded(
  pglite: PGlite,
  closeEngine: () => Promise<void>,
  spans?: Spans,
): Promise<Database> {
  const { createEmbeddedAdapter } = await import('./embedded/adapter.ts')
  const { createEmbeddedSql } = await import('./embedded/sql.ts')
  checkPglite(pglite)
  // PGlite reads the array types when it opens the database, before migrations create the types of a new one.
  await pglite.refreshArrayTypes()
  const sql = createEmbeddedSql(pglite)
  const listen: Listen = async (onMessage) => {
    const stop = await pglite.listen(eventsChannel, (message) => void sql.whenDurable().then(() => onMessage(message)))
    return () => stop()
  }
  return createDatabase('embedded', connectDb(createEmbeddedAdapter(pglite), sql, { spans }), closeEngine, listen)
}

async function openPostgres(
  { databaseDirectUrl, databaseReplicaUrls: urls = [], databaseReplicaWaitMs, ...options }: OpenOptions,
  databaseUrl: string,
): Promise<Database> {
  const { poolSize, log, isMoveTarget, spans } = options
  const { checkServer, createPool, pingServer, requireNoMove, tryWriteOn } = await import('./postgres/open.ts')
  const { createPostgresAdapter } = await import('./postgres/adapter.ts')
  const { createPostgresSql } = await import('./postgres/sql.ts')
  const { listenOnPostgres } = await import('./postgres/listen.ts')
  const { postgresTarget } = await import('./migrations/targets.ts')
  const { checkSession } = await import('./postgres/session.ts')
  const { prepareRowSecurity } = await import('./client/row-security.ts')
  const { checkPooler } = await import('./postgres/pooler.ts')
  const directUrl = databaseDirectUrl ?? databaseUrl
  const pooler = databaseDirectUrl ? await checkPooler({ databaseUrl, databaseDirectUrl, log }) : undefined
  const pool = createPool({ databaseUrl, poolSize, log, pooler })
  try {
    await checkServer(pool, databaseUrl)
    if (!pooler) await checkSession(pool)
    if (!isMoveTarget) await requireNoMove(pool, databaseUrl)
    await applyMigrations(postgresTarget(directUrl), { log })
    const rowSecurity = await prepareRowSecurity(pool, log)
    const listen = listenOnPostgres(directUrl, log)
    const sql = createPostgresSql(pool, log, 'role' in rowSecurity ? rowSecurity.role : null)
    const db = connectDb(createPostgresAdapter(pool, log), sql, { spans })
    const database = createDatabase('postgres', db, () => pool.end(), listen)
    const stats = () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount })
    const opened = { ...database, ping: () => pingServer(pool), tryWrite: () => tryWriteOn(pool), pool: stats }
    if (urls.length === 0) return opened
    const { openReplicas } = await import('./postgres/replicas.ts')
    const waitMs = databaseReplicaWaitMs ?? defaultReplicaWaitMs
    const replicas = openReplicas({ urls, waitMs, primary: db, poolSize, log, spans })
    const close = () => replicas.close().finally(database.close)
    return { ...opened, readFrom: replicas.readFrom, replicas: replicas.stats, close }
  } catch (error) {
    await pool.end()
    throw error
  }
}

function createDatabase(kind: Database['kind'], db: AppDb, closeEngine: () => Promise<void>, listen: Listen): Database {
  const listeners = new Set<() => Promise<void>>()
  let closing: Promise<void> | undefined
  return {
    db,
    kind,
    ping: async () => {
      await db.$queryRaw`SELECT 1`
    },
    tryWrite: async () => {
      await db.$queryRaw`SELECT pg_logical_emit_message(true, 'tributary', 'write probe')::text`
    },
    listen: async (onMessage) => {
      const stop = await listen(onMessage)
      listeners.add(stop)
      return async () => {
        if (listeners.delete(stop)) await stop()
      }
    },
    close: () => {
      const stops = [...listeners]
      listeners.clear()
      closing ??= Promise.allSettled(stops.map((stop) => stop()))
        .then(() => db.$disconnect())
        .finally(closeEngine)
      return closing
    },
  }
}
