import { formatNumber } from '../locale.ts'
import { aliasesTogether, type Placed } from './aliases.ts'
import { type Grid, gridsOf } from './grids.ts'
import { type Pivot, pivotsOf } from './pivots.ts'
import {
  compareValues,
  isListOfObjects,
  isObject,
  type Kind,
  type Row,
  readMoney,
  readValue,
  type Value,
} from './values.ts'

/** `currency`: of all amounts of the column, so that it needs no column of its own in a file. */
export type Column = { name: string; kind: Kind; currency?: string }
export type Table = {
  /** The path of the list in the result: "analytics.timeSeries.points". */
  name: string
  columns: Column[]
  rows: Value[][]
  /** True for a single object that is in no list. It is shown vertically. */
  isRecord?: boolean
  /** The `totalCount` of the connection, so that a page is not mistaken for the whole list. */
  total?: number
  /** The measure's columns, which are shaded by value: a table of cohorts. */
  shaded?: Set<string>
  /** Whether its columns are series with the same intervals. */
  isPivot?: boolean
}

/** The number of rows, as a part of the whole list if it is one: "100 of 189 rows". */
export function rowsIn({ rows, total = rows.length }: Table): string {
  const [shown, whole] = [rows.length, total].map((count) => formatNumber(count))
  return total > rows.length ? `${shown} of ${whole} rows` : `${shown} ${rows.length === 1 ? 'row' : 'rows'}`
}

type List = { name: string; rows: Row[]; total?: number; shaded?: Grid['shaded'] }
/** A list with its place, or a table that is made of one. */
type Found = (List & { path: string[]; isPage: boolean }) | { pivot: Pivot }

/**
 * Returns every list of objects in a result as a table, in the order of the result. A nested list follows the list
 * that it is in, and repeats its parents' columns. Cohorts become grids instead, one for each measure, and series by
 * group become pivots. What was asked for several times under aliases comes first, as one table. Relay's `edges` and
 * `nodes` are one list, named after their connection. If the result has no list, each object becomes a table of one
 * row.
 */
export function findTables(data: unknown): Table[] {
  const found: Found[] = []
  collect(data, [], found)
  const records = found.length > 0 ? [] : collectObjects(data, [])
  const together = aliasesTogether([...found.flatMap(placed), ...records.map(flat)])
  const tables = [
    ...together.flatMap((one) => ('pivots' in one ? one.pivots.map(pivotTable) : [tableOf(one.name, one.rows)])),
    ...found.map((one) => ('pivot' in one ? pivotTable(one.pivot) : listTable(one))),
    ...records.map(({ path, rows }) => ({ ...tableOf(path.join('.') || 'data', rows), isRecord: true })),
  ]
  return tables.filter(({ columns }) => columns.length > 0)
}

const pivotTable = (pivot: Pivot): Table => ({ ...pivot, isPivot: true })
const listTable = ({ name, rows, total, shaded }: List): Table => ({
  ...tableOf(name, rows),
  ...(total !== undefined && { total }),
  ...(shaded && { shaded }),
})

const flat = ({ path, rows }: Placed): Placed => ({ path, rows: rows.map(flatten) })
/** Pages of lists stay apart: each has its own further pages. */
const placed = (one: Found): Placed[] => ('pivot' in one || one.isPage || one.shaded ? [] : [flat(one)])

function collect(value: unknown, path: string[], found: Found[]): void {
  if (!isObject(value)) return
  for (const [name, child] of Object.entries(withoutConnection(value))) {
    const here = name === '' ? path : [...path, name]
    if (!isListOfObjects(child)) collect(child, here, found)
    else collectList({ rows: child, path: here, isPage: name === '', ...(name === '' && totalOf(value)) }, found)
  }
}

const totalOf = ({ totalCount }: Row) => (typeof totalCount === 'number' ? { total: totalCount } : {})

function collectList(list: Placed & { isPage: boolean; total?: number }, found: Found[]): void {
  const { path, rows, isPage } = list
  const name = path.join('.')
  const flattened = rows.map(flatten)
  const grids = gridsOf(name, flattened)
  found.push(...pivotsOf(name, flattened).map((pivot) => ({ pivot })))
  found.push(...(grids.length > 0 ? grids.map((grid) => ({ ...grid, path, isPage })) : [{ ...list, name }]))
  for (const inner of innerLists(rows)) {
    const rowsWithin = rows.flatMap((row) => {
      const outer = Object.entries(flatten(row)).filter(([, value]) => !isListOfObjects(value))
      const children = at(row, inner)
      if (!isListOfObjects(children)) return []
      return children.map((child) => ({
        ...Object.fromEntries(outer),
        ...prefixed(inner, flatten(child)),
      }))
    })
    if (rowsWithin.length > 0) collectList({ path: [...path, inner], rows: rowsWithin, isPage }, found)
  }
}

