import type { FieldPlan, Selection, Shape } from './plan.ts'

/**
 * Queries for rows that are only written as JSON, without the columns that nothing of them reads. Pothos selects all
 * columns of a row.
 */

type Query = Record<string, unknown>
type Extensions = {
  pothosPrismaSelect?: unknown
  pothosPrismaRelationField?: { name: string }
  /** The columns that a computed field reads: see fromColumns. */
  columns?: readonly string[]
}

/** The shape of the rows at `path` below a field. */
export function rowShapeAt(shape: Shape, path: readonly string[]): Extract<Shape, { kind: 'object' }> | undefined {
  if (shape.kind === 'list') return rowShapeAt(shape.item, path)
  if (shape.kind !== 'object') return undefined
  const [name, ...rest] = path
  if (name === undefined) return shape
  const field = shape.selection().fields.find(({ definition }) => definition.name === name)
  return field && rowShapeAt(field.shape, rest)
}

/** The query with the needed columns only; as it is, if what a field reads is not known. */
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
    const relation = (field.definition.extensions as Extensions).pothosPrismaRelationField?.name
    if (relation === undefined || computed.has(relation)) continue
    const [below, given] = [rowShapeAt(field.shape, [])?.selection(), related[relation]]
    if (below && given) chosen[relation] = narrowed(given === true ? {} : given, below)
  }
  for (const name in related) chosen[name] ??= related[name]
  return { ...conditions, select: chosen }
}

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

/** What a computed field selects by itself. */
const selectedBy = ({ pothosPrismaSelect: select }: Extensions): [name: string, value: unknown][] =>
  select && typeof select === 'object' ? Object.entries(select) : []
