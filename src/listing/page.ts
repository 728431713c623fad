import type { z } from 'zod'
import type { ProgramCtx } from '../kernel/context.ts'
import type { AppDb } from '../kernel/db.ts'
import { isId } from '../kernel/ids.ts'
import { findPosition, type Listed, readCounted } from './count.ts'
import type { Listing } from './listing.ts'
import { defaultLimit, maximumLimit, type pageFields } from './page-fields.ts'
import type { Rule } from './rule.ts'
import { type Row, tableOf } from './table.ts'

type PageInput = z.output<z.ZodObject<typeof pageFields>>
type Updated = Pick<PageInput, 'updatedSince' | 'updatedUntil'>

export type Pagination = {
  previousPage: number | null
  currentPage: number
  nextPage: number | null
  count: number
  limit: number
  totalPages: number
  totalCount: number
}

export type Page<T> = { pagination: Pagination; data: T[] }

/** The Prisma condition for the time of the last change: `updatedSince` is inclusive, `updatedUntil` exclusive. */
export function updatedBetween(input: Updated) {
  if (!input.updatedSince && !input.updatedUntil) return {}
  return { updatedAt: { gte: input.updatedSince, lt: input.updatedUntil } }
}

/**
 * Reads a page of a program's rows, newest first, with the relations in `query`. A page past the end is empty. Its
 * first id is found separately: with OFFSET, the database would also join the relations of skipped rows.
 */
export async function readRows<T>(
  { db, program }: ProgramCtx,
  listing: Listing,
  input: PageInput,
  rule: Rule,
  query: object,
): Promise<Page<T>> {
  const listed = { listing, programId: program.id, rule }
  const currentPage = input.page ?? 1
  const limit = Math.min(input.limit ?? defaultLimit, maximumLimit)
  const skip = (currentPage - 1) * limit
  const page = { ...query, take: limit, orderBy: { id: 'desc' } }
  const { rows, count } =
    skip === 0
      ? await readCounted(db, listed, { ...page, where: rule })
      : await readSkipping(db, listed, skip, (where) => tableOf(db, listing).findMany({ ...page, where }))
  // The caller names the type of the listing's rows.
  const data = rows as T[]
  return { pagination: paginationOf({ currentPage, limit, count: data.length, totalCount: count }), data }
}

async function readSkipping(
  db: AppDb,
  listed: Listed,
  skip: number,
  read: (where: Rule) => Promise<Row[]>,
): Promise<{ rows: Row[]; count: number }> {
  const { count, id } = await findPosition(db, listed, skip)
  return { count, rows: id === null ? [] : await read({ AND: [listed.rule, { id: { lte: id } }] }) }
}

function paginationOf({
  currentPage,
  limit,
  count,
  totalCount,
}: Pick<Pagination, 'currentPage' | 'limit' | 'count' | 'totalCount'>): Pagination {
  const totalPages = Math.ceil(totalCount / limit)
  return {
    // For a page past the end, this is the last page.
    previousPage: Math.min(currentPage - 1, totalPages) || null,
    currentPage,
    nextPage: currentPage < totalPages ? currentPage + 1 : null,
    count,
    limit,
    totalPages,
    totalCount,
  }
}

/** The Prisma condition for a column of ids. Text that is not an id matches no row; undefined matches every row. */
export const carries = (id: string | undefined) => (id === undefined || isId(id) ? id : { in: [] })
