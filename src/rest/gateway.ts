import { demandWriteAccess } from '../graphql/access.ts'
import type { GraphQLContext } from '../graphql/context.ts'
import { invalid, notFound, TributaryError } from '../kernel/errors.ts'
import { flag } from '../kernel/input/fields.ts'
import { problem } from '../kernel/input/parse.ts'
import { readFields, readForm } from './body.ts'
import { errorResponse } from './errors.ts'
import { answerExport, type Delivery } from './export.ts'
import { givenTwice, inRouteWords, namesOf, readExpand, readNames, withoutRepeated } from './names.ts'
import { basePath, runOperation } from './operations.ts'
import { matchRoute, type Route, routes } from './routes.ts'

export type RestRequest = { method: string; url: URL; contentType: string | null; body: Uint8Array }

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
  const match = matchRoute(request.method, pathOf(request.url))
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
    const sent = await readSent(request, route, id, context)
    const input = readInput(sent, route, id, context)
    if (route.isExport) return await answerExport(route, input, context, delivery, toError)
    const query = readForm(request.url.search)
    const response = await runOperation({
      context,
      route,
      input,
      expanded: readExpand(query.expand, sent.expand, sent['expand[]']),
    })
    // Also by GET, where the answer is made for this one request and must not be taken from a cache.
    if (isMutation(route)) response.headers.set('Cache-Control', 'no-store')
    return route.isFile ? fileResponse(await response.json()) : response
  } catch (error) {
    const told = inRouteWords(toError(error), namesOf(route, context.profile))
    return errorResponse(namePathId(told, route, id), route)
  }
}

/** The path below /v1; one slash at its end does not count. */
export const pathOf = ({ pathname }: URL): string => pathname.slice(basePath.length).replace(/(.)\/$/, '$1')

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

function readInput(
  sent: Record<string, unknown>,
  route: Route,
  id: string | undefined,
  { profile, words }: GraphQLContext,
): Record<string, unknown> {
  const input = readNames(sent, namesOf(route, profile))
  // In the contract's words all open payouts are pending, also those that the convention calls due.
  if (input.conventionState !== undefined && words === 'contract')
    input.conventionState = [input.conventionState]
      .flat()
      .flatMap((state) => (state === 'pending' ? ['pending', 'due'] : [state]))
  return id === undefined ? input : { ...input, [route.idField ?? 'id']: decodeId(id) }
}

/** What was sent, each field by one name. */
async function readSent(
  request: RestRequest,
  route: Route,
  id: string | undefined,
  context: GraphQLContext,
): Promise<Record<string, unknown>> {
  const sent = readWire(request, route)
  if (route.method !== 'PUT' || givenTwice(sent).length === 0) return sent
  const read = routes.find(({ method, path }) => method === 'GET' && path === route.path)
  if (!read) return sent
  const input = { id: decodeId(id ?? '') }
  const current = await runOperation({ context, route: read, input, expanded: new Set() })
  return withoutRepeated(sent, (await current.json()) as Record<string, unknown>)
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
