import { collectFields, collectSubFields, type VariableValues } from '@graphql-tools/utils'
import {
  type DocumentNode,
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
  Kind,
  type OperationDefinitionNode,
  TypeNameMetaFieldDef,
  visit,
} from 'graphql'
import { LRUCache } from 'lru-cache'
import { memoize } from '../kernel/memoize.ts'
import { type Access, accessOf } from './field-access.ts'

/** An operation, and the values of the variables that decide which of its fields are executed. */
type Source = {
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

export type PlannedOperation = {
  schema: GraphQLSchema
  fragments: Record<string, FragmentDefinitionNode>
  selection: Selection
}

type Asked = {
  schema: GraphQLSchema
  document: DocumentNode
  operation: OperationDefinitionNode
  variables: Readonly<Record<string, unknown>>
  isAffiliate: boolean
}

type Known = {
  schema: GraphQLSchema
  fragments: Record<string, FragmentDefinitionNode>
  /** The variables of `@skip` and `@include`. */
  conditions: readonly string[]
  plans: LRUCache<string, { selection: Selection | undefined }>
}

/** A document has few operations, and its `@skip` and `@include` rarely have all combinations of values. */
const plansPerDocument = 20

/** Kept for as long as the document is: GraphQL documents are cached by their text, REST's stay for ever. */
const documents = new WeakMap<DocumentNode, Known>()

/** The plan of a query, made when it is first asked for. Undefined if the query reads the schema itself. */
export function plannedOperation(asked: Asked): PlannedOperation | undefined {
  const { schema, document, operation, variables, isAffiliate } = asked
  const known = knownOf(schema, document)
  const { fragments, plans, conditions } = known
  const key = `${operation.name?.value ?? ''} ${isAffiliate} ${conditions.map((name) => variables[name]).join()}`
  let plan = plans.get(key)
  if (!plan) {
    const given = conditions.filter((name) => Object.hasOwn(variables, name)).map((name) => [name, variables[name]])
    const values = { coerced: Object.fromEntries(given), sources: {} }
    plan = { selection: planQuery({ schema, operation, fragments, conditions: values, isAffiliate }) }
    plans.set(key, plan)
  }
  return plan.selection && { schema, fragments, selection: plan.selection }
}

function knownOf(schema: GraphQLSchema, document: DocumentNode): Known {
  const before = documents.get(document)
  if (before?.schema === schema) return before
  const conditions = new Set<string>()
  const fragments: Known['fragments'] = {}
  visit(document, {
    FragmentDefinition(node) {
      fragments[node.name.value] = node
    },
    Directive(node) {
      for (const { value } of node.arguments ?? []) if (value.kind === Kind.VARIABLE) conditions.add(value.name.value)
    },
  })
  const known = {
    schema,
    fragments,
    conditions: [...conditions],
    plans: new LRUCache<string, { selection: Selection | undefined }>({ max: plansPerDocument }),
  }
  documents.set(document, known)
  return known
}

/** Plans which fields each object has, where their values are, and how they are written. */
function planQuery(source: Source): Selection | undefined {
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
  // Fields below can be planned here, and are counted too.
  const index = planning.counter.fields
  const shape = shapeOf(planning, definition.type, nodes)
  const possible = accessOf(definition, parentType, planning)
  const access = possible.kind === 'relation' && !isContained(shape) ? asResolver(possible) : possible
  const isAtHand = shape.kind === 'leaf' && access.kind !== 'resolver'
  return { key, index, nodes, definition, parentType, shape, access, isAtHand }
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

/** A query for rows, with more columns, if it does not select all. */
export function withColumns<Q extends { select?: unknown }>(query: Q, columns: readonly string[]): Q {
  const { select } = query
  if (!select || columns.every((name) => name in (select as object))) return query
  return { ...query, select: { ...select, ...Object.fromEntries(columns.map((name) => [name, true])) } }
}
