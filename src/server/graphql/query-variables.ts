import {
  coerceInputValue,
  type DocumentNode,
  GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  getOperationAST,
  isNonNullType,
  type TypeNode,
  typeFromAST,
  type VariableDefinitionNode,
  valueFromAST,
} from 'graphql'
import { withCoercedVariables } from '../../execution/coerced-variables.ts'
import { excerpt } from '../../kernel/text.ts'
import type { GraphQLState } from '../handler.ts'
import { boundedError } from './query-errors.ts'

/** How many mistakes in variables are reported. */
const maxErrors = 5

/** Thrown to end the coercion. It is created once, because creating an error records the stack. */
const enough = new Error('enough errors')

/** "Did you mean …" takes long for a long text. In bytes of the request. */
const maxForSuggestions = 20_000

type Execution = {
  schema: GraphQLSchema
  document: DocumentNode
  operationName?: string | null
  variableValues?: Readonly<Record<string, unknown>> | null
  /** Yoga's, which contains the state of the request. */
  contextValue?: unknown
}

/**
 * Coerces an operation's variables in place. GraphQL's own coercion prints the value for every mistake, which takes the
 * square of its size.
 * @returns the mistakes; the operation is changed only if it has no mistakes
 */
export function coerceVariables(execution: Execution): GraphQLError[] {
  const { schema, document, operationName, variableValues, contextValue } = execution
  const definitions = getOperationAST(document, operationName)?.variableDefinitions ?? []
  if (definitions.length === 0) return []
  const errors: GraphQLError[] = []
  const { body } = (contextValue ?? {}) as Partial<GraphQLState>
  const hideSuggestions = (body?.byteLength ?? 0) > maxForSuggestions
  const report = (node: VariableDefinitionNode, message: string) => {
    const http = { spec: true, status: 400 }
    errors.push(boundedError(new GraphQLError(message, { nodes: node, extensions: { code: 'BAD_REQUEST', http } })))
    if (errors.length >= maxErrors) throw enough
  }
  const coerced: [name: string, value: unknown][] = []
  try {
    for (const node of definitions) {
      const value = coerceVariable(schema, node, variableValues ?? {}, { report, hideSuggestions })
      if (value !== undefined) coerced.push([node.variable.name.value, value])
    }
  } catch (error) {
    if (error !== enough) throw error
  }
  if (errors.length === 0)
    Object.assign(execution, withCoercedVariables(schema, document), { variableValues: Object.fromEntries(coerced) })
  return errors
}

type Reporting = {
  report: (node: VariableDefinitionNode, message: string) => void
  hideSuggestions: boolean
}

/** The types of variables, for as long as their documents are kept. */
const known = new WeakMap<TypeNode, { schema: GraphQLSchema; type: GraphQLInputType }>()

function typeOf(schema: GraphQLSchema, node: TypeNode): GraphQLInputType {
  const before = known.get(node)
  if (before?.schema === schema) return before.type
  // The validation of the document has checked that it is a type of inputs.
  const type = typeFromAST(schema, node as never) as GraphQLInputType
  known.set(node, { schema, type })
  return type
}

/** @returns undefined if the variable has no value */
function coerceVariable(
  schema: GraphQLSchema,
  node: VariableDefinitionNode,
  values: Readonly<Record<string, unknown>>,
  { report, hideSuggestions }: Reporting,
): unknown {
  const name = node.variable.name.value
  const type = typeOf(schema, node.type)
  const isGiven = Object.hasOwn(values, name)
  if (!isGiven) {
    if (node.defaultValue) return valueFromAST(node.defaultValue, type)
    if (isNonNullType(type)) report(node, `Variable "$${name}" of required type "${type}" was not provided.`)
    return
  }
  if (isNonNullType(type) && values[name] === null) {
    report(node, `Variable "$${name}" of non-null type "${type}" must not be null.`)
    return
  }
  return coerceInputValue(
    values[name],
    type,
    (path, value, { message }) => {
      const place = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')
      const reason =
        typeof value === 'string'
          ? message.replace(JSON.stringify(value), () => JSON.stringify(excerpt(value, 50)))
          : message
      report(node, `Variable "$${name}" got invalid value${place && ` at "${place.replace(/^\./, '')}"`}; ${reason}`)
    },
    hideSuggestions,
  )
}