/** Replaces `edges` or `nodes` by an entry with an empty name. Cursors and page info are left out. */
function withoutConnection(value: Row): Row {
  const { nodes, edges, pageInfo: _pageInfo, ...rest } = value
  if (Array.isArray(nodes)) return { '': nodes, ...rest }
  return Array.isArray(edges) ? { '': edges.map(unwrapEdge), ...rest } : value
}

function unwrapEdge(edge: unknown): unknown {
  if (!isObject(edge)) return edge
  const { node, cursor: _cursor, ...more } = edge
  return isObject(node) ? { ...node, ...more } : edge
}

const join = (path: string, name: string) => (path ? `${path}.${name}` : name)
const prefixed = (prefix: string, row: Row): Row =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [join(prefix, name), value]))
const at = (row: Row, name: string): unknown => flatten(row)[name]

/** The dotted names of the lists of objects that rows contain. */
const innerLists = (rows: Row[]): string[] => [
  ...new Set(
    rows.flatMap((row) =>
      Object.entries(flatten(row))
        .filter(([, value]) => isListOfObjects(value))
        .map(([name]) => name),
    ),
  ),
]

/** Flattens nested objects to dotted names. Money stays one value, and a connection becomes its list. */
function flatten(row: Row): Row {
  const flat: Row = {}
  for (const [name, value] of Object.entries(withMoney(row))) {
    if (name === '__typename') continue
    if (!isObject(value) || readMoney(value)) {
      flat[name] = value
      continue
    }
    for (const [inner, deep] of Object.entries(flatten(withoutConnection(value))))
      flat[inner === '' ? name : join(name, inner)] = deep
  }
  return flat
}

/**
 * Turns `…Cents` fields next to a `currency` into money. The names lose "Cents", because the table shows major units.
 */
function withMoney(row: Row): Row {
  const { currency, ...rest } = row
  if (typeof currency !== 'string') return row
  const entries = Object.entries(rest).map(([name, value]): [string, unknown] => {
    const moneyName = name.replace(/Cents$/, '')
    const isCents = moneyName !== name && moneyName !== '' && !(moneyName in row) && Number.isSafeInteger(value)
    return isCents ? [moneyName, { amountCents: value, currency }] : [name, value]
  })
  const hasMoney = entries.some(([name]) => !(name in row))
  return hasMoney ? Object.fromEntries(entries) : row
}

function collectObjects(value: unknown, path: string[]): Placed[] {
  if (!isObject(value)) return []
  const row = Object.fromEntries(
    Object.entries(value).filter(([, child]) => !(Array.isArray(child) && child.length === 0)),
  )
  const hasValues = Object.values(row).some((child) => !isObject(child) || readMoney(child) !== null)
  if (hasValues) return [{ path, rows: [row] }]
  return Object.entries(row).flatMap(([name, child]) => collectObjects(child, [...path, name]))
}

function tableOf(name: string, rows: Row[]): Table {
  const flattened = rows.map(flatten)
  const known = [...new Set(flattened.flatMap((row) => Object.keys(row)))]
  const names = known.filter((column) => !isMissingObject(column, known, flattened))
  const values = flattened.map((row) => names.map((column) => readValue(row[column], column)))
  const columns = names.map((column, index) => ({
    name: column,
    kind: kindOf(values.map((row) => row[index] as Value)),
  }))
  return { name, columns, rows: values }
}

/** An object that some rows lack, such as the customer of a sale: its fields are columns, and it is none itself. */
const isMissingObject = (column: string, names: string[], rows: Row[]) =>
  names.some((other) => other.startsWith(`${column}.`)) && rows.every((row) => (row[column] ?? null) === null)

/** Returns the kind that all non-empty values of a column share, otherwise text. */
function kindOf(values: Value[]): Kind {
  const kinds = new Set(values.map(({ kind }) => kind).filter((kind) => kind !== 'empty'))
  const [only] = kinds
  return kinds.size === 0 ? 'empty' : kinds.size === 1 && only ? only : 'text'
}

export type Sorting = { column: string; descending: boolean }

/** Sorts rows by a column. The sort is stable, and empty values come last in both directions. */
export function sortRows({ columns, rows }: Table, sorting: Sorting | undefined): Value[][] {
  const index = columns.findIndex(({ name }) => name === sorting?.column)
  if (!sorting || index < 0) return rows
  const sign = sorting.descending ? -1 : 1
  return [...rows].sort((one, other) => {
    const [a, b] = [one[index] as Value, other[index] as Value]
    if (a.kind === 'empty' || b.kind === 'empty') return Number(a.kind === 'empty') - Number(b.kind === 'empty')
    return sign * compareValues(a, b)
  })
}
