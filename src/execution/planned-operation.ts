import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql'
import { LRUCache } from 'lru-cache'
import { planQuery, type Selection } from './plan.ts'

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
