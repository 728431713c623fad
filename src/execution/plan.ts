import { collectFields, collectSubFields, type VariableValues } from '@graphql-tools/utils'
import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLAbstractType,
  type GraphQLField,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type OperationDefinitionNode,
  TypeNameMetaFieldDef,
} from 'graphql'
import { memoize } from '../kernel/memoize.ts'
import { type Access, accessOf } from './field-access.ts'

/** An operation, and the values of the variables that decide which of its fields are executed. */
export type Source = {
  schema: GraphQLSchema
  operation: OperationDefinitionNode
  fragments: Record<string, FragmentDefinitionNode>
  /** The values of the variables in `@skip` and `@include`. */
  conditions: VariableValues
  /** Whether the caller has an affiliate token, so that each field checks access. */
  isAffiliate: boolean
}

/** The fields that are selected of one object type, in the order of the response. */
export type Selection = {
  fields: readonly FieldPlan[]
  empty: () => Record<string, unknown>
}

export type Shape = { isNonNull: boolean } & (
  | { kind: 'leaf'; type: GraphQLLeafType; serialize: (value: unknown) => unknown }
  | { kind: 'list'; item: Shape }
  | { kind: 'object'; selection: () => Selection }
  | { kind: 'abstract'; type: GraphQLAbstractType; selectionOf: (type: GraphQLObjectType) => Selection }
)

export type FieldPlan = {
  key: string
  index: number
  nodes: readonly FieldNode[]
  definition: GraphQLField<unknown, unknown>
  parentType: GraphQLObjectType
  shape: Shape
  access: Access
  /** Whether the value needs no resolver and no selection, so that it is never a promise. */
  isAtHand: boolean
}

/**
 * Plans a query: which fields each object has, where their values are and how they are written. Selections are planned
 * when they are first reached.
 */
export function planQuery(source: Source): Selection | undefined {
  const { schema, operation, fragments, conditions } = source
  const type = schema.getQueryType() as GraphQLObjectType
  const { fields } = collectFields(schema, fragments, conditions, type, operation.selectionSet)
  const readsSchema = [...fields.values()].some(([node]) => /^__(schema|type)$/.test(node?.name.value ?? ''))
  if (readsSchema) return undefined
  return planSelection({ ...source, counter: { fields: 0 } }, type, fields)
}

type Planning = Source & { counter: { fields: number } }

function planSelection(
  planning: Planning,
  parentType: GraphQLObjectType,
  selected: ReadonlyMap<string, readonly FieldNode[]>,
): Selection {
  const definitions = parentType.getFields()
  const fields = [...selected].flatMap(([key, nodes]): FieldPlan[] => {
    const name = nodes[0]?.name.value as string
    const definition = name === TypeNameMetaFieldDef.name ? TypeNameMetaFieldDef : definitions[name]
    return definition ? [planField(planning, parentType, { key, nodes, definition })] : []
  })
  // An alias can be `__proto__`, which a normal object would take for its prototype.
  const isOrdinary = fields.every(({ key }) => key !== '__proto__')
  return { fields, empty: isOrdinary ? () => ({}) : () => Object.create(null) }
}

function planField(
  planning: Planning,
  parentType: GraphQLObjectType,
  { key, nodes, definition }: Pick<FieldPlan, 'key' | 'nodes' | 'definition'>,
): FieldPlan {
  planning.counter.fields += 1
  const shape = shapeOf(planning, definition.type, nodes)
  const possible = accessOf(definition, parentType, planning)
  const access = possible.kind === 'relation' && !isContained(shape) ? asResolver(possible) : possible
  const isAtHand = shape.kind === 'leaf' && access.kind !== 'resolver'
  return { key, index: planning.counter.fields, nodes, definition, parentType, shape, access, isAtHand }
}

const asResolver = ({ resolve, own }: Extract<Access, { kind: 'relation' }>): Access => ({
  kind: 'resolver',
  resolve,
  own,
  isComputed: false,
  isGuarded: false,
})

/** Whether all selected values follow from the row. Otherwise Pothos needs the resolvers above the fields. */
const isContained = (shape: Shape): boolean =>
  shape.kind === 'object' &&
  shape.selection().fields.every(({ access, shape: below }) => {
    if (access.kind === 'relation') return true
    return below.kind === 'leaf' && (access.kind !== 'resolver' || access.isComputed)
  })

function shapeOf(planning: Planning, type: GraphQLOutputType, nodes: readonly FieldNode[]): Shape {
  if (isNonNullType(type)) return { ...shapeOf(planning, type.ofType, nodes), isNonNull: true }
  if (isListType(type)) return { kind: 'list', isNonNull: false, item: shapeOf(planning, type.ofType, nodes) }
  if (isLeafType(type)) return { kind: 'leaf', isNonNull: false, type, serialize: (value) => type.serialize(value) }
  const { schema, fragments, conditions } = planning
  const selectionOf = memoize((of: GraphQLObjectType) =>
    planSelection(planning, of, collectSubFields(schema, fragments, conditions, of, nodes as FieldNode[]).fields),
  )
  if (!isObjectType(type)) return { kind: 'abstract', isNonNull: false, type, selectionOf }
  return { kind: 'object', isNonNull: false, selection: () => selectionOf(type) }
}
