import type { AppDb } from '../kernel/db.ts'
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
  count(query: object): Promise<number>
  groupBy(query: object): Promise<GroupedRow[]>
  aggregate(query: object): Promise<GroupedRow>
}

/** The table of a listing. Prisma types each table's queries separately, so TypeScript cannot call a union of them. */
export const tableOf = (db: AppDb, { model }: Pick<Listing, 'model'>): Table => db[model] as unknown as Table
