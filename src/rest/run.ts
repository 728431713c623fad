import { buildOperationNodeForField } from '@graphql-tools/utils'
import { type DocumentNode, type ExecutionResult, Kind, OperationTypeNode } from 'graphql'
import { createSofa, type createSofaRouter } from 'sofa-api'
import { execute, executeToJson } from '../execution/execute.ts'
import { textOf } from '../execution/write.ts'
import type { ApiKeyProfile } from '../generated/prisma/enums.ts'
import type { GraphQLContext } from '../graphql/context.ts'
import { keepQueries } from '../graphql/nested-query.ts'
import { memoize } from '../kernel/memoize.ts'
import { expandable } from './convention/table.ts'
import type { OperationName, Route } from './route.ts'
import { basePath, routes } from './routes.ts'
import { operationField, schemas } from './schema.ts'
import { withoutHidden } from './superset.ts'

/** What REST operations run in. REST has no subscriptions, so it needs no events. */
export type RestContext = Omit<GraphQLContext, 'events'>

/** An operation of the route table. `expand` names the optional fields that the response shows. */
export type Operation = Pick<Route, 'operation' | 'otherwise'> & { expand?: ReadonlySet<string> }

type Sofa = Parameters<typeof createSofaRouter>[0]

const sofaRoutes = Object.fromEntries(
  routes.flatMap(({ operation, dryRun, status }) => [
    [operation, { responseStatus: status }],
    ...(dryRun ? [[dryRun, { responseStatus: 200 }]] : []),
  ]),
)

/** A dry run of an operation is listed beside it. An operation that no route names cannot run. */
const prepare = memoize((profile: ApiKeyProfile) => {
  const sofa = createSofa({ basePath, schema: schemas[profile], routes: sofaRoutes, execute })
  return memoize((operation: OperationName) => {
    const status = sofa.routes?.[operation]?.responseStatus
    if (status === undefined) throw new Error(`No REST route runs ${operation}.`)
    const document = documentOf(sofa, operation)
    const documentFor = memoize((expand: string) =>
      withoutHidden(sofa.schema, document, fieldNameOf(operation), new Set(expand.split(','))),
    )
    /** Documents of their own for `runToText`, whose queries are kept. */
    const writtenDocumentFor = memoize((expand: string) => withKeptQueries(documentFor(expand)))
    const names = operationField(operation).args.map(({ name }) => name)
    return { sofa, status, names, documentFor, writtenDocumentFor }
  })
})

/**
 * Runs an operation of the REST schema. Every REST request goes through here.
 * @param input the request's fields under their names in the schema
 * @returns the operation's result, and the status that the route table gives it
 * @throws what the operation throws
 */
export async function run(
  operation: Operation,
  input: Record<string, unknown>,
  context: RestContext,
): Promise<{ data: unknown; status: number }> {
  const { otherwise } = operation
  const { sofa, status, documentFor } = prepare(context.profile)(operation.operation)
  const data = dataOf(operation, await sofa.execute(argsFor(operation, input, context, documentFor)))
  const other = otherwise?.find(({ field }) => (data as Record<string, unknown>)[field] === true)
  return { data, status: other?.status ?? status }
}

/** Runs an operation as `run` does. @returns the JSON of the operation's result */
export async function runToText(
  operation: Operation,
  input: Record<string, unknown>,
  context: RestContext,
): Promise<string> {
  const { writtenDocumentFor } = prepare(context.profile)(operation.operation)
  return textOf(dataOf(operation, await executeToJson(argsFor(operation, input, context, writtenDocumentFor))))
}

function argsFor(
  { operation, expand }: Operation,
  input: Record<string, unknown>,
  contextValue: RestContext,
  documentFor: (expand: string) => DocumentNode,
) {
  const document = documentFor(expand ? expandable.filter((name) => expand.has(name)).join() : '')
  const { sofa, names } = prepare(contextValue.profile)(operation)
  return { schema: sofa.schema, document, contextValue, variableValues: variablesOf(names, input) }
}

function withKeptQueries({ definitions, ...document }: DocumentNode): DocumentNode {
  const copies = definitions.map((definition) => ({ ...definition }))
  for (const copy of copies) if (copy.kind === Kind.OPERATION_DEFINITION) keepQueries(copy)
  return { ...document, definitions: copies }
}

function dataOf({ operation }: Operation, { data, errors = [] }: ExecutionResult): unknown {
  const [error] = errors
  if (error) throw error.originalError ?? error
  return data?.[fieldNameOf(operation)]
}

const fieldNameOf = (operation: OperationName) => operation.slice(operation.indexOf('.') + 1)

/** Selects all fields of the operation's type, with the options that sofa's own router passes. */
const documentOf = ({ schema, models, ignore, depthLimit }: Sofa, operation: OperationName): DocumentNode => ({
  kind: Kind.DOCUMENT,
  definitions: [
    buildOperationNodeForField({
      kind: operation.startsWith('Query.') ? OperationTypeNode.QUERY : OperationTypeNode.MUTATION,
      schema,
      field: fieldNameOf(operation),
      models,
      ignore,
      circularReferenceDepth: depthLimit,
    }),
  ],
})

/** The argument `input` gets the whole input; any other argument gets the field of its name. */
function variablesOf(names: readonly string[], input: Record<string, unknown>): Record<string, unknown> {
  const given = names.map((name) => [name, name === 'input' ? input : input[name]] as const)
  return Object.fromEntries(given.filter(([, value]) => value !== undefined))
}
