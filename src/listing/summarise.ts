import type { AppDb } from '../kernel/db.ts'
import type { Listing } from './listing.ts'
import type { Rule } from './rule.ts'
import { type GroupedRow, tableOf } from './table.ts'

export type Summary = {
  keys: Record<string, unknown>
  /** The group's value of the field of kind `state` that rows are grouped by. */
  states: Record<string, string>
  count: number
  /** By column, as are `minimum` and `maximum`. A column without values is absent. */
  sum: Record<string, bigint>
  minimum: Record<string, bigint>
  maximum: Record<string, bigint>
  firstCreatedAt: Date | null
  lastCreatedAt: Date | null
}

/** Whether the rows have amounts. Those are also grouped by currency, because currencies are never added. */
export const hasMoney = ({ numbers }: Listing) => Object.values(numbers).some(({ isMoney }) => isMoney)

/**
 * Counts and sums rows in one statement, or one for each value of `state`.
 * @param columns the columns to group by, in addition to the currency
 * @param limit the maximum number of groups, largest first
 */
export async function summarise(
  db: AppDb,
  listing: Listing,
  rule: Rule,
  {
    columns,
    state,
    now,
    limit,
  }: { columns: string[]; state?: string | undefined; now: Date; limit?: number | undefined },
): Promise<Summary[]> {
  const field = state === undefined ? undefined : listing.fields[state]
  if (field?.kind === 'state' && state) {
    const all = await Promise.all(
      field.words.map(async (word) => {
        // A listing has states of different types, so the type of `rule` is that of no value.
        const within = { AND: [rule, field.rule(word as never, now)] }
        const summaries = await summarise(db, listing, within, { columns, now, limit })
        return summaries.map((summary) => ({ ...summary, states: { [state]: word } }))
      }),
    )
    return all.flat().sort((a, b) => b.count - a.count)
  }
  const by = [...new Set([...columns, ...(hasMoney(listing) ? ['currency'] : [])])]
  const numbers = Object.values(listing.numbers).map(({ column }) => column)
  const selected = Object.fromEntries(numbers.map((column) => [column, true]))
  const query = {
    where: rule,
    _count: { _all: true },
    ...(numbers.length > 0 && { _sum: selected }),
    _min: { ...selected, createdAt: true },
    _max: { ...selected, createdAt: true },
  }
  const table = tableOf(db, listing)
  const rows =
    by.length === 0
      ? [await table.aggregate(query)]
      : await table.groupBy({ ...query, by, orderBy: { _count: { id: 'desc' } }, ...(limit && { take: limit }) })
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
