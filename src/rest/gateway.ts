import { demandWriteAccess } from '../graphql/access.ts'
import { isRead } from '../http/methods.ts'
import { peekText, textResponse } from '../http/response.ts'
import { invalid, notFound, TributaryError } from '../kernel/errors.ts'
import { flag } from '../kernel/input/fields.ts'
import { problem } from '../kernel/input/parse.ts'
import { answerOnce, replayedHeader } from '../modules/idempotency/answer-once.ts'
import { readIdempotencyKey } from '../modules/idempotency/key.ts'
import { readFields, readForm, readJson } from './body.ts'
import { errorResponse } from './errors.ts'
import { type Delivery, exportResponse } from './export.ts'
import { hasConflictingAliases, namesOf, readExpand, readNames, withoutRepeated, withSentNames } from './names.ts'
import { fileResponse, jsonResponse, type PayoutFile } from './responses.ts'
import type { Route } from './route.ts'
import { basePath, type Match, routes } from './routes.ts'
import { type Operation, type RestContext, run, runToText } from './run.ts'

export type RestRequest = {
  method: string
  url: URL
  contentType: string | null
  body: Uint8Array
  headers: Headers
}

type Fields = Record<string, unknown>
export type MatchedRoute = { route: Route; id: string | undefined }

/**
 * Responds to an authenticated request below /v1. Errors become responses too.
 * @param toError turns an unexpected error into the one that the client sees
 * @param delivery for exports, whose responses are written while the client reads them
 */
export async function answerRest(
  request: RestRequest,
  match: Match,
  context: RestContext,
  toError: (error: unknown) => TributaryError,
  delivery: Delivery,
): Promise<Response> {
  if (!match) return errorResponse(new TributaryError('NOT_FOUND', 'Not found.'))
  if ('allow' in match) {
    const response = errorResponse(new TributaryError('METHOD_NOT_ALLOWED', 'Method not allowed.'))
    response.headers.set('Allow', match.allow.join(', '))
    return response
  }
  try {
    return await (isKeyed(request, match, context)
      ? runKeyed(request, match, context, toError, delivery)
      : runRoute(request, match, context, toError, delivery))
  } catch (error) {
    return answerError(toError(error), match)
  }
}

/** Whether the request has a key, and an effect that a retry could repeat: not for a dry run. */
const isKeyed = ({ method, url, headers }: RestRequest, { route }: MatchedRoute, context: RestContext): boolean =>
  headers.has('idempotency-key') && !isRead({ method }) && isMutation(chooseOperation(route, url, context))

/** Runs a route once for its `Idempotency-Key`. Its error is part of the answer. */
async function runKeyed(
  request: RestRequest,
  match: MatchedRoute,
  context: RestContext,
  toError: (error: unknown) => TributaryError,
  delivery: Delivery,
): Promise<Response> {
  const { method, url, body, headers } = request
  const key = readIdempotencyKey(headers) as string
  const keyed = { key, method, target: url.pathname + url.search, body }
  const answered = await answerOnce(context, keyed, async (db) => {
    // The answer is kept for a client that has gone away.
    const within = { ...context, db, signal: undefined }
    const result = await runRoute(request, match, within, toError, delivery).catch((error) =>
      answerError(toError(error), match),
    )
    const headers = Object.fromEntries(result.headers)
    return { result, answer: { status: result.status, headers, body: await peekText(result) } }
  })
  if ('result' in answered) return answered.result
  const { status, headers: kept, body: text } = answered.replay
  const response = textResponse(text, { status, headers: kept })
  response.headers.set(...replayedHeader)
  return response
}

export const answerError = (error: TributaryError, { route, id }: MatchedRoute): Response =>
  errorResponse(asPathIdError(error, route, id), route)

/** Runs a route that reads, has no `parent` and returns JSON, as `answerRest`. @throws what the operation throws */
export async function readRoute(match: MatchedRoute, search: string, context: RestContext): Promise<string> {
  const { operation, input } = match.route
  const query = search === '' ? {} : readForm(search)
  const expand = readExpand(query.expand)
  return await withInput(input ? query : {}, match, context, (fields) =>
    runToText({ operation, expand }, fields, context),
  )
}

