import type { PrismaClient } from '../generated/prisma/client.ts'
import { acceptsExplicitly } from '../http/accept.ts'
import { isRead } from '../http/methods.ts'
import { toTributaryError } from './error-report.ts'
import type { Handler } from './handler.ts'
import { createGraphiql } from './pages/graphiql/serve.ts'
import type { Admit } from './request-context.ts'
import type { Sessions } from './sign-in/sessions.ts'
import type { Hub } from './subscriptions/hub.ts'
import { createEventStream } from './subscriptions/stream.ts'
import type { Turns } from './turns.ts'

export type GraphQLOptions = {
  db: PrismaClient
  admit: Admit
  turns: Turns
  sessions: Sessions
  hub: Hub
  checkEveryMs: number
}

/** `/graphql`: operations of authenticated clients, and of people who are signed in to the dashboard. Browsers get GraphiQL, which needs no key; its files are below. */
export function createGraphQL({ db, admit, turns, sessions, hub, checkEveryMs }: GraphQLOptions): Handler {
  const graphiql = createGraphiql()
  return async (incoming) => {
    const { request, url } = incoming
    if (url.pathname !== '/graphql') return isRead(request) ? graphiql.answerFile(request, url.pathname) : null
    if (isRead(request) && acceptsExplicitly(request, 'text/html')) return graphiql.answerPage(request)
    const operation = await admit(incoming, {
      acceptsTokens: true,
      readPerson: () => sessions.readPersonOfPage(request),
      createEvents: ({ log, ...stream }) =>
        createEventStream({
          db,
          hub,
          turns,
          checkEveryMs,
          toError: (error) => toTributaryError(error, log),
          ...stream,
        }),
    })
    return { operation }
  }
}
