import type { Prisma } from '../generated/prisma/client.ts'
import type { AppDb } from '../kernel/db.ts'
import { planOf } from './kept-plan.ts'
import { sqlOfFacts, sqlOfPosition, sqlOfStates } from './kept-sql.ts'
import type { Listing } from './listing.ts'
import type { Rule } from './rule.ts'
import { type Row, tableOf } from './table.ts'

/** A program's rows that match a Prisma `where`. */
export type Listed = { listing: Listing; programId: string; rule: Rule }

/** Counts rows, exactly: by kept counts in constant time, else by counting, within the time limit of a statement. */
export async function countRows(db: AppDb, listed: Listed): Promise<number> {
  const sql = sqlOfCount(listed)
  if (!sql) return tableOf(db, listed.listing).count({ where: listed.rule })
  const [count] = await db.reads.row(sql)
  return Number(count)
}

/** A query for the number of rows; null if it is not kept, so that the rows have to be counted. */
function sqlOfCount({ listing, programId, rule }: Listed): Prisma.Sql | null {
  const plan = planOf(listing, programId, rule)
  if (!plan) return null
  return plan.kind === 'states' ? sqlOfStates(programId, plan.table, plan.states) : sqlOfFacts(programId, plan)
}

/** Reads the first rows that `query` selects, and counts all rows: in one statement, if their number is kept. */
export async function readCounted(db: AppDb, listed: Listed, query: object): Promise<{ rows: Row[]; count: number }> {
  const sql = sqlOfCount(listed)
  if (sql) return db.reads.counted(listed.listing.model, query, sql)
  const count = await countRows(db, listed)
  return { count, rows: count === 0 ? [] : await tableOf(db, listed.listing).findMany(query) }
}

export async function countRowsBy(
  db: AppDb,
  { listing, programId, rule }: Listed,
  column: string,
  ids: readonly string[],
): Promise<number[]> {
  const where = { AND: [rule, { [column]: { in: [...ids] } }] }
  const [only] = ids
  if (only !== undefined && ids.length === 1) return [await countRows(db, { listing, programId, rule: where })]
  const dimension = listing.kept?.rollup?.dimensions[column]
  const plan = dimension ? planOf(listing, programId, where) : null
  const counts =
    plan?.kind === 'facts' && dimension
      ? (await db.$queryRaw<{ key: string; count: number }[]>(sqlOfFacts(programId, plan, dimension))).map(
          ({ key, count }): [unknown, number] => [key, count],
        )
      : (await tableOf(db, listing).groupBy({ where, by: [column], _count: { _all: true } })).map(
          (row): [unknown, number] => [row[column], row._count._all],
        )
  const byId = new Map(counts)
  return ids.map((id) => byId.get(id) ?? 0)
}

/** The number of rows, and the id of the row after `skip` rows, newest first; null past the end. */
export type Position = { count: number; id: string | null }

/** Finds the row after `skip` rows, by kept counts, or in the index from the nearer side. */
export async function findPosition(db: AppDb, listed: Listed, skip: number): Promise<Position> {
  const { listing, programId, rule } = listed
  const plan = planOf(listing, programId, rule)
  if (plan?.kind !== 'states') {
    const count = await countRows(db, listed)
    const isNearEnd = skip > count / 2
    const skipped = isNearEnd ? count - 1 - skip : skip
    const direction = isNearEnd ? 'asc' : 'desc'
    return { count, id: skip < count ? await idAfter(db, listing, rule, skipped, direction) : null }
  }
  const sql = sqlOfPosition(programId, plan.table, plan.states, skip)
  const [total, below, skipped] = await db.reads.row(sql)
  const count = Number(total)
  if (skip >= count) return { count, id: null }
  const where = below === null ? rule : { AND: [rule, { id: { lt: below } }] }
  return { count, id: await idAfter(db, listing, where, skip - Number(skipped ?? 0), 'desc') }
}

async function idAfter(
  db: AppDb,
  listing: Listing,
  where: Rule,
  skip: number,
  direction: 'asc' | 'desc',
): Promise<string | null> {
  const query = { where, skip, take: 1, orderBy: { id: direction }, select: { id: true } }
  const [row] = await tableOf(db, listing).findMany(query)
  return row?.id ?? null
}
