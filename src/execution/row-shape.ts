import type { FieldPlan, Shape } from './plan.ts'

/** The selected fields with this name. Aliases can select one several times. */
const fieldsNamed = (shape: Shape, name: string): FieldPlan[] => {
  if (shape.kind === 'list') return fieldsNamed(shape.item, name)
  return shape.kind === 'object' ? shape.selection().fields.filter(({ definition }) => definition.name === name) : []
}

/** The path from a connection to its rows. Undefined if the query selects none, or leads to them in several ways. */
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
