import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { type Answer, answerOf, sendAnswer, toResponse } from '../../http/answer.ts'
import { hasValidTarget, type Incoming, RequestIncoming, SocketIncoming } from '../../http/incoming.ts'
import { safeHeaders, strictTransport } from '../../http/safe-headers.ts'
import { type PortalHosts, programOfHost } from '../../kernel/public-url.ts'
import type { FailedRequests } from '../../modules/failed-requests/record.ts'
import { errorAnswer } from '../../rest/errors.ts'
import { toTributaryError } from '../error-report.ts'
import type { Outcome, RequestState } from '../handler.ts'
import { RateLimited } from '../limits/rate-limits.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { answerNotFound } from '../pages/home/serve.ts'
import type { Tracing } from '../traces/tracing.ts'
import { withChallenge } from './authenticate.ts'
import { rejectTarget } from './malformed.ts'
import { answerOnPortalHost } from './portal-hosts.ts'
import { answerPreflight, portalHeaders } from './portal-origins.ts'
import { logRequest, noteFailure, requestIdOf } from './request-log.ts'
import type { Route } from './routes.ts'

export type EntranceOptions = {
  routes: readonly Route[]
  log: Logger
  publicUrl: () => string
  portalOrigins: readonly string[]
  portalHosts: PortalHosts
  failedRequests: Pick<FailedRequests, 'note'>
  metrics: Pick<Metrics, 'requested'> | undefined
  tracing: Pick<Tracing, 'traceId' | 'requested'> | undefined
}

export type Entrance = {
  fetch(request: Request): Promise<Response>
  /** Settles when all work of the request has ended. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
}

/** The one way of every request: the path chooses the handler; then headers, log and metrics are added. */
export function createEntrance(options: EntranceOptions): Entrance {
  const { routes, log, publicUrl, portalOrigins, portalHosts, failedRequests, metrics, tracing } = options

  const note: Metrics['requested'] = (request) => {
    metrics?.requested(request)
    tracing?.requested(request)
  }

  /** The turn of a request ends when its answer is sent, or its stream begins. */
  const respond = async <T>(incoming: Incoming, send: (answer: Answer) => T): Promise<T> => {
    const requestId = requestIdOf(incoming.header('x-request-id'))
    const state: RequestState = {
      requestId,
      traceId: tracing?.traceId(),
      log: log.child({ requestId }),
      startedAt: performance.now(),
      known: {},
    }
    try {
      return send(await answer(incoming, state))
    } finally {
      state.release?.()
    }
  }

  const answer = async (incoming: Incoming, state: RequestState): Promise<Answer> => {
    const { method, path } = incoming
    const slug = programOfHost(portalHosts, incoming.header('host'))
    if (slug !== undefined) state.ownSlug = slug
    const onHost = slug === undefined ? null : answerOnPortalHost(incoming, slug)
    const route = onHost ? undefined : routeOf(routes, path)
    const outcome =
      onHost ??
      (method === 'OPTIONS' ? answerPreflight(incoming, portalOrigins, state.log) : null) ??
      (route && (await run(route, incoming, state))) ??
      answerNotFound(incoming)
    const found = 'arrayBuffer' in outcome ? await answerOf(outcome) : outcome
    const { known, startedAt, requestId } = state
    const { status, failure } = found
    if (failure) Object.assign(known, { errorCode: failure.code, problem: failure.problem })
    if (!state.isUnlogged) {
      const logged = { method, path, status, ...known }
      logRequest(state.log, startedAt, logged)
      noteFailure(failedRequests, requestId, logged, incoming, state.body)
    }
    note({
      method,
      route: route?.prefix ?? 'other',
      // Clients choose the names of GraphQL operations, so there could be any number.
      operation: route?.prefix === '/v1' || route?.prefix === '/mcp' ? (known.operation ?? '') : '',
      status,
      seconds: (performance.now() - startedAt) / 1000,
    })
    const headers: Answer['headers'] = {
      'X-Request-Id': requestId,
      ...safeHeaders,
      // Last: see contextOf.
      ...(status === 401 ? withChallenge(incoming, found, publicUrl()) : found.headers),
    }
    if (state.limitFields) Object.assign(headers, state.limitFields)
    if (publicUrl().startsWith('https:')) Object.assign(headers, strictTransport)
    if (portalOrigins.length > 0) Object.assign(headers, portalHeaders(incoming, portalOrigins, found.headers))
    return { status, headers, body: forTerminal(incoming, found) }
  }

  return {
    fetch: (request) =>
      respond(new RequestIncoming(request), (answer) => toResponse(answer, request.method === 'HEAD')),
    async handle(request, response) {
      if (!hasValidTarget(request)) return rejectTarget(response)
      try {
        await respond(new SocketIncoming(request, response), (answer) =>
          sendAnswer(response, answer, request.method === 'HEAD'),
        )
      } catch (err) {
        log.error({ err }, 'response could not be sent')
        response.destroy()
      }
    },
  }
}

const isJson = /^application\/json\b/
const terminalTools = /^(curl|Wget|HTTPie|xh)\//

/** In a terminal, JSON ends with a line break, so that the prompt does not stick to it. */
const forTerminal = (incoming: Incoming, { body, headers }: Answer): Answer['body'] =>
  typeof body === 'string' &&
  isJson.test(String(headers['Content-Type'])) &&
  terminalTools.test(incoming.header('user-agent') ?? '')
    ? `${body}\n`
    : body

/** No prefix is below another one, so their order does not matter. */
const routeOf = (routes: readonly Route[], path: string): Route | undefined =>
  routes.find(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`))

async function run(route: Route, incoming: Incoming, state: RequestState): Promise<Outcome> {
  try {
    return await route.handle(incoming, state)
  } catch (error) {
    const reported = toTributaryError(error, state.log)
    const answer = route.errorAnswer?.(reported, state, incoming.header('accept')) ?? errorAnswer(reported)
    if (reported instanceof RateLimited) Object.assign(answer.headers, reported.headers)
    answer.headers['Cache-Control'] = 'no-store'
    return answer
  }
}
