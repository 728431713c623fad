import { demandWriteAccess } from '../graphql/access.ts'
import type { Answer } from '../http/answer.ts'
import { readFields, readForm } from '../http/body.ts'
import { type Incoming, isRead } from '../http/incoming.ts'
import { methodNotAllowed, pathNotFound } from '../http/methods.ts'
import { invalid, notFound, type TributaryError } from '../kernel/errors.ts'
import { flag } from '../kernel/input/fields.ts'
import { problem } from '../kernel/input/parse.ts'
import { snakeCase } from '../kernel/text.ts'
import { answerOnce, replayedHeader } from '../modules/idempotency/answer-once.ts'
import { readIdempotencyKey } from '../modules/idempotency/key.ts'
import { fieldAliases } from './convention/table.ts'
import { errorAnswer } from './errors.ts'
import { type Delivery, exportAnswer } from './export.ts'
import { hasConflictingAliases, namesOf, readExpand, readNames, withoutRepeated, withSentNames } from './names.ts'
import type { Route } from './route.ts'
import { basePath, matchRoute, type RouteMatch, routes } from './routes.ts'
import { type Operation, type RestContext, run, runToText } from './run.ts'
import { similarPath } from './similar-path.ts'
import { namingUnknownFields } from './unknown-fields.ts'

/** A request with its body. */
export type RestRequest = { incoming: Incoming; body: Uint8Array }

type Fields = Record<string, unknown>
type MatchedRoute = { route: Route; id: string | undefined }

/**
 * Responds to an authenticated request below /v1. Errors become responses too.
 * @param matched the route of any profile; the API key may lack it
 * @param toError turns an unexpected error into the one that the client sees
 * @param delivery for exports, whose responses are written while the client reads them
 */
export async function answerRest(
  request: RestRequest,
  matched: RouteMatch,
  context: RestContext,
  toError: (error: unknown) => TributaryError,
  delivery: Delivery,
): Promise<Answer> {
  const { method, path } = request.incoming
  const isCommon = matched && 'route' in matched && !matched.route.isOfSuperset
  const match = isCommon ? matched : matchRoute(method, pathOf(path), context.profile)
  if (!match) return pathNotFound(similarPath(request.incoming.path))
  if ('allow' in match) return methodNotAllowed(match.allow.join(', '))
  try {
    return await (isKeyed(request, match, context)
      ? runKeyed(request, match, context, toError, delivery)
      : runRoute(request, match, context, toError, delivery))
  } catch (error) {
    return answerError(toError(error), match)
  }
}

/** Whether the request has a key, and an effect that a retry could repeat: not for a dry run. */
const isKeyed = ({ incoming }: RestRequest, { route }: MatchedRoute, context: RestContext): boolean =>
  !isRead(incoming) &&
  incoming.header('idempotency-key') !== null &&
  isMutation(chooseOperation(route, incoming.search, context))

/** Runs a route once for its `Idempotency-Key`. Its error is part of the answer. */
async function runKeyed(
  request: RestRequest,
  match: MatchedRoute,
  context: RestContext,
  toError: (error: unknown) => TributaryError,
  delivery: Delivery,
): Promise<Answer> {
  const { incoming, body } = request
  const { method, path, search } = incoming
  const key = readIdempotencyKey(incoming.header('idempotency-key')) as string
  const answered = await answerOnce(context, { key, method, target: path + search, body }, async (db) => {
    // The answer is kept for a client that has gone away.
    const within = { ...context, db, signal: undefined }
    const result = await runRoute(request, match, within, toError, delivery).catch((error) =>
      answerError(toError(error), match),
    )
    const { status, headers, body: text } = result
    return { result, answer: { status, headers: headers as Record<string, string>, body: text as string } }
  })
  if ('result' in answered) return answered.result
  const { status, headers, body: text } = answered.replay
  return { status, headers: { ...headers, [replayedHeader[0]]: replayedHeader[1] }, body: text }
}

const answerError = (error: TributaryError, { route, id }: MatchedRoute): Answer =>
  errorAnswer(asPathIdError(error, route, id), route)

/** The path below /v1, without a trailing slash. */
export const pathOf = (path: string): string => path.slice(basePath.length).replace(/(.)\/$/, '$1')

async function runRoute(
  request: RestRequest,
  match: MatchedRoute,
  context: RestContext,
  toError: (error: unknown) => TributaryError,
  delivery: Delivery,
): Promise<Answer> {
  const { route, id } = match
  const { search } = request.incoming
  const chosen = chooseOperation(route, search, context)
  const query = search === '' ? {} : readForm(search)
  const fields = await readRequestFields(request, query, match, context)
  const expand = readExpand(query.expand, fields.expand, fields['expand[]'])
  const operation: Operation = { expand, ...chosen }
  return withInput(fields, match, context, async (input) => {
    if (route.parent && route.idField) {
      const { data } = await run({ operation: route.parent }, { id: decodeId(id ?? '') }, context)
      input[route.idField] = (data as { id: string }).id
    }
    if (route.isExport) return exportAnswer(route, input, context, delivery, toError)
    if (route.method === 'GET' && !isMutation(operation) && !route.isFile)
      return resultAnswer(await runToText(operation, input, context), route.status)
    const { data, status } = await run(operation, input, context)
    const answer = route.isFile
      ? fileAnswer(data as PayoutFile | CsvFile | PdfFile)
      : resultAnswer(JSON.stringify(data), status)
    // Some GET routes run a mutation. Their responses must not be cached either.
    if (isMutation(operation)) answer.headers['Cache-Control'] = 'no-store'
    return answer
  })
}