/** Runs a route that writes, has no `parent` and returns JSON, as `answerRest`. @throws what the operation throws */
export async function writeRoute(
  match: MatchedRoute,
  body: string,
  context: RestContext,
): Promise<{ data: unknown; status: number }> {
  const { operation, otherwise } = match.route
  demandWriteAccess(context)
  const fields = readJson(body)
  const expand = readExpand(undefined, fields.expand, fields['expand[]'])
  return await withInput(fields, match, context, (input) => run({ operation, otherwise, expand }, input, context))
}

/** The path below /v1, without a trailing slash. */
export const pathOf = ({ pathname }: URL): string => pathname.slice(basePath.length).replace(/(.)\/$/, '$1')

async function runRoute(
  request: RestRequest,
  match: MatchedRoute,
  context: RestContext,
  toError: (error: unknown) => TributaryError,
  delivery: Delivery,
): Promise<Response> {
  const { route, id } = match
  const operation = chooseOperation(route, request.url, context)
  const fields = await readRequestFields(request, match, context)
  const query = readForm(request.url.search)
  const expand = readExpand(query.expand, fields.expand, fields['expand[]'])
  return withInput(fields, match, context, async (input) => {
    if (route.parent && route.idField) {
      const { data } = await run({ operation: route.parent }, { id: decodeId(id ?? '') }, context)
      input[route.idField] = (data as { id: string }).id
    }
    if (route.isExport) return exportResponse(route, input, context, delivery, toError)
    const { data, status } = await run({ ...operation, expand }, input, context)
    const response = route.isFile ? fileResponse(data as PayoutFile) : jsonResponse(data, status)
    // Some GET routes run a mutation. Their responses must not be cached either.
    if (isMutation(operation)) response.headers.set('Cache-Control', 'no-store')
    return response
  })
}

const isMutation = ({ operation }: Operation) => operation.startsWith('Mutation.')

/**
 * The route's operation, or its dry run. An invalid `dry_run` is rejected: as false, it would write. A read-only key is
 * rejected first.
 */
function chooseOperation(
  { operation, otherwise, dryRun }: Route,
  { searchParams }: URL,
  context: RestContext,
): Operation {
  const text = searchParams.get('dry_run')
  const isDryRun = dryRun && text !== null ? flag().safeParse(text) : undefined
  const chosen: Operation = dryRun && isDryRun?.data ? { operation: dryRun } : { operation, otherwise }
  if (isMutation(chosen)) demandWriteAccess(context)
  if (isDryRun?.success === false) throw invalid([problem('dryRun', 'must be true or false')])
  return chosen
}

/** Runs with the request's fields under the schema's names, and the id of the path. Errors name fields as they were sent. */
async function withInput<T>(
  fields: Fields,
  { route, id }: MatchedRoute,
  { words }: RestContext,
  run: (input: Fields) => Promise<T>,
): Promise<T> {
  const names = namesOf(route)
  const input = readNames(fields, names, words)
  if (id !== undefined) input[route.idField ?? 'id'] = decodeId(id)
  try {
    return await run(input)
  } catch (error) {
    throw withSentNames(error, fields, names, words)
  }
}

/** The request's fields. If a PUT sends one field under two names, the name whose value has not changed is left out. */
async function readRequestFields(
  request: RestRequest,
  { route, id }: MatchedRoute,
  context: RestContext,
): Promise<Fields> {
  const fields = readQueryOrBody(request, route)
  if (route.method !== 'PUT' || !hasConflictingAliases(fields)) return fields
  const read = routes.find(({ method, path }) => method === 'GET' && path === route.path)
  if (!read) return fields
  const { data } = await run({ operation: read.operation }, { id: decodeId(id ?? '') }, context)
  return withoutRepeated(fields, data as Fields)
}

/** A route without an input ignores query and body, also a body that cannot be read. */
function readQueryOrBody({ url, body, contentType }: RestRequest, { method, input }: Route): Fields {
  if (!input) return {}
  return method === 'GET' ? readForm(url.search) : readFields(body, contentType)
}

/** An unknown id in the path is a 404, also where the operation reads it as a field of its input and reports a 422. */
function asPathIdError(error: TributaryError, { idField }: Route, id: string | undefined): TributaryError {
  const isPathId = idField && error.problems.some(({ field }) => field === idField)
  return isPathId && id !== undefined ? notFound('Affiliate', decodeId(id)) : error
}

function decodeId(id: string): string {
  try {
    return decodeURIComponent(id)
  } catch {
    return id
  }
}
