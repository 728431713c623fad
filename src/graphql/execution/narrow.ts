import type { FieldPlan, Selection, Shape } from './plan.ts'

/** Selects only the columns that the response uses, for rows that are only written. Pothos selects all columns. */

type Query = Record<string, unknown>
type Extensions = {
  pothosPrismaSelect?: unknown
  pothosPrismaRelationField?: { name: string }
  /** The columns that a computed field reads: see fromColumns. */
  columns?: readonly string[]
  connectedRows?: string
}

/** The fields of this name that are selected of the objects of a field, of which there can be several by aliases. */
const fieldsNamed = (shape: Shape, name: string): FieldPlan[] => {
  if (shape.kind === 'list') return fieldsNamed(shape.item, name)
  return shape.kind === 'object' ? shape.selection().fields.filter(({ definition }) => definition.name === name) : []
}

/** The path from a connection to its rows. Undefined without rows, or with several paths. */
export function rowPathOf(connection: Shape): string[] | undefined {
  const [only, another] = ['nodes', 'edges'].flatMap((name) => fieldsNamed(connection, name))
  if (!only || another) return undefined
  return only.definition.name === 'nodes' ? ['nodes'] : ['edges', 'node']
}

/** The shape of the rows at `path` below a field. Undefined if several fields lead to them. */
export function rowShapeAt(shape: Shape, path: readonly string[]): Extract<Shape, { kind: 'object' }> | undefined {
  if (shape.kind === 'list') return rowShapeAt(shape.item, path)
  if (shape.kind !== 'object') return undefined
  const [name, ...rest] = path
  if (name === undefined) return shape
  const [field, another] = fieldsNamed(shape, name)
  return field && !another ? rowShapeAt(field.shape, rest) : undefined
}

/** The query with the needed columns only; unchanged if it is not known what a field reads. */
export function narrowed(query: Query, { fields }: Selection): Query {
  const { include, select, ...conditions } = query
  if (select !== undefined) return query
  const related = (include ?? {}) as Record<string, true | Query>
  const chosen: Record<string, unknown> = {}
  // Related rows of which computed fields read parts stay as they are.
  const computed = new Set(fields.flatMap(({ definition }) => selectedBy(definition.extensions).map(([name]) => name)))
  for (const field of fields) {
    const columns = columnsOf(field)
    if (!columns) return query
    for (const name of columns) chosen[name] = true
    const { pothosPrismaRelationField, connectedRows } = field.definition.extensions as Extensions
    const relation = pothosPrismaRelationField?.name ?? connectedRows
    const given = relation === undefined || computed.has(relation) ? undefined : related[relation]
    const path = connectedRows ? rowPathOf(field.shape) : []
    const below = path && rowShapeAt(field.shape, path)?.selection()
    if (relation === undefined || !given || !below) continue
    const own = narrowed(given === true ? {} : given, below)
    chosen[relation] = connectedRows ? withColumns(own, columnsOfOrder(own)) : own
  }
  for (const name in related) chosen[name] ??= related[name]
  return { ...conditions, select: chosen }
}

/** The query with more columns, if it does not select all. */
export function withColumns<Q extends { select?: unknown }>(query: Q, columns: readonly string[]): Q {
  const { select } = query
  if (!select || columns.every((name) => name in (select as object))) return query
  return { ...query, select: { ...select, ...Object.fromEntries(columns.map((name) => [name, true])) } }
}

/** A cursor has the values that its row is sorted by. */
const columnsOfOrder = ({ orderBy }: Query): string[] => [orderBy].flat().flatMap((sort) => Object.keys(sort ?? {}))

/** The columns that a field reads of its row. Undefined if they are not known. */
function columnsOf({ access, definition }: FieldPlan): readonly string[] | undefined {
  if (access.kind === 'column') return [access.name]
  if (access.kind === 'constant') return []
  const extensions = definition.extensions as Extensions
  if (extensions.pothosPrismaRelationField) return []
  const selected = selectedBy(extensions)
  if (selected.length > 0) return selected.flatMap(([name, value]) => (value === true ? [name] : []))
  return extensions.columns
}

const selectedBy = ({ pothosPrismaSelect: select }: Extensions): [name: string, value: unknown][] =>
  select && typeof select === 'object' ? Object.entries(select) : []