const isMutation = ({ operation }: Operation) => operation.startsWith('Mutation.')

/** The route's operation, or its dry run. An invalid `dry_run` is rejected: as false, it would write. */
function chooseOperation({ operation, otherwise, dryRun }: Route, search: string, context: RestContext): Operation {
  const text = dryRun && search !== '' ? new URLSearchParams(search).get('dry_run') : null
  const isDryRun = text !== null ? flag().safeParse(text) : undefined
  const chosen: Operation = dryRun && isDryRun?.data ? { operation: dryRun } : { operation, otherwise }
  if (isMutation(chosen)) demandWriteAccess(context)
  if (isDryRun?.success === false) throw invalid([problem('dryRun', 'must be true or false')])
  return chosen
}

/** Runs with the fields under the schema's names, and the id of the path. Errors name fields as sent. */
async function withInput<T>(
  fields: Fields,
  { route, id }: MatchedRoute,
  { words, profile }: RestContext,
  run: (input: Fields) => Promise<T>,
): Promise<T> {
  const names = namesOf(route)
  const input = readNames(fields, names, words)
  if (route.contractStates && words === 'contract' && profile === 'contract') input.state ??= route.contractStates
  if (id !== undefined) input[route.idField ?? 'id'] = decodeId(id)
  try {
    return await run(input)
  } catch (error) {
    const named = withSentNames(error, fields, names, words)
    throw route.namesUnknownFields ? namingUnknownFields(named, Object.keys(fields), knownNames(route)) : named
  }
}

/** The names of the fields that a route reads, also those of the convention. */
const knownNames = ({ input, renamed = {} }: Route): string[] => {
  const fields = Object.keys(input?.shape ?? {}).filter((field) => !Object.values(renamed).includes(field))
  const names = [...fields.map(snakeCase), ...Object.keys(renamed)]
  const aliases = Object.entries(fieldAliases).filter(([, name]) => names.includes(name))
  return [...names, ...aliases.map(([alias]) => alias), 'expand', 'expand[]']
}

/** The request's fields. If a PUT sends one field under two names, the name whose value has not changed is left out. */
async function readRequestFields(
  request: RestRequest,
  query: Fields,
  { route, id }: MatchedRoute,
  context: RestContext,
): Promise<Fields> {
  const fields = readQueryOrBody(request, query, route)
  if (route.method !== 'PUT' || !hasConflictingAliases(fields)) return fields
  const read = routes.find(({ method, path }) => method === 'GET' && path === route.path)
  if (!read) return fields
  const { data } = await run({ operation: read.operation }, { id: decodeId(id ?? '') }, context)
  return withoutRepeated(fields, data as Fields)
}

/** A route without an input ignores query and body, also a body that cannot be read. */
function readQueryOrBody({ incoming, body }: RestRequest, query: Fields, { method, input }: Route): Fields {
  if (!input) return {}
  return method === 'GET' ? query : readFields(body, incoming.header('content-type'))
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

/** What `Mutation.readPayoutFile` returns over REST. */
type PayoutFile = CsvFile & { skipped_count: number; run_id: string }

/** What a query of a CSV file returns over REST. */
type CsvFile = { csv: string; file_name: string }

/** @param body the JSON of a result */
const resultAnswer = (body: string, status: number): Answer => ({
  status,
  headers: { 'Content-Type': 'application/json; charset=utf-8' },
  body,
})

/** What a query of a PDF file returns over REST. */
type PdfFile = { file_name: string; base64: string }

const fileAnswer = (file: PayoutFile | CsvFile | PdfFile): Answer =>
  'base64' in file ? pdfAnswer(file) : csvAnswer(file)

const pdfAnswer = ({ file_name: fileName, base64 }: PdfFile): Answer => ({
  status: 200,
  headers: { 'Content-Type': 'application/pdf', 'Content-Disposition': `attachment; filename="${fileName}"` },
  body: new Uint8Array(Buffer.from(base64, 'base64')),
})

/** The body is the file; the rest of the result is in headers. */
const csvAnswer = (file: PayoutFile | CsvFile): Answer => ({
  status: 200,
  headers: {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${file.file_name}"`,
    ...('run_id' in file && { 'Payout-Run-Id': file.run_id, 'X-Skipped-Payouts': String(file.skipped_count) }),
  },
  body: file.csv,
})
