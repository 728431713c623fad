import type { Plugin } from 'graphql-yoga'
import { failureOf } from '../http/statuses.ts'
import { errorResponse } from '../rest/errors.ts'
import { toTributaryError } from './error-report.ts'
import type { IncomingRequest, Outcome, RequestState } from './handler.ts'
import { answerNotFound } from './pages/home/serve.ts'
import { RateLimited } from './request-limits.ts'
import { type Route, routeOf } from './routes.ts'

/** The entrance of every request: the path alone chooses the handler, and only GraphQL operations go on to Yoga. */
export function useEntrance(routes: readonly Route[]): Plugin<object, RequestState> {
  return {
    async onRequest({ request, serverContext: state, endResponse }) {
      const url = new URL(request.url)
      const route = routeOf(routes, url.pathname)
      if (route) state.route = route.prefix
      const outcome = (route && (await run(route, { request, url, state }))) ?? answerNotFound(request, url)
      if ('operation' in outcome) {
        Object.assign(state, outcome.operation)
        return
      }
      const failed = failureOf(outcome)
      if (failed) Object.assign(state.known, { errorCode: failed.code, problem: failed.problem })
      endResponse(request.method === 'HEAD' ? new Response(null, outcome) : outcome)
    },
    onResponse({ response, serverContext: { limitFields = {}, release } }) {
      for (const [name, value] of Object.entries(limitFields)) response.headers.append(name, value)
      release?.()
    },
  }
}

async function run(route: Route, incoming: IncomingRequest): Promise<Outcome> {
  const { log } = incoming.state
  try {
    return await route.handle(incoming)
  } catch (error) {
    const reported = toTributaryError(error, log)
    const response = route.errorResponse?.(reported, incoming.state) ?? errorResponse(reported)
    if (reported instanceof RateLimited)
      for (const [name, value] of Object.entries(reported.headers)) response.headers.set(name, value)
    response.headers.set('Cache-Control', 'no-store')
    return response
  }
}
