import type pg from 'pg'
import type { Logger } from 'pino'
import { describeCause } from '../operator-error.ts'

/**
 * Row-level security: the second barrier between programs, below the conditions of queries. A transaction of one
 * program runs as a role that owns nothing, cannot log in, and sees only that program's rows.
 */
type RowSecurity = { role: string } | { missing: string }

/** Sets the role and the program until the transaction ends. */
export const enterProgram = `select set_config('role', $1, true), set_config('tributary.program', $2, true)`

/** `enterProgram` without parameters, so that it can be sent together with BEGIN. */
export const enterProgramText = ({ role, id }: { role: string; id: string }): string =>
  enterProgram.replace('$1', () => literal(role)).replace('$2', () => literal(id))

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** Whether this is `enterProgram` with its values in it. */
export const entersProgram = (sql: string): boolean => sql.startsWith(beginning)

const beginning = enterProgram.slice(0, enterProgram.indexOf('$1'))

/** Back to the role that has logged in, in a transaction that is of several programs. */
export const leaveProgram = `select set_config('role', 'none', true), set_config('tributary.program', '', true)`

/** PostgreSQL cuts longer names off. */
const maximumBytes = 63

/**
 * Prepares the role of programs and protects the tables. Correct objects stay unchanged, so instances can start at the
 * same time. The role belongs to the server, so its name follows from the user: installations of different users share
 * nothing. Without the privileges, the service works without this barrier, and logs what to do.
 */
export async function prepareRowSecurity(pool: pg.Pool, log: Logger): Promise<RowSecurity> {
  const { rows } = await pool.query<{ login: string }>('select current_user::text as login')
  const login = rows[0]?.login ?? ''
  const role = `${login}_program`
  try {
    if (Buffer.byteLength(role) > maximumBytes) throw new Error(`the role "${role}" would have too long a name`)
    await prepareRole(pool, login, role)
    const changed = await pool.query<{ tables: number }>('select protect_tenant_tables($1) as tables', [role])
    const tables = changed.rows[0]?.tables ?? 0
    if (tables > 0) log.info({ role, tables }, 'row-level security set up')
    return { role }
  } catch (error) {
    const missing = adviceOf(role, login)
    log.warn({ cause: describeCause(error), advice: missing }, 'row-level security is off')
    return { missing }
  }
}

const adviceOf = (role: string, login: string): string =>
  `Row-level security is off. Run as an administrator of PostgreSQL, and restart the service: CREATE ROLE ${quoted(role)} NOLOGIN; GRANT ${quoted(role)} TO ${quoted(login)};`

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** What PostgreSQL says when another instance has just made the role, or made this one a member of it. */
const madeMeanwhile = ['42710', '23505', 'XX000']

async function prepareRole(pool: pg.Pool, login: string, role: string): Promise<void> {
  const unlessMade = async (sql: string) => {
    await pool.query(sql).catch((error: { code?: string }) => {
      if (!madeMeanwhile.includes(error.code ?? '')) throw error
    })
  }
  const find = async () => {
    const { rows } = await pool.query<{ isBare: boolean; isMember: boolean }>(
      `select not (rolsuper or rolbypassrls or rolcanlogin) and not exists (select from pg_auth_members where member = oid) as "isBare",
         pg_has_role(current_user, oid, 'MEMBER') as "isMember"
       from pg_roles where rolname = $1`,
      [role],
    )
    return rows[0]
  }
  let found = await find()
  if (!found) await unlessMade(`create role ${quoted(role)} nologin`)
  found ??= await find()
  if (!found?.isMember) await unlessMade(`grant ${quoted(role)} to ${quoted(login)}`)
  if (!found?.isBare) throw new Error(`the role ${role} must have no rights of its own: no login, no memberships`)
}
