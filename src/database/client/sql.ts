import { createHash } from 'node:crypto'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { SqlTransaction, Statement } from '../../kernel/db.ts'

/** Declares a statement. Its name follows from its text, so equal texts are one statement. */
export const statement = <Row>(text: string): Statement<Row> => ({
  name: `s${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`,
  text,
})

/** Declares a statement for which the generic plan is good enough. */
export const plannedOnce = <Row>(text: string): Statement<Row> => ({ ...statement<Row>(text), isPlannedOnce: true })

/** Runs statements in a transaction of Prisma. Unlike on other connections, 64-bit integers in rows are bigint. */
export function sqlWithin(tx: Prisma.TransactionClient): SqlTransaction {
  const query = <Row>({ text }: Statement<Row>, values: readonly unknown[] = []) =>
    tx.$queryRawUnsafe<Row[]>(text, ...values)
  return {
    query,
    defer: async (statement, values) => void (await query(statement, values)),
    textRows: async (statement, values) =>
      (await query(statement, values)).map((row) => Object.values(row as object).map(textOf)),
  }
}

const textOf = (value: unknown): string | null => {
  if (value === null || typeof value === 'string') return value
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
