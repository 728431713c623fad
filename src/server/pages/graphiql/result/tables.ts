import { compareValues, isObject, type Kind, readMoney, readValue, type Value } from './values.ts'

export type Column = { name: string; kind: Kind }
export type Table = {
  /** Where in the answer the list stands: "analytics.timeSeries.points". */
  name: string
  columns: Column[]
  rows: Value[][]
  /** The one row of an object that is in no list: better read from top to bottom. */
  isRecord?: boolean
  /** How many there are, where a connection says so: a page of a list must not be taken for all of it. */
  total?: number
}

type Row = Record<string, unknown>
type List = { name: string; rows: Row[]; total?: number }

/**
 * Every list of objects in an answer, as a table: in the order of the answer, a list inside of lists after the one it is in,
 * with the columns of what it belongs to. Relay's `edges` and `nodes` are one list, named by their connection. Where
 * there is no list at all, objects are tables of one row.
 */
export function findTables(data: unknown): Table[] {
  const lists: List[] = []
  collect(data, '', lists)
  const found =
    lists.length > 0
      ? lists.map(({ name, rows, total }) => ({ ...tableOf(name, rows), ...(total !== undefined && { total }) }))
      : collectObjects(data, '').map(({ name, rows }) => ({ ...tableOf(name, rows), isRecord: true }))
  return found.filter(({ columns }) => columns.length > 0)
}

function collect(value: unknown, path: string, lists: List[]): void {
  if (!isObject(value)) return
  for (const [name, child] of Object.entries(connected(value))) {
    const here = name === '' ? path : join(path, name)
    if (!isListOfObjects(child)) collect(child, here, lists)
    else collectList({ name: here, rows: child, ...(name === '' && totalOf(value)) }, lists)
  }
}

const totalOf = ({ totalCount }: Row) => (typeof totalCount === 'number' ? { total: totalCount } : {})

function collectList(list: List, lists: List[]): void {
  const { name, rows } = list
  lists.push(list)
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
    if (rowsWithin.length > 0) collectList({ name: join(name, inner), rows: rowsWithin }, lists)
  }
}

/** `edges` and `nodes` say the same twice, and stand for what they are in. A cursor says nothing to a person. */
function connected(value: Row): Row {
  const { nodes, edges, pageInfo: _pageInfo, ...rest } = value
  if (Array.isArray(nodes)) return { '': nodes, ...rest }
  return Array.isArray(edges) ? { '': edges.map(unwrapEdge), ...rest } : value
}

function unwrapEdge(edge: unknown): unknown {
  if (!isObject(edge)) return edge
  const { node, cursor: _cursor, ...more } = edge
  return isObject(node) ? { ...node, ...more } : edge
}

const isListOfObjects = (value: unknown): value is Row[] =>
  Array.isArray(value) && value.length > 0 && value.every(isObject)

const join = (path: string, name: string) => (path ? `${path}.${name}` : name)
const prefixed = (prefix: string, row: Row): Row =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [join(prefix, name), value]))
const at = (row: Row, name: string): unknown => flatten(row)[name]

/** The lists of objects that rows have, by dotted name. */
const innerLists = (rows: Row[]): string[] => [
  ...new Set(
    rows.flatMap((row) =>
      Object.entries(flatten(row))
        .filter(([, value]) => isListOfObjects(value))
        .map(([name]) => name),
    ),
  ),
]

/** Nested objects as dotted names. Money is one value, and a connection is the list that it has. */
function flatten(row: Row): Row {
  const flat: Row = {}
  for (const [name, value] of Object.entries(withMoney(row))) {
    if (name === '__typename') continue
    if (!isObject(value) || readMoney(value)) {
      flat[name] = value
      continue
    }
    for (const [inner, deep] of Object.entries(flatten(connected(value))))
      flat[inner === '' ? name : join(name, inner)] = deep
  }
  return flat
}

/** Cents beside their currency are money too, which says the currency; in major units, they must not be called cents. */
function withMoney(row: Row): Row {
  const { currency, ...rest } = row
  if (typeof currency !== 'string') return row
  const entries = Object.entries(rest).map(([name, value]): [string, unknown] => {
    const bare = name.replace(/Cents$/, '')
    const isCents = bare !== name && bare !== '' && !(bare in row) && Number.isSafeInteger(value)
    return isCents ? [bare, { amountCents: value, currency }] : [name, value]
  })
  const hasMoney = entries.some(([name]) => !(name in row))
  return hasMoney ? Object.fromEntries(entries) : row
}

function collectObjects(value: unknown, path: string): List[] {
  if (!isObject(value)) return []
  const row = Object.fromEntries(
    Object.entries(value).filter(([, child]) => !(Array.isArray(child) && child.length === 0)),
  )
  const hasValues = Object.values(row).some((child) => !isObject(child) || readMoney(child) !== null)
  if (hasValues) return [{ name: path || 'data', rows: [row] }]
  return Object.entries(row).flatMap(([name, child]) => collectObjects(child, join(path, name)))
}

function tableOf(name: string, rows: Row[]): Table {
  const flat = rows.map(flatten)
  const names = [...new Set(flat.flatMap((row) => Object.keys(row)))]
  const values = flat.map((row) => names.map((column) => readValue(row[column])))
  const columns = names.map((column, index) => ({
    name: column,
    kind: kindOf(values.map((row) => row[index] as Value)),
  }))
  return { name, columns, rows: values }
}

/** What all values of a column are that are not empty; text where they differ. */
function kindOf(values: Value[]): Kind {
  const kinds = new Set(values.map(({ kind }) => kind).filter((kind) => kind !== 'empty'))
  const [only] = kinds
  return kinds.size === 0 ? 'empty' : kinds.size === 1 && only ? only : 'text'
}

export type Sorting = { column: string; descending: boolean }

/** The rows in the order of a column. What is empty comes last, either way; equal rows keep their order. */
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
