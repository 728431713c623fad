import { execute, type GraphQLError } from 'graphql'
import { useSofa } from 'sofa-api'
import { invalid, notFound, TributaryError } from '../errors.ts'
import { demandWriteAccess } from '../graphql/access.ts'
import type { GraphQLContext } from '../graphql/context.ts'
import { flag } from '../input/fields.ts'
import { problem } from '../input/parse.ts'
import { readFields, readForm } from './body.ts'
import { errorResponse } from './errors.ts'
import { answerExport, type Delivery } from './export.ts'
import { readNames } from './names.ts'
import { matchRoute, type Route, routes } from './routes.ts'
import { contractSchema, operationField } from './schema.ts'

/** What the gateway hands to sofa beside the request, and what it hears back. */
type Call = {
  context: GraphQLContext
  route: Route
  input: Record<string, unknown>
  status: number
  error?: unknown
}

export type RestRequest = { method: string; url: URL; contentType: string | null; body: Uint8Array }

const basePath = '/v1'

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
 * the contract's type has, runs it and writes the answer. Reading the request and mapping errors are ours: sofa knows
 * no body limit, no forms and no error envelope, and serves every field of a schema, listed or not. So it is only ever
 * called with a method and a path that the table has, and without a body.
 */
const sofa = useSofa({
  basePath,
  schema: contractSchema,
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
      schema: contractSchema,
      document,
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

const statusOf = ({ status, otherwise }: Route, answer: unknown): number =>
  otherwise && (answer as Record<string, unknown>)[otherwise.field] === true ? otherwise.status : status

/** `input` takes the whole body; any other argument is a field of the same name. */
function variablesOf({ route, input }: Call): Record<string, unknown> {
  const { args } = operationField(route.operation)
  const given = args.map((arg) => [arg.name, arg.name === 'input' ? input : input[arg.name]] as const)
  return Object.fromEntries(given.filter(([, value]) => value !== undefined))
}

/**
 * Answers a request below /v1 of somebody who holds a key.
 *
 * @param context the scope of the key
 * @param toError what an unexpected error is to the caller
 * @param delivery for answers that are written while they are read
 */
export async function answerRest(
  request: RestRequest,
  context: GraphQLContext,
  toError: (error: unknown) => TributaryError,
  delivery: Delivery,
): Promise<Response> {
  const path = request.url.pathname.slice(basePath.length).replace(/(.)\/$/, '$1')
  const match = matchRoute(request.method, path)
  if (!match) return errorResponse(new TributaryError('NOT_FOUND', 'Not found.'))
  if ('allow' in match) {
    const response = errorResponse(new TributaryError('METHOD_NOT_ALLOWED', 'Method not allowed.'))
    response.headers.set('Allow', match.allow.join(', '))
    return response
  }
  const { id } = match
  let { route } = match
  try {
    route = asAsked(route, request.url, context)
    const input = readInput(request, route, id)
    if (route.isExport) return await answerExport(route, input, context, delivery, toError)
    const call: Call = { context, route, input, status: route.status }
    const { method = route.method } = operations.get(route.operation) ?? {}
    const target = new URL(basePath + sofaPath(route.operation), request.url)
    const response = await sofa.fetch(new Request(target, { method }), { call })
    if (call.error) throw call.error
    if (route.isFile) return fileResponse(await response.json())
    // Also by GET, where the answer is made for this one request and must not be taken from a cache.
    if (isMutation(route)) response.headers.set('Cache-Control', 'no-store')
    return call.status === response.status
      ? response
      : new Response(response.body, { status: call.status, headers: response.headers })
  } catch (error) {
    return errorResponse(namePathId(toError(error), route, id), route)
  }
}

const isMutation = ({ operation }: Route) => operation.startsWith('Mutation.')

/** What a route table can not say: of the operation's answer, the file is the body. */
function fileResponse(file: { csv: string; file_name: string; skipped_count: number }): Response {
  return new Response(file.csv, {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${file.file_name}"`,
      'X-Skipped-Payouts': String(file.skipped_count),
    },
  })
}

/**
 * A dry run answers as the operation would, but for the status: nothing was created. Whoever asks for one in words that
 * can not be read is refused: to take them for a "no" would write what was only to be tried. A key that may only read
 * hears that first, before anything else of the request is looked at.
 */
function asAsked({ dryRun, ...route }: Route, { searchParams }: URL, context: GraphQLContext): Route {
  const asked = searchParams.get('dry_run')
  const isDry = dryRun && asked !== null ? flag().safeParse(asked) : undefined
  const chosen = dryRun && isDry?.data ? { ...route, operation: dryRun, status: 200 } : route
  if (isMutation(chosen)) demandWriteAccess(context)
  if (isDry?.success === false) throw invalid([problem('dryRun', 'must be true or false')])
  return chosen
}

function readInput(request: RestRequest, route: Route, id: string | undefined): Record<string, unknown> {
  const input = readNames(readWire(request, route), route.renamed)
  return id === undefined ? input : { ...input, [route.idField ?? 'id']: decodeId(id) }
}

/** What is sent to a route that reads nothing is ignored, whatever it is. */
function readWire({ url, body, contentType }: RestRequest, { method, input }: Route): Record<string, unknown> {
  if (!input) return {}
  return method === 'GET' ? readForm(url.search) : readFields(body, contentType)
}

/** An id that nothing has is a 404 where the path names it, also where the verb reads it as a field of its input. */
function namePathId(error: TributaryError, { idField }: Route, id: string | undefined): TributaryError {
  const unknown = idField && error.problems.some(({ field }) => field === idField)
  return unknown && id !== undefined ? notFound('Affiliate', decodeId(id)) : error
}

function decodeId(id: string): string {
  try {
    return decodeURIComponent(id)
  } catch {
    return id
  }
}
