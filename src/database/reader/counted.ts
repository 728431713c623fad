import type { Prisma } from '../../generated/prisma/client.ts'
import type { TextRow } from '../sql.ts'
import type { Plan } from './compile.ts'
import type { Args } from './shape.ts'

/** Rows, and the number that a query returned in the same statement. Null without rows, which carry the number. */
export type Counted = { rows: unknown[]; count: number | null }

/** How rows are read with a number: by which statement, with which parameters, and what its rows are. */
export function countedBy(plan: Plan, args: Args, { strings, values }: Prisma.Sql) {
  return {
    statement: plan.withColumn((parameters) =>
      strings.reduce((text, next, index) => `${text}$${parameters + index}${next}`),
    ),
    parameters: [...plan.parameters(args), ...values],
    read: (rows: TextRow[]): Counted => ({
      rows: rows.map((row) => plan.row(row)),
      count: rows[0] ? Number(rows[0].at(-1)) : null,
    }),
  }
}
