import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import type { Logger } from 'pino'
import { limits } from '../client/timeouts.ts'
import { describeCause, OperatorError } from '../operator-error.ts'
import { DatabaseClient } from './client.ts'
import { checkServer, createPool, type Pooler, parsePoolerUrl } from './open.ts'
import { advice, checkSession, requiredSettings } from './session.ts'

type PoolerOptions = { databaseUrl: string; databaseDirectUrl: string; log: Logger }

/** Checks sessions behind a pooler, and that the direct address has the same database. @throws OperatorError */
export async function checkPooler({ databaseUrl, databaseDirectUrl, log }: PoolerOptions): Promise<Pooler> {
  const direct = createPool({ databaseUrl: databaseDirectUrl, poolSize: 1, log })
  const clients = [connectionTo(databaseUrl), connectionTo(databaseUrl)] as const
  try {
    await checkServer(direct, databaseDirectUrl).catch((error: Error) => {
      throw new OperatorError(`DATABASE_DIRECT_URL: ${error.message}`)
    })
    await checkSession(direct)
    await Promise.all(clients.map((client) => client.connect())).catch((error) => {
      throw new OperatorError(`Cannot use the pooler of DATABASE_URL: ${describeCause(error)}. ${advice}`)
    })
    await checkSettings(clients[0])
    await checkSameServer(clients[0], direct)
    const isRecent = await keepsPrepared(...clients)
    if (!isRecent) log.warn('the pooler keeps no prepared statements, PgBouncer 1.21 or later is required')
    return { keepsPrepared: isRecent }
  } finally {
    await Promise.allSettled([direct.end(), ...clients.map((client) => client.end())])
  }
}

function connectionTo(databaseUrl: string): DatabaseClient {
  const client = new DatabaseClient({
    ...parsePoolerUrl(databaseUrl),
    connectionTimeoutMillis: limits.connectMs,
    query_timeout: limits.queryMs,
    application_name: 'tributary',
  })
  client.on('error', () => {})
  return client
}

const roleSettings = { ...requiredSettings, default_transaction_isolation: 'read committed', jit: 'off' }

async function checkSettings(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string; setting: string; place: string }>(
    `select name, setting, format('%I IN DATABASE %I', current_user, current_database()) as place
     from pg_settings where name = any($1::text[])`,
    [Object.keys(roleSettings)],
  )
  const found = new Map(rows.map(({ name, setting }) => [name, setting]))
  const lost = Object.entries(roleSettings).filter(([name, value]) => found.get(name) !== value)
  if (lost.length === 0) return
  throw new OperatorError(
    [
      'Behind a pooler in transaction mode, the role must have the settings of sessions. Run these statements, and let the pooler reconnect:',
      ...lost.map(
        ([name, value]) => `  ALTER ROLE ${rows[0]?.place} SET ${name} = '${value}'; -- now ${found.get(name)}`,
      ),
      advice,
    ].join('\n'),
  )
}

/** Events of another server would never arrive, and migrations would change another database. */
async function checkSameServer(client: pg.ClientBase, direct: pg.Pool): Promise<void> {
  const read = `select concat_ws(' ', (select oid from pg_database where datname = current_database()), extract(epoch from pg_postmaster_start_time())) as place`
  const [pooled, own] = [await client.query(read), await direct.query(read)]
  if (pooled.rows[0].place !== own.rows[0].place)
    throw new OperatorError(
      'DATABASE_URL and DATABASE_DIRECT_URL lead to different databases. Both must be the primary.',
    )
}

/** How often it is tried. Others that use the pooler can take the session in between. */
const tries = 3

/** PostgreSQL's errors for a name that another connection has prepared in this session, and for an unknown name. */
const lostNames = ['42P05', '26000']

/** Whether two connections can prepare the same name in one session. If that is not seen, names are not safe. */
export async function keepsPrepared(first: pg.ClientBase, second: pg.ClientBase): Promise<boolean> {
  for (let tried = 0; tried < tries; tried += 1) {
    const name = `probe_${randomBytes(8).toString('hex')}`
    const pids: number[] = []
    for (const client of [first, second]) {
      try {
        const { rows } = await client.query<{ pid: number }>({ name, text: 'select pg_backend_pid() as pid' })
        pids.push(rows[0]?.pid ?? 0)
      } catch (error) {
        if (lostNames.includes((error as { code?: string }).code ?? '')) return false
        throw error
      }
    }
    if (pids[0] === pids[1]) return true
  }
  return false
}
