import type { z } from 'zod'
import { isId } from '../ids.ts'
import { described, instant, optional, wholeNumber } from '../input/fields.ts'

/** Rows on a page. Source: the contract's table of limits. */
const defaultLimit = 25
const maximumLimit = 100

/** The parameters of every REST list. */
export const pageFields = {
  page: described(optional(wholeNumber(1)), 'The number of the page, counted from 1.', { default: 1 }),
  limit: described(optional(wholeNumber(1)), 'The maximum number of rows on a page. Values above 100 count as 100.', {
    default: defaultLimit,
    maximum: maximumLimit,
  }),
  updatedSince: described(optional(instant()), 'Only rows whose last change was at this time or later.'),
  updatedUntil: described(optional(instant()), 'Only rows whose last change was before this time.'),
}

type PageInput = z.output<z.ZodObject<typeof pageFields>>
type Updated = Pick<PageInput, 'updatedSince' | 'updatedUntil'>

export type Pagination = {
  previousPage: number | null
  currentPage: number
  nextPage: number | null
  /** Rows on this page. */
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

/** Reads one page of rows, newest first. A page past the end is empty, because clients read until a page is empty. */
export async function readPage<T>(
  input: PageInput,
  count: () => Promise<number>,
  rows: (window: { skip: number; take: number; orderBy: { id: 'desc' } }) => Promise<T[]>,
): Promise<Page<T>> {
  const currentPage = input.page ?? 1
  const limit = Math.min(input.limit ?? defaultLimit, maximumLimit)
  const skip = (currentPage - 1) * limit
  const totalCount = await count()
  const data = skip < totalCount ? await rows({ skip, take: limit, orderBy: { id: 'desc' } }) : []
  const totalPages = Math.ceil(totalCount / limit)
  return {
    pagination: {
      // For a page past the end, this is the last page.
      previousPage: Math.min(currentPage - 1, totalPages) || null,
      currentPage,
      nextPage: currentPage < totalPages ? currentPage + 1 : null,
      count: data.length,
      limit,
      totalPages,
      totalCount,
    },
    data,
  }
}

/** The queries that a page needs of a Prisma model. */
type Table<T> = {
  count(args: { where: object }): PromiseLike<number>
  findMany(args: object): PromiseLike<T[]>
}

/**
 * Reads one page of a table's rows, with the relations in `query`. The first id of the page is read on its own, from the
 * index: with OFFSET in the whole query, the database would also join the relations of all rows before the page.
 */
export const readRows = <T>(input: PageInput, table: Table<T>, where: object, query: object): Promise<Page<T>> =>
  readPage(
    input,
    async () => table.count({ where }),
    async ({ skip, take, orderBy }) => {
      if (skip === 0) return table.findMany({ ...query, where, take, orderBy })
      const [first] = (await table.findMany({ where, skip, take: 1, orderBy, select: { id: true } })) as {
        id: string
      }[]
      const fromFirst = { AND: [where, { id: { lte: first?.id } }] }
      return first ? table.findMany({ ...query, where: fromFirst, take, orderBy }) : []
    },
  )

/** The Prisma condition for a column of ids. Text that is not an id matches no row; undefined matches every row. */
export const carries = (id: string | undefined) => (id === undefined || isId(id) ? id : { in: [] })
