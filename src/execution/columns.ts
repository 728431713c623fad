import { type FieldPlan, rowPathOf, rowShapeAt, type Selection, withColumns } from './plan.ts'
import { extensionsOf, relationsOf, sharedRelations } from './pothos.ts'

type Query = Record<string, unknown>

/**
 * A query for rows that are written as JSON, with the columns that are written only: Pothos selects all. Returns
 * the query as it is if a field does not say what it reads, as `fromColumns` does.
 */
export function withUsedColumns(query: Query, { fields }: Selection): Query {
  const { include, select, ...conditions } = query
  if (select !== undefined) return query
  const used: Record<string, unknown> = { ...(include as object) }
  const shared = sharedRelations(fields)
  for (const field of fields) {
    const columns = columnsOf(field, shared)
    if (!columns) return query
    for (const name of columns) used[name] = true
  }
  for (const field of fields) {
    const [name] = relationsOf(field)
    const given = name && used[name]
    // Related rows that several fields read are loaded as they are.
    if (!given || shared.has(name)) continue
    const path = extensionsOf(field.definition).connectedRows ? rowPathOf(field.shape) : []
    const below = path && rowShapeAt(field.shape, path)
    if (below) used[name] = withSortColumns(withUsedColumns(given === true ? {} : (given as Query), below.selection()))
  }
  return Object.keys(used).length === 0 ? query : { ...conditions, select: used }
}

/** A cursor has the values that its row is sorted by. */
const withSortColumns = (query: Query): Query =>
  withColumns(
    query,
    [query.orderBy].flat().flatMap((sort) => Object.keys(sort ?? {})),
  )

/** The columns that a field reads of its row. Undefined if they are not known. */
function columnsOf(field: FieldPlan, shared: ReadonlySet<string>): readonly string[] | undefined {
  const { access, definition, parentType } = field
  if (access.kind === 'column') return [access.name]
  if (access.kind === 'constant') return []
  const { pothosPrismaRelationField: relation, connectedRows, columns } = extensionsOf(definition)
  if (!relation && !connectedRows) return columns
  if (relation && !relation.isList && !shared.has(relation.name)) return []
  // Related rows that were not loaded with their owner are found by its key.
  return parentType.name === 'Program' ? ['id'] : ['programId', 'id']
}
