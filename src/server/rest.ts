import { fromPrimary, type ReadFrom } from '../database/read-from.ts'
import type { GraphQLContext } from '../graphql/context.ts'
import { answerPrivately } from '../http/conditional.ts'
import { answerRest, pathOf } from '../rest/gateway.ts'
import { type Match, matchRoute } from '../rest/routes.ts'
import { runWithDeadline } from './deadline.ts'
import { toTributaryError } from './error-report.ts'
import type { Handler } from './handler.ts'
import type { AdmitKey } from './key-limit.ts'
import type { Docs } from './pages/api-reference/serve.ts'
import { canReadReplica, isAnswer } from './replicas.ts'
import { type Admit, turnHolderOf } from './request-context.ts'
import { traceOperation } from './traces/serve.ts'
import type { Tracing } from './traces/tracing.ts'
import { inTurn, type Turns } from './turns.ts'

export type RestOptions = {
  admit: Admit
  admitKey: AdmitKey
  turns: Turns
  /** Returns the OpenAPI document at a path, which needs no key; null for any other path. */
  answerDocument: Docs['answerDocument']
  /** How long an operation may take. */
  operationMs: number
  tracing: Tracing | undefined
  readFrom?: ReadFrom | undefined
}

/** `/v1`: the REST gateway. Everything but the OpenAPI documents needs an API key, also paths that do not exist. */
export function createRest({
  admit,
  admitKey,
  turns,
  answerDocument,
  operationMs,
  tracing,
  readFrom = fromPrimary,
}: RestOptions): Handler {
  const readFromFor = (match: Match): ReadFrom =>
    match && 'route' in match && canReadReplica(match.route.operation) ? readFrom : fromPrimary
  /** An export takes as long as its client reads. Each of its statements has a timeout. */
  const answerInTime = (
    match: Match,
    context: GraphQLContext,
    answer: (context: GraphQLContext) => Promise<Response>,
  ) => {
    if (!match || !('route' in match)) return runWithDeadline(context, operationMs, answer)
    if (match.route.isExport) return answer(context)
    return runWithDeadline(context, operationMs, (within) => readFromFor(match)(within, answer, isAnswer))
  }
  return async (incoming) => {
    const { request, url, state } = incoming
    const document = answerDocument(request, url)
    if (document) return document
    const { context, body } = await admit(incoming, { acceptsTokens: false })
    const match = matchRoute(request.method, pathOf(url))
    if (match && 'route' in match) state.known.operation = match.route.operation
    const { headers, refusal } = await admitKey(context, match)
    const delivery = {
      accept: request.headers.get('accept'),
      signal: request.signal,
      inTurn: <T>(run: () => Promise<T>) => inTurn(turns, run, { holder: turnHolderOf(context) }),
      readFrom: readFromFor(match),
      breakOff: state.res && (() => state.res?.destroy()),
    }
    const { method, headers: sent } = request
    const rest = { method, url, contentType: sent.get('content-type'), body, headers: sent }
    const toError = (error: unknown) => toTributaryError(error, state.log)
    const response = await answerPrivately(
      request,
      refusal ??
        (await traceOperation(tracing, { route: '/v1', name: state.known.operation }, () =>
          answerInTime(match, context, (within) => answerRest(rest, match, within, toError, delivery)),
        )),
    )
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
    return response
  }
}
