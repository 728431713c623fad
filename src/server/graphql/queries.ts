import {
  type DocumentNode,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
  validate,
  visit,
} from 'graphql'
import { LRUCache } from 'lru-cache'
import { withCoercedVariables } from '../../execution/coerced-variables.ts'
import { executeToJson } from '../../execution/execute.ts'
import { textOf } from '../../execution/write.ts'
import type { GraphQLContext } from '../../graphql/context.ts'
import { limits } from '../../graphql/cost.ts'
import { keepQueries } from '../../graphql/nested-query.ts'
import { parseJson } from '../../http/body.ts'
import { decodeText, type Incoming } from '../../http/incoming.ts'
import { usesMechanism } from '../../kernel/engine.ts'
import { excerpt } from '../../kernel/text.ts'
import { publicSchema } from '../../schema/schema.ts'
import type { Operation } from '../entrance/admit.ts'
import { fromPrimary, isPureRead, readsFreshPayouts, selectsOnly } from '../entrance/reads.ts'
import type { HandlerAnswer, RequestState } from '../handler.ts'
import { hasOnlyOwnErrors } from '../operations/replicas.ts'
import { namedOperation } from '../traces/serve.ts'
import { checkCost, checkShape } from './query-limits.ts'
import { checkText } from './query-text.ts'
import { coerceVariables } from './query-variables.ts'
import type { YogaOptions, YogaServer } from './yoga.ts'

/** A valid query that only reads. */
type PlainQuery = { document: DocumentNode; operation: OperationDefinitionNode }

type Params = Record<string, unknown>

/** Yoga handles larger requests. In bytes. */
const maximumBody = 20_000

/** As many as Yoga keeps: see documentCaches. */
const maximumQueries = 200

const jsonForm = /^application\/json(?: *; *charset=utf-8)?$/i
/** The Accept headers that Yoga answers with JSON. Others are left to it. */
const acceptsJson = new Set([null, '*/*', 'application/json'])

/** The operation of a request that is a plain query: valid, within all limits, and of fields that only read. */
export type Queries = (incoming: Incoming, state: RequestState, body: Uint8Array) => Operation<HandlerAnswer> | null

type Options = Pick<YogaOptions, 'persistedOperations' | 'readFrom' | 'tracing'> & { yoga: YogaServer }

/**
 * Plain queries, which are answered without the objects and hooks of Yoga. What a request is decides that before it
 * runs, not what was asked before. Yoga parses and validates the others, and reports what is wrong with them.
 */
export function createQueries({ yoga, persistedOperations, readFrom = fromPrimary, tracing }: Options): Queries {
  // Yoga compares queries with the list of the only allowed ones.
  if (persistedOperations?.only || !usesMechanism('executor')) return () => null
  const known = new LRUCache<string, PlainQuery | 'of Yoga'>({ max: maximumQueries })
  const queryOf = (text: string): PlainQuery | null => {
    const query = known.get(text) ?? readPlainQuery(text) ?? 'of Yoga'
    known.set(text, query)
    return query === 'of Yoga' ? null : query
  }

  return (incoming, state, body) => {
    if (incoming.method !== 'POST' || incoming.search !== '' || !jsonForm.test(incoming.header('content-type') ?? ''))
      return null
    if (body.byteLength > maximumBody || !acceptsJson.has(incoming.header('accept'))) return null
    const params = readParams(body)
    const query = params && queryOf(params.query as string)
    if (!query) return null
    const { document, operation } = query
    const { variables, operationName } = params
    const operationText = operation.name?.value
    if (typeof operationName === 'string' ? operationName !== operationText : operationName != null) return null
    const args = { schema: publicSchema, document, variableValues: variables as Params | null | undefined }
    if (coerceVariables(args).length > 0) return null
    const { cost, error, fields } = checkCost(args)
    if (!cost || error || fields.some(readsFreshPayouts)) return null
    const name = operationText && excerpt(operationText)
    const execute = async (context: GraphQLContext) => {
      const contextValue: GraphQLContext = { selectedFields: fields, ...context }
      return await executeToJson({ contextValue, ...args })
    }
    return {
      name,
      isRead: true,
      run: async (context) => {
        const read = () => readFrom(context, execute, hasOnlyOwnErrors)
        const result = await (tracing ? tracing.operation('query', namedOperation('query', name), read) : read())
        // Yoga writes errors.
        if (result.errors) return await yoga(incoming, { ...state, context, body, result })
        const text = `{"data":${textOf(result.data)},"extensions":${JSON.stringify({ cost })}}`
        return { status: 200, headers: { 'Content-Type': 'application/json; charset=utf-8' }, body: text }
      },
    }
  }
}

/** Null if the text is anything but one valid query of which every field only reads. */
function readPlainQuery(text: string): PlainQuery | null {
  try {
    checkText(text)
    const document = parse(text, { maxTokens: limits.tokens })
    // Null if there are several operations.
    if (!selectsOnly(isPureRead, getOperationAST(document))) return null
    checkShape(publicSchema, document)
    return validate(publicSchema, document, undefined, { maxErrors: 1 }).length > 0 ? null : plainQuery(document)
  } catch {
    return null
  }
}

/** The query with a separate operation, since its queries are kept only here. */
function plainQuery({ definitions, ...document }: DocumentNode): PlainQuery {
  const copies = definitions.map((definition) => ({ ...definition }))
  const operation = copies.find(({ kind }) => kind === Kind.OPERATION_DEFINITION) as OperationDefinitionNode
  const copied = { ...document, definitions: copies }
  if (selectsTheSame(copied)) keepQueries(executedOperation(copied, operation))
  return { document: copied, operation }
}

/** A document with variables is executed with coerced ones. */
const executedOperation = (document: DocumentNode, operation: OperationDefinitionNode) =>
  operation.variableDefinitions?.length
    ? (getOperationAST(withCoercedVariables(publicSchema, document).document) as OperationDefinitionNode)
    : operation

/**
 * Whether a query selects the same of its rows in every request: variables and conditions, which the clock decides, are
 * arguments of the fields of `Query` only.
 */
function selectsTheSame({ definitions, ...document }: DocumentNode): boolean {
  const below = definitions.map((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION
      ? { ...definition, variableDefinitions: [], selectionSet: withoutArguments(definition.selectionSet) }
      : definition,
  )
  let isSame = true
  const differs = () => {
    isSame = false
  }
  visit(
    { ...document, definitions: below },
    {
      Variable: differs,
      Argument({ name }) {
        if (name.value === 'where') differs()
      },
    },
  )
  return isSame
}

const withoutArguments = ({ selections, ...set }: SelectionSetNode): SelectionSetNode => ({
  ...set,
  selections: selections.map((one) => (one.kind === Kind.FIELD ? { ...one, arguments: [] } : one)),
})

/** The parameters of a request that has a query, and nothing but its variables and its name. */
function readParams(body: Uint8Array): Params | null {
  try {
    const { query, variables, operationName, ...others } = parseJson(decodeText(body), 'The body') as Params
    const isPlain = variables == null || (typeof variables === 'object' && !Array.isArray(variables))
    return typeof query === 'string' && isPlain && Object.keys(others).length === 0
      ? { query, variables, operationName }
      : null
  } catch {
    return null
  }
}
