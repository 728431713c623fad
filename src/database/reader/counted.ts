import type { Prisma } from '../../generated/prisma/client.ts'
import { plannedOnce, type Statement, statement, type TextRow } from '../client/sql.ts'
import type { Plan } from './compile.ts'
import type { Args } from './shape.ts'

/** Rows, and the number that a query returned in the same statement. Null without rows, which carry the number. */
export type Counted = { rows: unknown[]; count: number | null }

/** How rows are read with a number: by which statement, with which parameters, and what its rows are. */
export const countedBy = (plan: Plan, args: Args, count: Prisma.Sql) => ({
  ...withColumn(plan, args, count, plannedOnce),
  read: (rows: TextRow[]): Counted => ({
    rows: rows.map(plan.row),
    count: rows[0] ? Number(rows[0].at(-1)) : null,
  }),
})

/** What a column makes of rows, as one text; how many rows there are, and the id of the last one. */
export type Written = { text: string; count: number; lastId: string | null }

/** How rows are read as one text. It costs this process little for any number of rows. */
export const writtenBy = (plan: Plan, args: Args, column: Prisma.Sql) => ({
  ...withColumn(plan, args, column, inParts),
  read: (rows: TextRow[]): Written => {
    const parts = rows.toSorted((a, b) => Number(a[0]) - Number(b[0]))
    return {
      text: parts.map((part) => part[1]).join(''),
      count: parts.reduce((sum, part) => sum + Number(part[2]), 0),
      lastId: parts.at(-1)?.[3] ?? null,
    }
  },
})

const inParts = (rows: string) =>
  statement(`select part, string_agg(text, ''), count(*), (array_agg(id))[count(*)]
    from (select *, row_number() over () / 100 as part from (${rows}) written(id, text)) parts group by part`)

function withColumn(
  plan: Plan,
  args: Args,
  { strings, values }: Prisma.Sql,
  declare: (text: string) => Statement<unknown>,
) {
  const query = (parameters: number) => strings.reduce((text, next, index) => `${text}$${parameters + index}${next}`)
  return { statement: plan.withColumn(query, declare), parameters: [...plan.parameters(args), ...values] }
}
