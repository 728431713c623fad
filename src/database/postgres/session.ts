import type pg from 'pg'
import { limits } from '../client/timeouts.ts'
import { OperatorError } from '../operator-error.ts'
import { DatabaseClient } from './client.ts'

/** What every session must have, in the units of pg_settings: milliseconds. A pooler can lose it without a word. */
export const requiredSettings = {
  TimeZone: 'UTC',
  statement_timeout: `${limits.statementMs}`,
  lock_timeout: `${limits.lockMs}`,
  idle_in_transaction_session_timeout: `${limits.idleInTransactionMs}`,
} as const

export const advice = 'See "Poolers" in docs/postgresql.md.'

/** What to do about a connection that a pooler has rejected; null for other errors. */
export function explainPooler(message: string): string | null {
  return /unsupported startup parameter/.test(message)
    ? `The pooler in front of PostgreSQL rejects the settings of sessions (${message}). In transaction mode, set DATABASE_DIRECT_URL. In session mode, let it ignore them, and set them for the role. ${advice}`
    : null
}

/**
 * Checks that connections are separate sessions with the settings that they asked for: prepared statements, advisory
 * locks and LISTEN need sessions, and times need UTC.
 * @throws OperatorError if a pooler in front of the server shares sessions, or has dropped the settings
 */
export async function checkSession(pool: pg.Pool): Promise<void> {
  const first = await pool.connect()
  // The pool may have one connection only.
  const second = new DatabaseClient(pool.options)
  try {
    await second.connect()
    if (await shareSession(first, second))
      throw new OperatorError(
        `The pooler in front of PostgreSQL is in transaction mode. Set DATABASE_DIRECT_URL to the address of PostgreSQL itself, or use session mode. ${advice}`,
      )
    const { rows } = await first.query<{ name: string; setting: string }>(
      'select name, setting from pg_settings where name = any($1::text[])',
      [Object.keys(requiredSettings)],
    )
    const settings = new Map(rows.map(({ name, setting }) => [name, setting]))
    const lost = Object.entries(requiredSettings).filter(([name, value]) => settings.get(name) !== value)
    if (lost.length > 0)
      throw new OperatorError(
        [
          `The pooler in front of PostgreSQL drops the settings of sessions. Set them for the role, and restart the pooler:`,
          ...lost.map(([name, value]) => `  ALTER ROLE … SET ${name} = '${value}'; -- now ${settings.get(name)}`),
          advice,
        ].join('\n'),
      )
  } finally {
    first.release()
    await second.end()
  }
}

/** How often it is tried. Others that use the pooler can take the session in between. */
const tries = 3

/** Whether the pooler reuses one server session for different clients. */
async function shareSession(first: pg.ClientBase, second: pg.ClientBase): Promise<boolean> {
  for (let tried = 0; tried < tries; tried += 1) {
    const before = await readPid(first)
    await second.query('begin')
    const after = await readPid(second)
    await second.query('rollback')
    if (before === after) return true
  }
  return false
}

const readPid = async (client: pg.ClientBase): Promise<number | undefined> =>
  (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid
