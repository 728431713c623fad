import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Plugin } from 'graphql-yoga'
import type { Logger } from 'pino'
import type { PrismaClient } from '../generated/prisma/client.ts'
import type { GraphQLContext } from '../graphql/context.ts'
import { readBody } from '../http/body.ts'
import { answerPrivately } from '../http/conditional.ts'
import { TributaryError } from '../kernel/errors.ts'
import type { LastUsed } from '../modules/access/api-keys/last-used.ts'
import { clockOf } from '../modules/programs/clock.ts'
import { errorResponse } from '../rest/errors.ts'
import { answerRest, pathOf } from '../rest/gateway.ts'
import type { Authenticate } from './authenticate.ts'
import { graphQLErrorResponse } from './graphql-errors.ts'
import type { Health } from './health.ts'
import type { AdmitKey } from './key-limit.ts'
import type { AnswerDocs } from './pages/api-reference/serve.ts'
import type { AnswerGraphiql } from './pages/graphiql/serve.ts'
import type { AnswerPortal } from './pages/portal/serve.ts'
import type { Hub } from './subscriptions/hub.ts'
import { createEventStream } from './subscriptions/stream.ts'
import type { AnswerVisitor } from './tracking/visitor.ts'
import { inTurn, type Turns, takeTurn } from './turns.ts'
import { toTributaryError } from './unexpected.ts'

/** What the server keeps of a request while it is answered. */
export type RequestState = {
  /** Node's own, where it came over HTTP. */
  req?: IncomingMessage
  res?: ServerResponse
  requestId: string
  log: Logger
  startedAt: number
  context: GraphQLContext | undefined
  /** Gives back the turn that the request has. */
  release?: () => void
}

export type EntranceOptions = {
  authenticate: Authenticate
  lastUsed: LastUsed
  db: PrismaClient
  now: () => Date
  publicUrl: () => string
  health: Health
  answerDocs: AnswerDocs
  answerGraphiql: AnswerGraphiql
  admitKey: AdmitKey
  turns: Turns
  hub: Hub
  /** How often it is looked whether the key of a subscription is still good. */
  checkEveryMs: number
  /** Those who come without a key: pages and links that track, and the demo's shop. */
  answerVisitor: AnswerVisitor
  answerPortal: AnswerPortal
}

/**
 * The way in for every request: what needs no key is answered, everybody else is authenticated and their body read
 * within its limit; then REST goes to its gateway, and GraphQL on to Yoga with the context it runs in.
 */
export function useEntrance(options: EntranceOptions): Plugin<object, RequestState> {
  return {
    async onRequest({ request, serverContext, fetchAPI, setRequest, endResponse }) {
      const url = new URL(request.url)
      const { log, requestId } = serverContext
      const isRest = url.pathname === '/v1' || url.pathname.startsWith('/v1/')
      const answer = (response: Response) =>
        endResponse(request.method === 'HEAD' ? new Response(null, response) : response)
      try {
        const open = await answerOpen(request, url, options)
        if (open) return answer(open)
        const visitor = await options.answerVisitor({ request, url, socket: serverContext.req?.socket, log, requestId })
        if (visitor) return answer(visitor)
        const portal = await options.answerPortal({ request, url, log })
        if (portal) return answer(portal)
        if (!isRest && url.pathname !== '/graphql')
          return answer(errorResponse(new TributaryError('NOT_FOUND', 'Not found.')))

        // Whoever sends slowly keeps nobody waiting; what is wrong with the body is told only to those who may send one.
        const reading = await settled(readBody(request))
        serverContext.release = await takeTurn(options.turns, request.signal)
        const context = await contextOf(request, serverContext, options, { tokens: !isRest })
        const body = reading()
        if (isRest) {
          const { headers, refusal } = await options.admitKey(context, request.method, pathOf(url))
          const rest = { method: request.method, url, contentType: request.headers.get('content-type'), body }
          const delivery = {
            accept: request.headers.get('accept'),
            signal: request.signal,
            inTurn: <T>(run: () => Promise<T>) => inTurn(options.turns, run),
            breakOff: serverContext.res && (() => serverContext.res?.destroy()),
          }
          const answered =
            refusal ?? (await answerRest(rest, context, (error) => toTributaryError(error, log), delivery))
          const response = await answerPrivately(request, answered)
          for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
          return answer(response)
        }
        serverContext.context = context
        if (body.byteLength > 0) {
          const { method, headers, signal } = request
          setRequest(new fetchAPI.Request(request.url, { method, headers, signal, body: new Uint8Array(body) }))
        }
      } catch (error) {
        const told = toTributaryError(error, log)
        const response = isRest ? errorResponse(told) : graphQLErrorResponse(told, requestId)
        answer(await answerPrivately(request, response))
      }
    },
    onResponse({ serverContext }) {
      serverContext.release?.()
    },
  }
}

/** What came of a promise, to be asked for later. */
const settled = <T>(promise: Promise<T>): Promise<() => T> =>
  promise.then(
    (value) => () => value,
    (error: unknown) => () => {
      throw error
    },
  )

/** What needs no key. */
async function answerOpen(
  request: Request,
  url: URL,
  { health, answerDocs, answerGraphiql }: EntranceOptions,
): Promise<Response | null> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return null
  switch (url.pathname) {
    case '/healthz':
      return health.alive()
    case '/readyz':
      return health.ready()
    default:
      return (await answerGraphiql(request, url)) ?? answerDocs(request, url)
  }
}

async function contextOf(
  request: Request,
  { log, requestId }: RequestState,
  options: EntranceOptions,
  accepts: { tokens: boolean },
): Promise<GraphQLContext> {
  const { db, now, publicUrl, authenticate, lastUsed, turns, hub, checkEveryMs } = options
  let { actor, program, apiKey } = await authenticate(request.headers, accepts)
  const renew = async () => {
    ;({ actor, program, apiKey } = await authenticate(request.headers, accepts))
    if (apiKey) lastUsed.note(apiKey, now())
  }
  if (apiKey) lastUsed.note(apiKey, now())
  // The one place where a sandbox gets its own clock: all that is done in the program goes by it.
  const clock = () => (program ? clockOf(program, now) : now)()
  const toError = (error: unknown) => toTributaryError(error, log)
  const { signal } = request
  const events = createEventStream({ hub, turns, programId: program?.id, renew, checkEveryMs, toError, signal })
  const { profile, words } = apiKey ?? { profile: 'contract', words: 'contract' }
  const asked = { log, requestId, actor, namedProgram: program, profile, words, publicUrl: publicUrl(), signal, events }
  return { db, now: clock, trueNow: now, ...asked }
}
