import {
  type DocumentNode,
  type ExecutionResult,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  visit,
} from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { LRUCache } from 'lru-cache'
import type { GraphQLContext } from '../../graphql/context.ts'
import { executeToJson } from '../../graphql/execution/execute.ts'
import { textOf } from '../../graphql/execution/write.ts'
import { keepQueries } from '../../graphql/nested-query.ts'
import { parseJson } from '../../http/json.ts'
import { excerpt } from '../../kernel/errors.ts'
import { publicSchema } from '../../schema/schema.ts'
import { readsFreshPayouts } from '../fresh-payouts.ts'
import { checkCost } from '../query-limits.ts'
import { coerceVariables } from '../query-variables.ts'
import { directReads } from './reads.ts'
import type { DirectOperation, DirectRequest } from './request.ts'

/** A query that Yoga has parsed, validated and executed without an error. */
type KnownQuery = { document: DocumentNode; operation: OperationDefinitionNode }

type Params = Record<string, unknown>

/** As many as Yoga keeps: see documentCaches. */
const maximumQueries = 200

const jsonForm = /^application\/json(?: *; *charset=utf-8)?$/i
/** The Accept headers that Yoga answers with JSON. Others are left to it. */
const acceptsJson = new Set([null, '*/*', 'application/json'])

/** Queries that Yoga has executed before and that only read. Variables and cost are checked here again. */
export function createDirectQueries() {
  const known = new LRUCache<string, KnownQuery>({ max: maximumQueries })
  /** Results with errors, by their request. Yoga makes the answer of them, without running the query again. */
  const failed = new WeakMap<object, ExecutionResult>()

  const understand = (request: DirectRequest): DirectOperation | null => {
    if (
      !jsonForm.test(request.header('content-type') ?? '') ||
      request.target !== '/graphql' ||
      !acceptsJson.has(request.header('accept'))
    )
      return null
    const params = readParams(request.body())
    const query = params && known.get(params.query as string)
    if (!query) return null
    const { document, operation } = query
    const { variables, operationName } = params
    const name = operation.name?.value
    if (typeof operationName === 'string' ? operationName !== name : operationName != null) return null
    const args = { schema: publicSchema, document, variableValues: variables as Params | null | undefined }
    if (coerceVariables(args).length > 0) return null
    const { cost, error, fields } = checkCost(args)
    if (!cost || error || fields.some(readsFreshPayouts)) return null
    return {
      path: '/graphql',
      route: '/graphql',
      operation: name && excerpt(name),
      run: async (context) => {
        const contextValue: GraphQLContext = { ...context, selectedFields: fields }
        const result = await executeToJson({ ...args, contextValue })
        if (result.errors) {
          failed.set(request.source, result)
          return null
        }
        const body = `{"data":${textOf(result.data)},"extensions":${JSON.stringify({ cost })}}`
        return { status: 200, headers: { 'Content-Type': 'application/json; charset=utf-8' }, body }
      },
    }
  }

  const plugin: Plugin = {
    onExecute({ args, context, setExecuteFn }) {
      const { params, req } = context as { params?: { query?: unknown }; req?: object }
      const result = req && failed.get(req)
      if (result) return setExecuteFn(() => result)
      const { query } = params ?? {}
      // Coercing the variables replaces the document of the arguments.
      const { document } = args
      if (typeof query !== 'string' || known.has(query) || !onlyReads(document)) return
      return {
        onExecuteDone({ result }) {
          if (!(result as ExecutionResult).errors) known.set(query, knownQuery(document))
        },
      }
    },
  }
  return { understand, plugin }
}

/** The query with a separate operation, since its queries are kept only here. */
function knownQuery({ definitions, ...document }: DocumentNode): KnownQuery {
  const copies = definitions.map((definition) => ({ ...definition }))
  const operation = copies.find(({ kind }) => kind === Kind.OPERATION_DEFINITION) as OperationDefinitionNode
  const copied = { ...document, definitions: copies }
  if (isFixed(copied)) keepQueries(operation)
  return { document: copied, operation }
}

/** Whether a query selects the same in every request: it has no variables, and no conditions that the clock decides. */
function isFixed(document: DocumentNode): boolean {
  let fixed = true
  visit(document, {
    VariableDefinition: () => {
      fixed = false
    },
    Argument: ({ name }) => {
      if (name.value === 'where') fixed = false
    },
  })
  return fixed
}

/** The parameters of a request that has a query, and nothing but its variables and its name. */
function readParams(body: string | null): Params | null {
  if (body === null) return null
  try {
    const { query, variables, operationName, ...others } = parseJson(body, 'The body') as Params
    const isPlain = variables == null || (typeof variables === 'object' && !Array.isArray(variables))
    return typeof query === 'string' && isPlain && Object.keys(others).length === 0
      ? { query, variables, operationName }
      : null
  } catch {
    // Yoga reports it.
    return null
  }
}

/** Whether a document is one query of which every field only reads. */
function onlyReads({ definitions }: DocumentNode): boolean {
  const [operation, another] = definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION)
  if (operation?.kind !== Kind.OPERATION_DEFINITION || another) return false
  const { selections } = operation.selectionSet
  const areReads = selections.every((one) => one.kind === Kind.FIELD && directReads.has(one.name.value))
  return operation.operation === OperationTypeNode.QUERY && areReads
}
