import { invalid } from '../kernel/errors.ts'
import { isId } from '../kernel/ids.ts'
import { isStorable } from '../kernel/text.ts'
import type { Listing } from './listing.ts'
import type { Rule } from './rule.ts'

export const defaultSize = 25
export const maximumSize = 100

type Sortable = Pick<Listing, 'fields' | 'orders' | 'exportPath'>

export type Sort = { field: string; direction: 'asc' | 'desc' }

export type WindowInput = {
  first?: number | null | undefined
  last?: number | null | undefined
  after?: string | null | undefined
  before?: string | null | undefined
  orderBy?: Sort[] | null | undefined
}

/** The part of a list that a connection shows: how to query it, and how to read the result. */
export type Window = {
  size: number
  /** Rows are read from the end of the list, and reversed afterwards. */
  isBackward: boolean
  hasCursor: boolean
  sorts: { column: string; direction: 'asc' | 'desc' }[]
  /** The condition for rows beyond the cursors. Empty without cursors. */
  beyond: Rule
}

/**
 * Reads `first`, `last`, `after`, `before` and `orderBy`. A cursor has the values that its row is sorted by, so the
 * index finds the next rows at any depth, even if the row was deleted.
 * @throws INVALID_INPUT
 */
export function readWindow(listing: Sortable, input: WindowInput): Window {
  const { first, last, after, before } = input
  const problem = (field: string, predicate: string) => invalid([{ field, message: `${field} ${predicate}.` }])
  if (typeof first === 'number' && typeof last === 'number') throw problem('last', 'cannot be combined with first')
  const size = first ?? last ?? defaultSize
  if (size < 0 || size > maximumSize) {
    const predicate = `must be a whole number from 0 to ${maximumSize}`
    throw problem(typeof last === 'number' ? 'last' : 'first', size < 0 ? predicate : predicate + adviceFor(listing))
  }
  const sorts = sortsOf(listing, input.orderBy ?? [])
  const isBackward = typeof last === 'number'
  const beyond = [
    after ? beyondCursor(sorts, readCursor(listing, sorts, after, 'after'), false) : {},
    before ? beyondCursor(sorts, readCursor(listing, sorts, before, 'before'), true) : {},
  ]
  return {
    size,
    isBackward,
    hasCursor: Boolean(isBackward ? before : after),
    sorts,
    beyond: after || before ? { AND: beyond } : {},
  }
}

function adviceFor({ exportPath }: Sortable): string {
  const exported = exportPath ? `, or all rows at once from GET ${exportPath}` : ''
  return `. Read more rows page by page with after${exported}`
}

/** The Prisma query of a window. It reads one row more than requested, to find out whether there is a next page. */
export const queryOf = ({ sorts, isBackward, size }: Window) => ({
  orderBy: sorts.map(({ column, direction }) => ({ [column]: isBackward ? opposite(direction) : direction })),
  take: size + 1,
})

export type Slice<Row> = { rows: Row[]; hasNextPage: boolean; hasPreviousPage: boolean }

export function sliceOf<Row>({ size, isBackward, hasCursor }: Window, readRows: readonly Row[]): Slice<Row> {
  const rows = readRows.slice(0, size)
  const hasMore = readRows.length > size
  return isBackward
    ? { rows: rows.reverse(), hasNextPage: hasCursor, hasPreviousPage: hasMore }
    : { rows, hasNextPage: hasMore, hasPreviousPage: hasCursor }
}

/** Encodes the sort order and the row's values of it, each with a letter for its type. Opaque to clients. */
export function cursorOf({ sorts }: Window, row: Record<string, unknown>): string {
  const values = sorts.map(({ column }) => encoded(row[column]))
  return Buffer.from(JSON.stringify([signature(sorts), ...values])).toString('base64url')
}

function encoded(value: unknown): string {
  if (value instanceof Date) return `d${value.toISOString()}`
  return typeof value === 'bigint' ? `n${value}` : `t${value}`
}

function decodedValue(value: unknown): Date | bigint | string | undefined {
  if (typeof value !== 'string') return undefined
  const rest = value.slice(1)
  if (value[0] === 'd') return instantForm.test(rest) && !Number.isNaN(Date.parse(rest)) ? new Date(rest) : undefined
  if (value[0] === 'n') return /^-?\d{1,18}$/.test(rest) ? BigInt(rest) : undefined
  return value[0] === 't' && isStorable(rest) ? rest : undefined
}

/** PostgreSQL has no year 0000. */
const instantForm = /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Newest first by default. The id is always the last column, so that the order is total. */
function sortsOf(listing: Sortable, orderBy: Sort[]): Window['sorts'] {
  const sorts: Window['sorts'] = []
  for (const { field, direction } of orderBy) {
    const column = field === 'createdAt' ? 'id' : (listing.orders[field] as string)
    if (!sorts.some((sort) => sort.column === column)) sorts.push({ column, direction })
    if (column === 'id') return sorts
  }
  return [...sorts, { column: 'id', direction: sorts.at(-1)?.direction ?? 'desc' }]
}

const opposite = (direction: 'asc' | 'desc') => (direction === 'asc' ? 'desc' : 'asc')

const signature = (sorts: Window['sorts']) => sorts.map(({ column, direction }) => `${column} ${direction}`).join()

function readCursor(listing: Sortable, sorts: Window['sorts'], cursor: string, field: string): unknown[] {
  const [signed, ...encodedValues] = decoded(cursor)
  const values = encodedValues.map(decodedValue)
  const isWellFormed = typeof signed === 'string' && values.length > 0 && !values.includes(undefined)
  if (!isWellFormed || !isId(String(values.at(-1)))) throw invalidCursor(field)
  if (signed !== signature(sorts))
    throw invalid([{ field, message: `${field} is a cursor of a different orderBy. Start again from the first page.` }])
  const fits = sorts.every(({ column }, index) => typeof values[index] === kindOf(listing, column))
  if (!fits || values.length !== sorts.length) throw invalidCursor(field)
  return values
}

const invalidCursor = (field: string) =>
  invalid([{ field, message: `${field} is not a cursor of this API. Use one from pageInfo or an edge.` }])

/** The type of a column's value in a cursor. With a value of another type, PostgreSQL would return an error. */
function kindOf(listing: Sortable, column: string): 'object' | 'bigint' | 'string' {
  const field = Object.values(listing.fields).find((field) => 'column' in field && field.column === column)
  return field?.kind === 'instant' ? 'object' : field?.kind === 'integer' ? 'bigint' : 'string'
}

/** Longer than any cursor: it holds a few sort values of a row. */
const maxCursorLength = 4_000

function decoded(cursor: string): unknown[] {
  if (cursor.length > maxCursorLength) return []
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}

/**
 * The condition for rows after `values` (before, if `isReversed`): beyond in the first column, or equal in it and
 * beyond in the rest. A condition on the first column alone lets PostgreSQL use the index despite the OR.
 */
function beyondCursor(sorts: Window['sorts'], values: unknown[], isReversed: boolean): Rule {
  const [sort, ...rest] = sorts as [Window['sorts'][number]]
  const [value, ...others] = values
  const isAscending = (sort.direction === 'asc') !== isReversed
  const strictly = { [sort.column]: { [isAscending ? 'gt' : 'lt']: value } }
  if (rest.length === 0) return strictly
  return {
    AND: [
      { [sort.column]: { [isAscending ? 'gte' : 'lte']: value } },
      { OR: [strictly, { AND: [{ [sort.column]: value }, beyondCursor(rest, others, isReversed)] }] },
    ],
  }
}
