import type pg from 'pg'
import type { Logger } from 'pino'
import type { AppDb } from '../../kernel/db.ts'
import type { Spans } from '../client/spans.ts'
import { connectDb } from '../connect.ts'
import { describeCause } from '../operator-error.ts'
import { destroySocket } from '../seams/pg.ts'
import { createPostgresAdapter } from './adapter.ts'
import { DatabaseClient } from './client.ts'
import { createPool, parseDatabaseUrl } from './open.ts'
import { createPostgresSql } from './sql.ts'

/** A place in the log of a primary, and the timeline that the primary writes. */
export type Position = { timeline: number; bytes: bigint }

/** How long a replica may take to say how far it is. In milliseconds. */
const patienceMs = 1_500

/** How far a replica has replayed, and its timeline, if known. The start time identifies the server. */
const readProgress = `select (pg_last_wal_replay_lsn() - '0/0')::text as bytes, pg_is_in_recovery() as is_standby,
  greatest((select timeline_id from pg_control_checkpoint()), (select min_recovery_end_timeline from pg_control_recovery())) as timeline,
  pg_postmaster_start_time()::text as identity`

const readIdentity = 'select pg_postmaster_start_time()::text as identity'

type Progress = { bytes: string | null; is_standby: boolean; timeline: number; identity: string }

/** `away`: it does not answer, or is not a standby. `behind`: left out, because requests would wait for it. */
export type ReplicaState = 'used' | 'behind' | 'away'

export type Replica = ReturnType<typeof createReplica>

export type ReplicaOptions = {
  primary: AppDb
  poolSize?: number | undefined
  log: Logger
  spans?: Spans | undefined
}

export function createReplica(url: string, { primary, poolSize, spans, ...options }: ReplicaOptions) {
  const { hostname, port } = new URL(url)
  const name = `${hostname || 'localhost'}:${port || '5432'}`
  const log = options.log.child({ replica: name })
  const clients = new Set<pg.PoolClient>()
  let identity: string | undefined
  let client: DatabaseClient | undefined
  let asking: Promise<void> | undefined
  let isClosed = false

  const pool = createPool({
    databaseUrl: readOnly(url),
    log,
    poolSize,
    /** A name can lead to several servers. All connections have to be to the one that is asked. */
    onConnect: async (connection: pg.ClientBase) => {
      const { rows } = await connection.query<{ identity: string }>(readIdentity)
      if (rows[0]?.identity !== identity)
        throw new Error(`the database server does not respond: ${name} is another server`)
    },
  })
  pool.on('connect', (connection) => {
    clients.add(connection)
    connection.once('end', () => clients.delete(connection))
  })
  const db = connectDb(createPostgresAdapter(pool, log), createPostgresSql(pool, log), { spans, base: primary })

  const replica = {
    name,
    db,
    state: 'away' as ReplicaState,
    progress: { timeline: 0, bytes: 0n } as Position,
    /** Changes when another server takes its place: what was read meanwhile may be older than its progress says. */
    epoch: 0,
    reads: 0,
    /** Asks how far it is. Callers at the same time share the question. */
    ask: (): Promise<void> => {
      asking ??= ask().finally(() => {
        asking = undefined
      })
      return asking
    },
    setState: (state: ReplicaState, cause?: string) => {
      if (replica.state === state || isClosed) return
      replica.state = state
      if (state === 'used') log.info('replica used')
      else log.warn({ state, cause }, 'replica left out')
    },
    close: async () => {
      isClosed = true
      await client?.end().catch(() => {})
      await db.$disconnect()
      await pool.end()
    },
  }

  async function connect(): Promise<DatabaseClient> {
    const opened = new DatabaseClient({
      ...parseDatabaseUrl(url),
      connectionTimeoutMillis: patienceMs,
      query_timeout: patienceMs,
      application_name: 'tributary replica',
    })
    opened.on('error', () => {})
    await opened.connect().catch((error) => {
      destroySocket(opened)
      throw error
    })
    return opened
  }

  async function ask(): Promise<void> {
    if (isClosed) return
    try {
      client ??= await connect()
      const { rows } = await client.query<Progress>(readProgress)
      const [row] = rows
      if (!row?.is_standby || row.bytes === null) throw new Error('is not a standby')
      if (row.identity !== identity) replace(row.identity)
      replica.progress = { timeline: row.timeline, bytes: BigInt(row.bytes) }
      // It is used as soon as it has replayed what the primary has.
      if (replica.state === 'away') replica.setState('behind', 'not compared yet')
    } catch (error) {
      if (client) destroySocket(client)
      client = undefined
      replica.setState('away', describeCause(error))
    }
  }

  function replace(other: string): void {
    identity = other
    replica.epoch += 1
    for (const connection of clients) destroySocket(connection)
  }

  return replica
}

/** A replica can be promoted. Nothing may be written to it then either. */
function readOnly(url: string): string {
  const changed = new URL(url)
  const options = changed.searchParams.get('options') ?? ''
  changed.searchParams.set('options', `${options} -c default_transaction_read_only=on`.trim())
  return changed.href
}

/** Whether what a replica shows includes everything up to a position. */
export const hasReached = ({ progress }: Replica, { timeline, bytes }: Position): boolean =>
  progress.timeline === timeline && progress.bytes >= bytes
