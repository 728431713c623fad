import type { z } from 'zod'
import { isId } from '../ids.ts'
import { described, instant, optional, wholeNumber } from '../input/fields.ts'

/** The default and the largest number of rows on a page. Source: the contract's table of limits. */
const defaultLimit = 25
const maximumLimit = 100

/** What every list can be asked: which page, and what changed when. */
export const pageFields = {
  page: described(optional(wholeNumber(1)), 'The page, counted from 1.', { default: 1 }),
  limit: described(optional(wholeNumber(1)), 'Rows on a page; more than 100 is served as 100.', {
    default: defaultLimit,
    maximum: maximumLimit,
  }),
  updatedSince: described(optional(instant()), 'Only what was last changed at this moment or later.'),
  updatedUntil: described(optional(instant()), 'Only what was last changed before this moment.'),
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

/** The rows' own part of a Prisma `where`: `updatedSince` is inclusive, `updatedUntil` exclusive. */
export function updatedBetween(input: Updated) {
  if (!input.updatedSince && !input.updatedUntil) return {}
  return { updatedAt: { gte: input.updatedSince, lt: input.updatedUntil } }
}

/** One page of rows, newest first. A page past the end is empty, not an error: clients read until there is nothing. */
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
      // From past the end, back is the last page there is.
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

/** What is asked of a table of Prisma's. */
type Table<T> = {
  count(args: { where: object }): PromiseLike<number>
  findMany(args: object): PromiseLike<T[]>
}

/**
 * One page of a table's rows, with what belongs to each. The rows before the page are passed over in the index alone:
 * the database would look up what belongs to them as well, and the last page of a long list cost as much as all of them.
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
      const fromThere = { AND: [where, { id: { lte: first?.id } }] }
      return first ? table.findMany({ ...query, where: fromThere, take, orderBy }) : []
    },
  )

/** Rows that carry this id; an id of no valid form is carried by none. Left out: any row. */
export const carries = (id: string | undefined) => (id === undefined || isId(id) ? id : { in: [] })
