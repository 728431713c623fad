import { snakeCase } from '../../kernel/text.ts'

/** Classifies errors. Prisma's have a code. The driver's have a `cause` with PostgreSQL's code. */

const transientSqlStates = new Set(['40001', '40P01'])
const unavailablePrismaCodes = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2037', 'P2039'])
/** Connection errors, a server that starts or stops, too many connections, and timeouts. */
const unavailableSqlStates = /^(08...|57P0[1235]|53300|55P03|57014|25P03|58030|53100)$/
const readOnlySqlState = '25006'
/** See the function require_open_program of the database. */
const programClosedSqlState = 'TP503'
const uniqueViolationSqlState = '23505'
const foreignKeyViolationSqlState = '23503'
const unavailableKinds = new Set([
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TooManyConnections',
  'TlsConnectionError',
])
const socketCodes = /^(ECONN(REFUSED|RESET|ABORTED)|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/
/** Messages of pg and PGlite for errors without a code. A transaction is closed once it has run into its timeout. */
const unavailableMessages =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client (has encountered a connection error|was closed)|Cannot use a pool after calling end|the database server does not respond|no database server accepts writes|the embedded database has stopped|PGlite is clos(ing|ed)|Transaction is closed)/

/** A row with the same unique value exists. With `field` (of the schema, or a column), only for that field. */
export function isUniqueViolation(error: unknown, field?: string): boolean {
  const isViolation =
    codeOf(error) === 'P2002' ||
    codeOf(error) === uniqueViolationSqlState ||
    driverCause(error)?.kind === 'UniqueConstraintViolation'
  if (!isViolation || field === undefined) return isViolation
  const columns = violatedColumns(error)
  if (columns.length === 0) return violatedIndex(error).endsWith(`_program_id_${snakeCase(field)}_key`)
  return columns.some((column) => snakeCase(column.replaceAll('"', '')) === snakeCase(field))
}

/** A row that the written row refers to does not exist, or does not exist any more. */
export const isForeignKeyViolation = (error: unknown): boolean =>
  codeOf(error) === 'P2003' ||
  driverCause(error)?.kind === 'ForeignKeyConstraintViolation' ||
  sqlStateOf(error) === foreignKeyViolationSqlState

/** The transaction lost a race; a retry may succeed. */
export function isTransient(error: unknown): boolean {
  if (codeOf(error) === 'P2034') return true
  const cause = driverCause(error)
  return cause?.kind === 'TransactionWriteConflict' || transientSqlStates.has(sqlStateOf(error) ?? '')
}

/** The database accepts no writes, for example after a failover that left this service with a standby. */
export const isReadOnly = (error: unknown): boolean => sqlStateOf(error) === readOnlySqlState

/** The program is closed to writes, because it is being moved. Writes of other programs succeed. */
export const isProgramClosed = (error: unknown): boolean =>
  sqlStateOf(error) === programClosedSqlState ||
  (error instanceof Error && error.cause !== undefined && isProgramClosed(error.cause))

/** What PostgreSQL reports about a wrong checksum, a missing part of a file, or a contradicting index. */
const damageSqlStates = new Set(['XX001', 'XX002', '58P01'])

export const isDamage = (error: unknown): boolean =>
  damageSqlStates.has(sqlStateOf(error) ?? '') ||
  (error instanceof Error && error.cause !== undefined && isDamage(error.cause))

export const readOnlyError = (): Error =>
  Object.assign(new Error('the database is read-only'), { code: readOnlySqlState })

/** The database is unreachable, too busy or read-only, or the program is closed; the same call may succeed later. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error) || isTransient(error)) return false
  if (isReadOnly(error) || isProgramClosed(error)) return true
  const code = codeOf(error) ?? ''
  if (unavailablePrismaCodes.has(code) || socketCodes.test(code)) return true
  if (unavailableKinds.has(driverCause(error)?.kind ?? '')) return true
  if (unavailableSqlStates.test(sqlStateOf(error) ?? '')) return true
  return unavailableMessages.test(error.message) || (error.cause !== undefined && isUnavailable(error.cause))
}

type DriverCause = {
  kind?: string
  code?: string
  originalCode?: string
  originalMessage?: string
  constraint?: { fields?: string[]; index?: string }
}

function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | undefined)?.code
  return typeof code === 'string' ? code : undefined
}

function sqlStateOf(error: unknown): string | undefined {
  const cause = driverCause(error)
  const state = cause?.originalCode ?? cause?.code ?? metaOf(error)?.code ?? codeOf(error)
  return typeof state === 'string' ? state : undefined
}

function metaOf(error: unknown): Record<string, unknown> | undefined {
  const meta = (error as { meta?: unknown } | undefined)?.meta
  return typeof meta === 'object' && meta !== null ? (meta as Record<string, unknown>) : undefined
}

/** The driver's error: of a DriverAdapterError itself, or of one inside Prisma's error. */
function driverCause(error: unknown): DriverCause | undefined {
  const inner = metaOf(error)?.driverAdapterError ?? error
  if ((inner as Error | undefined)?.name !== 'DriverAdapterError') return undefined
  return (inner as { cause?: DriverCause }).cause
}

function violatedColumns(error: unknown): string[] {
  const fields = driverCause(error)?.constraint?.fields ?? metaOf(error)?.target
  if (Array.isArray(fields)) return fields.map(String)
  // PostgreSQL's own error: "Key (program_id, external_id)=(…) already exists."
  const { detail = '' } = error as { detail?: string }
  return /^Key \(([^)]*)\)=/.exec(detail)?.[1]?.split(', ') ?? []
}

/** The name of the index. Under row-level security, PostgreSQL does not say which columns it has. */
function violatedIndex(error: unknown): string {
  const message = driverCause(error)?.originalMessage ?? (error as Error).message
  return /unique constraint "([^"]+)"/.exec(message)?.[1] ?? ''
}
