import { acceptsExplicitly } from '../../http/accept.ts'
import { isRead } from '../../http/incoming.ts'
import type { AppDb } from '../../kernel/db.ts'
import { invalidKey, TributaryError, unauthenticated } from '../../kernel/errors.ts'
import type { Admit, StreamRequest } from '../entrance/admit.ts'
import { explainInvalidKey } from '../entrance/authenticate.ts'
import { toTributaryError } from '../error-report.ts'
import type { Handler, HandlerAnswer } from '../handler.ts'
import type { Turns } from '../limits/turns.ts'
import { createGraphiql } from '../pages/graphiql.ts'
import type { Sessions } from '../sign-in/sessions.ts'
import type { Hub } from '../subscriptions/hub.ts'
import { createEventStream } from '../subscriptions/stream.ts'
import type { Operations } from './operations.ts'

export type GraphQLOptions = {
  db: AppDb
  operations: Operations
  admit: Admit
  turns: Turns
  sessions: Sessions
  hub: Hub
  checkEveryMs: number
}

/**
 * `/graphql`: operations of authenticated clients, and of people who are signed in to the dashboard. Plain queries are
 * executed at once, all other operations go to Yoga. Browsers get GraphiQL, which needs no key; its files are below.
 */
export function createGraphQL(options: GraphQLOptions): Handler {
  const { db, operations, admit, turns, sessions, hub, checkEveryMs } = options
  const graphiql = createGraphiql()
  return (incoming, state) => {
    if (incoming.path !== '/graphql') return isRead(incoming) ? graphiql.answerFile(incoming) : null
    if (isRead(incoming) && acceptsExplicitly(incoming, 'text/html')) return graphiql.answerPage(incoming)
    const settings = {
      acceptsTokens: true,
      readPerson: () => sessions.readPersonOfPage(incoming),
      createEvents: ({ log, ...stream }: StreamRequest) =>
        createEventStream({
          db,
          hub,
          turns,
          checkEveryMs,
          toError: (error) => toTributaryError(error, log),
          ...stream,
        }),
    }
    return admit<HandlerAnswer>(incoming, state, settings, (body) => operations.choose(incoming, state, body)).catch(
      (error) => {
        const isInvalidKey = error instanceof TributaryError && error.message === invalidKey
        throw isInvalidKey ? unauthenticated(`${invalidKey} ${explainInvalidKey(incoming)}`) : error
      },
    )
  }
}
