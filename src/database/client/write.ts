import type {
  AcceptedDifference,
  Affiliate,
  AffiliateCoupon,
  AffiliateLink,
  BranchDifference,
  Change,
  Commission,
  FailedRequest,
  Invoice,
  Mail,
  MoneyEvent,
  PaymentFact,
  PayoutRun,
  PayoutRunItem,
  PayoutRunSkip,
  Prisma,
  Sale,
  Statement as StatementRow,
  WebhookDelivery,
} from '../../generated/prisma/client.ts'
import type { SqlTransaction, Statement } from '../../kernel/db.ts'
import { snakeCase } from '../../kernel/text.ts'
import { sqlWithin, statement } from './sql.ts'

// The ways to insert:
// - `tx.model.create` and `createMany`: one row, or a few with defaults of the schema or `skipDuplicates`.
// - `insertRows`: any number of whole rows of one table, in a transaction of Prisma.
// - `writeTogether`: rows of several tables in one statement, in a transaction of prepared statements: sales and leads.
// - `$executeRaw`: rows that the database makes itself, by `select` or `on conflict do update`.

/** A write to one table. Its SQL reads rows from `$1::jsonb -> '<name>'`, with the names of the columns. */
export type Write = {
  name: string
  sql: string
  rows: readonly object[]
  /** Whether it runs after the others and sees their rows. `sql` is then a call of a volatile function. */
  isLast?: true
}

/** A row as it is inserted. A column that can be null can be left out. */
type NewRow<Row> = { [K in keyof Row as null extends Row[K] ? never : K]: Row[K] } & {
  [K in keyof Row as null extends Row[K] ? K : never]?: Row[K] | undefined
}

/** The tables that whole rows are written to. */
type Rows = {
  accepted_differences: AcceptedDifference
  affiliates: Affiliate
  affiliate_coupons: AffiliateCoupon
  affiliate_links: AffiliateLink
  branch_differences: BranchDifference
  changes: Change
  commissions: Commission
  failed_requests: FailedRequest
  invoices: Invoice
  mails: Mail
  money_events: MoneyEvent
  payment_facts: PaymentFact
  payout_run_items: PayoutRunItem
  payout_run_skips: PayoutRunSkip
  payout_runs: PayoutRun
  sales: Sale
  statements: StatementRow
  webhook_deliveries: WebhookDelivery
}

/** Inserts whole rows: a column that a row lacks becomes null, also if the table has a default for it. */
export const inserted = <T extends keyof Rows>(table: T, rows: readonly NewRow<Rows[T]>[]): Write =>
  insertedInto(table, rows)

const insertedInto = (table: string, rows: readonly object[]): Write => ({
  name: table,
  sql: `insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1::jsonb -> '${table}')`,
  rows,
})

/**
 * Runs the writes in one statement, sent with the commit if nothing follows. Writes without rows are left out: an empty
 * one would run triggers. Foreign keys are checked after all of them. No write sees the rows of another, except the
 * last one; their order is undefined unless one selects from an earlier `written_<name>`.
 */
export async function writeTogether(sql: SqlTransaction, writes: readonly Write[]): Promise<void> {
  const used = writes.filter(({ rows }) => rows.length > 0)
  if (used.length === 0) return
  await sql.defer(statementOf(used), [
    jsonOf(Object.fromEntries(used.map(({ name, rows }) => [name, rows.map(givenColumnsOf)]))),
  ])
}

/** Inserts rows by one statement in Prisma's transaction. `createMany` keeps a plan for each number of rows. */
export const insertRows = <T extends keyof Rows>(
  tx: Prisma.TransactionClient,
  table: T,
  rows: readonly NewRow<Rows[T]>[],
): Promise<void> => writeTogether(sqlWithin(tx), [inserted(table, rows)])

/** As `insertRows`, for rows of any table that are known to be whole. */
export const copyRows = (tx: Prisma.TransactionClient, table: string, rows: readonly object[]): Promise<void> =>
  writeTogether(sqlWithin(tx), [insertedInto(table, rows)])

/** As `insertRows`, without the rows that a unique index rejects. @returns the ids of those that were inserted */
export async function insertNewRows<T extends keyof Rows>(
  tx: Prisma.TransactionClient,
  table: T,
  rows: readonly NewRow<Rows[T]>[],
): Promise<string[]> {
  const { sql } = inserted(table, rows)
  const text = `${sql} on conflict do nothing returning id::text`
  const found = await sqlWithin(tx).query(statement<{ id: string }>(text), [jsonOf({ [table]: rows.map(columnsOf) })])
  return found.map(({ id }) => id)
}

/** The statements that were built, by their text. Each combination of writes is one. */
const statements = new Map<string, Statement<unknown>>()

function statementOf(writes: readonly Write[]): Statement<unknown> {
  const first = writes.filter(({ isLast }) => !isLast)
  const last = writes.find(({ isLast }) => isLast)
  const parts = first.map(({ name, sql }) => `written_${name} as (${sql} returning 1)`)
  // PostgreSQL runs a write in WITH before the condition that counts its rows is true, and the expression after that.
  const done = first.map(({ name }) => `(select count(*) from written_${name}) >= 0`)
  const after = last && first.length > 0 ? ` where ${done.join(' and ')}` : ''
  const text = `${parts.length > 0 ? `with ${parts.join(', ')} ` : ''}select ${last?.sql ?? 1}${after}`
  const known = statements.get(text) ?? statement(text)
  statements.set(text, known)
  return known
}

export const columnsOf = (row: object): Record<string, unknown> => readColumns(row, () => true)

/** Without those that are null: a column that is not there is null too, and half of most rows is. */
const givenColumnsOf = (row: object) => readColumns(row, (value) => value !== null)

function readColumns(row: object, isRead: (value: unknown) => boolean): Record<string, unknown> {
  const columns: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(row)) if (isRead(value)) columns[snakeCase(field)] = value
  return columns
}

/** 64-bit integers are written as text, which PostgreSQL reads exactly. */
export const jsonOf = (given: object): string =>
  JSON.stringify(given, (_key, value) => (typeof value === 'bigint' ? value.toString() : value))
