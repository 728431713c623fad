import { Prisma } from '../../generated/prisma/client.ts'
import { snakeCase } from '../../kernel/snake-case.ts'
import type { Rows } from './rows.ts'

/** Inserts the rows of each table with one statement and one JSON parameter, because binding a parameter per value is slow. */
export async function insertRows(tx: Prisma.TransactionClient, rows: Rows): Promise<void> {
  for (const [table, tableRows] of Object.entries(rows)) {
    const name = Prisma.raw(`"${table}"`)
    await tx.$executeRaw`insert into ${name} select * from json_populate_recordset(null::${name}, ${toJson(tableRows)}::text::json)`
  }
}

/** Column names are the field names in snake_case. 64-bit integers are written as text, which PostgreSQL reads exactly. */
function toJson(rows: object[]): string {
  const columns = Object.keys(rows[0] ?? {}).map((field) => [field, snakeCase(field)] as const)
  const toRecord = (row: object) =>
    Object.fromEntries(columns.map(([field, column]) => [column, row[field as keyof typeof row]]))
  return JSON.stringify(rows.map(toRecord), (_key, value) => (typeof value === 'bigint' ? String(value) : value))
}
