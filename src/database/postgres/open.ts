import { userInfo } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import { commandLine } from '../../kernel/package-root.ts'
import { readOnlyError } from '../client/errors.ts'
import { limits } from '../client/timeouts.ts'
import { describeCause, OperatorError } from '../operator-error.ts'
import { checkPg } from '../seams/pg.ts'
import { markerSchema } from '../tables.ts'
import type { ConnectionConfig } from './client.ts'
import { describeHost, type Host, readHosts } from './hosts.ts'
import { explainPooler } from './session.ts'
import { createWatchedPool, type WatchedPool } from './watchdog.ts'

const oldestMajorVersion = 15
const defaultPoolSize = 10

const sessionSettings = [
  // Prisma's adapter sends and reads times without a time zone, so the session's time zone must be UTC.
  '-c TimeZone=UTC',
  '-c default_transaction_isolation=read\\ committed',
  // Compiling a statement takes longer than executing any statement of this service.
  '-c jit=off',
  // Starting workers takes 10 to 20 ms. They are worth it only for statements that read most of a large table.
  '-c parallel_setup_cost=20000',
]

/** A pooler in transaction mode: each transaction can have another session. */
export type Pooler = {
  /** Whether a connection finds its prepared statements in every session. PgBouncer does that from version 1.21 on. */
  keepsPrepared: boolean
}

export type PostgresOptions = {
  databaseUrl: string
  poolSize?: number | undefined
  log: Logger
  /** Set if connections go through a pooler in transaction mode. */
  pooler?: Pooler | undefined
  /** Called for each new connection before it is used; if it fails, the connection is closed. */
  onConnect?: (client: pg.ClientBase) => Promise<void>
}

/** A pool whose connections time out when the server is down or busy. */
export function createPool({ databaseUrl, poolSize, log, pooler, onConnect }: PostgresOptions): WatchedPool {
  const sessionTimeouts = {
    statement_timeout: limits.statementMs,
    lock_timeout: limits.lockMs,
    idle_in_transaction_session_timeout: limits.idleInTransactionMs,
  }
  const settings = {
    ...(pooler ? parsePoolerUrl(databaseUrl) : { ...parseDatabaseUrl(databaseUrl), ...sessionTimeouts }),
    max: poolSize ?? defaultPoolSize,
    connectionTimeoutMillis: limits.connectMs,
    query_timeout: limits.queryMs,
    keepAlive: true,
    application_name: 'tributary',
    ...(onConnect && { onConnect }),
  }
  checkPg()
  const pool = createWatchedPool(settings, { log, keepsPrepared: pooler?.keepsPrepared ?? true })
  // Without a listener, an idle connection that the server closes would end the process.
  pool.on('error', (error) => {
    // The pool attaches the client, with all that it has prepared and what cancels its statements.
    delete (error as { client?: unknown }).client
    log.warn({ err: error }, 'database connection lost')
  })
  return pool
}

/** The settings of a DATABASE_URL, and those of each session. For a DatabaseClient, which knows `hosts`. */
export function parseDatabaseUrl(databaseUrl: string): ConnectionConfig {
  const { url, hosts } = readDatabaseUrl(databaseUrl)
  url.searchParams.set('options', [url.searchParams.get('options') ?? '', ...sessionSettings].join(' ').trim())
  return withHosts(url, hosts)
}

/** The same for a pooler in transaction mode, which takes no settings of sessions: the role has them. */
export function parsePoolerUrl(databaseUrl: string): ConnectionConfig {
  const { url, hosts } = readDatabaseUrl(databaseUrl)
  return withHosts(url, hosts)
}

const withHosts = ({ href }: URL, hosts: Host[]): ConnectionConfig => ({
  connectionString: href,
  ...(hosts.length > 0 && { hosts }),
})

function readDatabaseUrl(databaseUrl: string): { url: URL; hosts: Host[] } {
  const { url: firstUrl, hosts } = readHosts(databaseUrl)
  let url: URL
  try {
    url = new URL(firstUrl)
  } catch {
    throw new OperatorError('DATABASE_URL is not a URL. It looks like postgres://user:password@host:5432/database.')
  }
  if (url.protocol !== 'postgres:' && url.protocol !== 'postgresql:') {
    throw new OperatorError(`DATABASE_URL must start with postgres://, not with ${url.protocol}//.`)
  }
  const schema = url.searchParams.get('schema')
  if (schema !== null && schema !== 'public') {
    throw new OperatorError(
      `DATABASE_URL sets the schema ${schema}; only public is supported. Use a separate database.`,
    )
  }
  url.searchParams.delete('schema')
  if (!url.username) useSystemUser()
  return { url, hosts }
}

