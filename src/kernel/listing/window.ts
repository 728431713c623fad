import { invalid } from '../errors.ts'
import { isId } from '../ids.ts'
import { isStorable } from '../input/fields.ts'
import type { Listing } from './listing.ts'
import type { Rule } from './where.ts'

/** Rows of a connection where none are asked for by number, and the most. */
export const defaultSize = 25
export const maximumSize = 100

/** Nouns whose rows `GET /v1/exports/…` returns all at once, by its path. */
const exportedAs: Record<string, string> = {
  Affiliate: 'affiliates',
  Referral: 'referrals',
  Sale: 'sales',
  Commission: 'commissions',
  Payout: 'payouts',
}

export type Sort = { field: string; direction: 'asc' | 'desc' }

export type WindowInput = {
  first?: number | null | undefined
  last?: number | null | undefined
  after?: string | null | undefined
  before?: string | null | undefined
  orderBy?: Sort[] | null | undefined
}

/** Where a connection's rows stand: what to ask the database, and how to read what it answers. */
export type Window = {
  size: number
  /** Rows are read from the end, and turned around afterwards. */
  isBackward: boolean
  hasCursor: boolean
  sorts: { column: string; direction: 'asc' | 'desc' }[]
  /** The rows beyond the cursors; empty where there are none. */
  beyond: Rule
}

/**
 * Reads `first`, `last`, `after`, `before` and `orderBy`. A cursor holds what its row is sorted by, so that what comes
 * after it is found by the index, at the same cost at any depth, also where the row itself has gone meanwhile.
 *
 * @throws INVALID_INPUT
 */
export function readWindow(listing: Listing, input: WindowInput): Window {
  const { first, last, after, before } = input
  const told = (field: string, predicate: string) => invalid([{ field, message: `${field} ${predicate}.` }])
  if (typeof first === 'number' && typeof last === 'number') throw told('last', "can't be given beside first")
  const size = first ?? last ?? defaultSize
  if (size < 0 || size > maximumSize) {
    const predicate = `must be a whole number from 0 to ${maximumSize}`
    throw told(typeof last === 'number' ? 'last' : 'first', size < 0 ? predicate : predicate + adviceFor(listing))
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

/** How to read more rows than a page has. */
function adviceFor({ noun }: Listing): string {
  const path = exportedAs[noun]
  const exported = path && `, or all rows at once from GET /v1/exports/${path}`
  return `. Read more rows page by page with after${exported ?? ''}`
}

/** What of a Prisma query a window is: one row more than asked for, to know whether there is a next page. */
export const queryOf = ({ sorts, isBackward, size }: Window) => ({
  orderBy: sorts.map(({ column, direction }) => ({ [column]: isBackward ? opposite(direction) : direction })),
  take: size + 1,
})

export type Slice<Row> = { rows: Row[]; hasNextPage: boolean; hasPreviousPage: boolean }

/** What the database answered to `queryOf`, as a page. */
export function sliceOf<Row>({ size, isBackward, hasCursor }: Window, answered: readonly Row[]): Slice<Row> {
  const rows = answered.slice(0, size)
  const hasMore = answered.length > size
  return isBackward
    ? { rows: rows.reverse(), hasNextPage: hasCursor, hasPreviousPage: hasMore }
    : { rows, hasNextPage: hasMore, hasPreviousPage: hasCursor }
}

/** Opaque to clients: how rows are sorted, and this row's values of that, each with a letter for its kind. */
export function cursorOf({ sorts }: Window, row: Record<string, unknown>): string {
  const values = sorts.map(({ column }) => written(row[column]))
  return Buffer.from(JSON.stringify([signature(sorts), ...values])).toString('base64url')
}

function written(value: unknown): string {
  if (value instanceof Date) return `d${value.toISOString()}`
  return typeof value === 'bigint' ? `n${value}` : `t${value}`
}

/** Undefined for what nobody wrote. */
function readBack(value: unknown): Date | bigint | string | undefined {
  if (typeof value !== 'string') return undefined
  const rest = value.slice(1)
  if (value[0] === 'd') return instantForm.test(rest) && !Number.isNaN(Date.parse(rest)) ? new Date(rest) : undefined
  if (value[0] === 'n') return /^-?\d{1,18}$/.test(rest) ? BigInt(rest) : undefined
  return value[0] === 't' && isStorable(rest) ? rest : undefined
}

/** A year that PostgreSQL has too: it has no 0000. */
const instantForm = /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Newest first unless told otherwise. The id is always the last: it tells rows apart that are alike in all else. */
function sortsOf(listing: Listing, orderBy: Sort[]): Window['sorts'] {
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

function readCursor(listing: Listing, sorts: Window['sorts'], cursor: string, field: string): unknown[] {
  const [signed, ...written] = decoded(cursor)
  const values = written.map(readBack)
  const isOurs = typeof signed === 'string' && values.length > 0 && !values.includes(undefined)
  if (!isOurs || !isId(String(values.at(-1)))) throw notOurs(field)
  if (signed !== signature(sorts))
    throw invalid([{ field, message: `${field} is a cursor of another order. Begin again where orderBy changes.` }])
  const fits = sorts.every(({ column }, index) => typeof values[index] === kindOf(listing, column))
  if (!fits || values.length !== sorts.length) throw notOurs(field)
  return values
}

const notOurs = (field: string) =>
  invalid([{ field, message: `${field} is no cursor of this API. Take it from pageInfo or an edge.` }])

/** What a cursor holds of a column. PostgreSQL answers an error where a forged one compares it with something else. */
function kindOf(listing: Listing, column: string): 'object' | 'bigint' | 'string' {
  const field = Object.values(listing.fields).find((field) => 'column' in field && field.column === column)
  return field?.kind === 'instant' ? 'object' : field?.kind === 'integer' ? 'bigint' : 'string'
}

function decoded(cursor: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}

/**
 * Rows that sort after `values` (before them, where it is turned around): those that are beyond in the first column, or
 * alike in it and beyond in the rest. That the first column alone is not on this side is said once more, as the index
 * can use that and not the alternatives.
 */
function beyondCursor(sorts: Window['sorts'], values: unknown[], isTurned: boolean): Rule {
  const [sort, ...rest] = sorts as [Window['sorts'][number]]
  const [value, ...others] = values
  const ascends = (sort.direction === 'asc') !== isTurned
  const strictly = { [sort.column]: { [ascends ? 'gt' : 'lt']: value } }
  if (rest.length === 0) return strictly
  return {
    AND: [
      { [sort.column]: { [ascends ? 'gte' : 'lte']: value } },
      { OR: [strictly, { AND: [{ [sort.column]: value }, beyondCursor(rest, others, isTurned)] }] },
    ],
  }
}
