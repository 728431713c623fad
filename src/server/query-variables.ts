import {
  coerceInputValue,
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  isInputType,
  isNonNullType,
  typeFromAST,
  type VariableDefinitionNode,
} from 'graphql'
import { excerpt } from '../kernel/errors.ts'
import type { RequestState } from './handler.ts'
import { boundedError } from './query-errors.ts'

/** Of many mistakes in variables, this many are reported. */
const maxErrors = 5

/** "Did you mean …" compares a text with all that are possible, which takes long for a long text. In bytes of the request. */
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
 * The mistakes in the variables of an operation. They are found before anything measures or executes the operation:
 * GraphQL's own check prints the value for every mistake, which takes the square of its size.
 */
export function variableErrors({
  schema,
  document,
  operationName,
  variableValues,
  contextValue,
}: Execution): GraphQLError[] {
  const operation = getOperationAST(document, operationName)
  const errors: GraphQLError[] = []
  const { body } = (contextValue ?? {}) as Partial<RequestState>
  const hideSuggestions = (body?.byteLength ?? 0) > maxForSuggestions
  const enough = new Error('enough errors')
  const report = (node: VariableDefinitionNode, message: string) => {
    const http = { spec: true, status: 400 }
    errors.push(boundedError(new GraphQLError(message, { nodes: node, extensions: { code: 'BAD_REQUEST', http } })))
    if (errors.length >= maxErrors) throw enough
  }
  try {
    for (const node of operation?.variableDefinitions ?? [])
      checkVariable(schema, node, variableValues ?? {}, { report, hideSuggestions })
  } catch (error) {
    if (error !== enough) throw error
  }
  return errors
}

type Reporting = {
  report: (node: VariableDefinitionNode, message: string) => void
  hideSuggestions: boolean
}

function checkVariable(
  schema: GraphQLSchema,
  node: VariableDefinitionNode,
  values: Readonly<Record<string, unknown>>,
  { report, hideSuggestions }: Reporting,
): void {
  const name = node.variable.name.value
  // The validation of the document has checked that the type exists.
  const type = typeFromAST(schema, node.type as never)
  if (!isInputType(type)) return
  const isGiven = Object.hasOwn(values, name)
  if (!isGiven) {
    if (isNonNullType(type) && !node.defaultValue)
      report(node, `Variable "$${name}" of required type "${type}" was not provided.`)
    return
  }
  if (isNonNullType(type) && values[name] === null) {
    report(node, `Variable "$${name}" of non-null type "${type}" must not be null.`)
    return
  }
  coerceInputValue(
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