/** As for psql, a URL without a user means PGUSER, which pg reads itself, else the user of this process. */
function useSystemUser(): void {
  try {
    pg.defaults.user = userInfo().username
  } catch {
    // A container can run as a user id that has no name. The server then reports that the user is missing.
  }
}

/** Hosts, ports and database of a DATABASE_URL, for messages, without the user and the password. */
function describeServer(databaseUrl: string): string {
  const { url, hosts } = readHosts(databaseUrl)
  const { hostname, port, pathname } = new URL(url)
  const places = hosts.map(describeHost).join(',') || `${hostname || 'localhost'}:${port || '5432'}`
  return `PostgreSQL at ${places}${pathname}`
}

/** @throws OperatorError if the server does not respond or is too old */
export async function checkServer(pool: pg.Pool, databaseUrl: string): Promise<void> {
  let versionNumber: number
  try {
    const { rows } = await pool.query<{ version: number }>(
      `select current_setting('server_version_num')::int as version`,
    )
    versionNumber = rows[0]?.version ?? 0
  } catch (error) {
    const cause = describeCause(error)
    throw new OperatorError(
      explainPooler(cause) ??
        `Cannot use ${describeServer(databaseUrl)}: ${cause}. Check that it is running and that DATABASE_URL is correct.`,
    )
  }
  const major = Math.floor(versionNumber / 10_000)
  if (major < oldestMajorVersion) {
    throw new OperatorError(
      `${describeServer(databaseUrl)} is version ${major}; Tributary needs ${oldestMajorVersion} or later.`,
    )
  }
}

/** @throws OperatorError if a move into the database has not ended, so that it has only a part of the data */
export async function requireNoMove(pool: pg.Pool, databaseUrl: string): Promise<void> {
  const { rows } = await pool.query<{ is_marked: boolean }>(
    `select to_regnamespace('${markerSchema}') is not null as is_marked`,
  )
  if (rows[0]?.is_marked)
    throw new OperatorError(
      `A move into ${describeServer(databaseUrl)} has not ended. Run it again: ${commandLine('move', '--to DATABASE_URL')}`,
    )
}

/** How long the pool may take for an answer, and the server when the pool is busy. In milliseconds. */
const pingMs = { pool: 1_200, server: 500 }

/** @throws within two seconds without a response; with SQLSTATE 25006 if it is read-only */
export async function pingServer(pool: WatchedPool): Promise<void> {
  const timeout = new AbortController()
  const busy = pause(pingMs.pool, undefined, { signal: timeout.signal }).then(async () => {
    if (!(await pool.responds(pingMs.server))) throw new Error('the database server does not respond')
  })
  const checking = checkWrites(pool)
  // The one that is late fails alone.
  for (const late of [busy, checking]) late.catch(() => {})
  await Promise.race([busy, checking]).finally(() => timeout.abort())
}

/** @throws with SQLSTATE 25006 if the server is read-only */
async function checkWrites(pool: pg.Pool): Promise<void> {
  const client = await pool.connect()
  let isUsable = false
  try {
    const { rows } = await client.query<{ setting: string }>(
      `select current_setting('transaction_read_only') as setting`,
    )
    isUsable = rows[0]?.setting !== 'on'
  } finally {
    // The next connection may reach a server that accepts writes.
    client.release(!isUsable)
  }
  if (!isUsable) throw readOnlyError()
}

/** A sort of a megabyte does not fit into its memory, so it goes to the disk. The message is a commit. */
const writeProbe = `begin;
  set local work_mem = '64kB';
  select count(line) from (select g || repeat('x', 200) as line from generate_series(1, 5000) g order by line offset 0) sorted;
  select pg_logical_emit_message(true, 'tributary', 'write probe');
  commit`

/** @throws if the server has no space left, is read-only, or does not confirm a commit in time */
export async function tryWriteOn(pool: pg.Pool): Promise<void> {
  const client = await pool.connect()
  let isWritten = false
  try {
    await client.query(writeProbe)
    isWritten = true
  } finally {
    client.release(!isWritten)
  }
}
