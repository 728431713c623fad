import type { Prisma } from '../generated/prisma/client.ts'
import type { Db } from '../kernel/context.ts'
import type { Listing } from './listing.ts'

export type Row = Record<string, unknown> & { id: string }

/** Rows with equal keys, as Prisma returns them from `groupBy` and, for all rows, from `aggregate`. */
export type GroupedRow = Record<string, unknown> & {
  _count: { _all: number }
  _sum?: Record<string, bigint | number | null>
  _min: Record<string, bigint | number | Date | null>
  _max: Record<string, bigint | number | Date | null>
}

type Table = {
  findMany(query: object): Promise<Row[]>
  findFirst(query: object): Promise<Row | null>
  /** As `findMany`, with the number that `count` returns; null without rows. Transactions do not have it. */
  findManyCounted?(query: object, count: Prisma.Sql): Promise<{ rows: Row[]; count: number | null }>
  /** Aggregates the rows (`t1`) of `findMany` to one text. Undefined if not compiled. Transactions do not have it. */
  findManyAsText?(
    query: object,
    column: Prisma.Sql,
  ): Promise<{ text: string; count: number; lastId: string | null } | undefined>
  /** The columns of the one row that `query` returns, as text: by a statement that is planned once. Transactions do not have it. */
  rowAs?(query: Prisma.Sql): Promise<(string | null)[]>
  count(query: object): Promise<number>
  groupBy(query: object): Promise<GroupedRow[]>
  aggregate(query: object): Promise<GroupedRow>
}

/** The table of a listing. Prisma types each table's queries separately, so TypeScript cannot call a union of them. */
export const tableOf = (db: Db, { model }: Pick<Listing, 'model'>): Table => db[model] as unknown as Table
