import { type DocumentNode, execute, type GraphQLError } from 'graphql'
import { useSofa } from 'sofa-api'
import type { ApiKeyProfile } from '../generated/prisma/enums.ts'
import type { GraphQLContext } from '../graphql/context.ts'
import { expandable } from './convention/table.ts'
import { type Route, routes } from './routes.ts'
import { operationField, schemas } from './schema.ts'
import { withoutHidden } from './superset.ts'

/** Where the REST API is. */
export const basePath = '/v1'

/** What is asked for of an operation. */
export type Asked = {
  context: GraphQLContext
  route: Route
  input: Record<string, unknown>
  /** What else is to be in the answer, where the profile has it. */
  expanded: ReadonlySet<string>
}

/** What is handed to sofa beside the request, and what is heard back. */
type Call = Asked & { status: number; error?: unknown }

/** How sofa knows an operation: whatever path a client called, this one is never seen by anybody. */
const sofaPath = (operation: Route['operation']) => `/${operation}`
const operations = new Map<Route['operation'], Pick<Route, 'method' | 'status'>>()
for (const { operation, dryRun, method, status, isExport } of routes) {
  if (isExport) continue
  if (!operations.has(operation)) operations.set(operation, { method, status })
  if (dryRun) operations.set(dryRun, { method, status: 200 })
}

/**
 * sofa-api turns the route table into GraphQL operations: it finds the field of a method and path, selects everything
 * the profile's type has, runs it and writes the answer. Reading the request and mapping errors are ours: sofa knows
 * no body limit, no forms and no error envelope, and serves every field of a schema, listed or not. So it is only ever
 * called with a method and a path that the table has, and without a body.
 */
const createSofa = (profile: ApiKeyProfile) =>
  useSofa({
    basePath,
    schema: schemas[profile],
    routes: Object.fromEntries(
      [...operations].map(([operation, { method, status }]) => [
        operation,
        { method, path: sofaPath(operation), responseStatus: status },
      ]),
    ),
    context: (serverContext: { call: Call }) => serverContext.call,
    async execute({ document, contextValue, operationName }) {
      const call = contextValue as Call
      const result = await execute({
        schema: schemas[profile],
        document: profile === 'contract' ? document : shownDocument(document, call),
        operationName,
        contextValue: call.context,
        variableValues: variablesOf(call),
      })
      const [error] = (result.errors ?? []) as GraphQLError[]
      if (error) call.error = error.originalError ?? error
      else call.status = statusOf(call.route, Object.values(result.data ?? {})[0])
      return result
    },
    errorHandler: () => new Response(null, { status: 500 }) as never,
  })

const sofas: Partial<Record<ApiKeyProfile, ReturnType<typeof createSofa>>> = {}

/**
 * Runs the operation of a route, with the fields of the key's profile.
 *
 * @throws what the operation throws
 */
export async function runOperation(asked: Asked): Promise<Response> {
  const { route, context } = asked
  const { profile } = context
  sofas[profile] ??= createSofa(profile)
  const call: Call = { ...asked, status: route.status }
  const { method = route.method } = operations.get(route.operation) ?? {}
  const target = `http://sofa${basePath}${sofaPath(route.operation)}`
  const response = await sofas[profile].fetch(new Request(target, { method }), { call })
  if (call.error) throw call.error
  if (call.status === response.status) return response
  return new Response(response.body, { status: call.status, headers: response.headers })
}

const shown = new WeakMap<DocumentNode, Map<string, DocumentNode>>()

/** The operation as it answers this call; what was made once is kept, by what the call expands of what can be expanded. */
function shownDocument(document: DocumentNode, { route, expanded }: Call): DocumentNode {
  const byExpanded = shown.get(document) ?? new Map<string, DocumentNode>()
  shown.set(document, byExpanded)
  const known = expandable.filter((name) => expanded.has(name)).join()
  const kept = byExpanded.get(known)
  if (kept) return kept
  const made = withoutHidden(schemas.superset, document, route.operation.replace(/^.*\./, ''), expanded)
  byExpanded.set(known, made)
  return made
}

const statusOf = ({ status, otherwise }: Route, answer: unknown): number =>
  otherwise && (answer as Record<string, unknown>)[otherwise.field] === true ? otherwise.status : status

/** `input` takes the whole body; any other argument is a field of the same name. */
function variablesOf({ route, input }: Call): Record<string, unknown> {
  const { args } = operationField(route.operation)
  const given = args.map((arg) => [arg.name, arg.name === 'input' ? input : input[arg.name]] as const)
  return Object.fromEntries(given.filter(([, value]) => value !== undefined))
}
