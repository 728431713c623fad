import type { Db } from '../context.ts'
import type { Listing } from './listing.ts'
import { type GroupedRow, tableOf } from './table.ts'
import type { Rule } from './where.ts'

/** Rows that are alike in what they are grouped by: how many, and what their numbers come to. */
export type Summary = {
  /** By column. */
  keys: Record<string, unknown>
  /** By group, for those that follow from the clock and are no column. */
  states: Record<string, string>
  count: number
  sum: Record<string, bigint>
  minimum: Record<string, bigint>
  maximum: Record<string, bigint>
  firstCreatedAt: Date | null
  lastCreatedAt: Date | null
}

/** Amounts in several currencies are never added up: where there are any, rows are grouped by currency as well. */
export const hasMoney = ({ numbers }: Listing) => Object.values(numbers).some(({ isMoney }) => isMoney)

/**
 * Counts and sums rows in the database, one statement; one more for each word of a state that is grouped by.
 *
 * @param columns what is grouped by beside the currency; none: all rows
 * @param state a field of kind `state` that is grouped by
 * @param most of the groups with the most rows; all unless given
 */
export async function summarise(
  db: Db,
  listing: Listing,
  rule: Rule,
  {
    columns,
    state,
    now,
    most,
  }: { columns: string[]; state?: string | undefined; now: Date; most?: number | undefined },
): Promise<Summary[]> {
  const field = state === undefined ? undefined : listing.fields[state]
  if (field?.kind === 'state' && state) {
    const all = await Promise.all(
      field.words.map(async (word) => {
        const within = { AND: [rule, field.rule(word as never, now)] }
        const summaries = await summarise(db, listing, within, { columns, now, most })
        return summaries.map((summary) => ({ ...summary, states: { [state]: word } }))
      }),
    )
    return all.flat().sort((a, b) => b.count - a.count)
  }
  const by = [...new Set([...columns, ...(hasMoney(listing) ? ['currency'] : [])])]
  const numbers = Object.values(listing.numbers).map(({ column }) => column)
  const picked = Object.fromEntries(numbers.map((column) => [column, true]))
  const ask = {
    where: rule,
    _count: { _all: true },
    ...(numbers.length > 0 && { _sum: picked }),
    _min: { ...picked, createdAt: true },
    _max: { ...picked, createdAt: true },
  }
  const table = tableOf(db, listing)
  const rows =
    by.length === 0
      ? [await table.aggregate(ask)]
      : await table.groupBy({ ...ask, by, orderBy: { _count: { id: 'desc' } }, ...(most && { take: most }) })
  return rows.map((row) => readRow(row, by, numbers))
}

function readRow(row: GroupedRow, by: string[], numbers: string[]): Summary {
  const read = (of: Record<string, unknown> | undefined) =>
    Object.fromEntries(
      numbers.flatMap((column) => {
        const value = of?.[column]
        return value === null || value === undefined ? [] : [[column, BigInt(value as number)]]
      }),
    )
  return {
    keys: Object.fromEntries(by.map((column) => [column, row[column]])),
    states: {},
    count: row._count._all,
    sum: read(row._sum),
    minimum: read(row._min),
    maximum: read(row._max),
    firstCreatedAt: (row._min.createdAt as Date | null) ?? null,
    lastCreatedAt: (row._max.createdAt as Date | null) ?? null,
  }
}
