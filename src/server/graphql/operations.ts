import type { GraphQLContext } from '../../graphql/context.ts'
import { answerOf } from '../../http/answer.ts'
import { type Incoming, RequestIncoming } from '../../http/incoming.ts'
import { type Operation, signalOf } from '../entrance/admit.ts'
import type { HandlerAnswer, RequestState } from '../handler.ts'
import { createQueries } from './queries.ts'
import { createYogaServer, type YogaOptions } from './yoga.ts'

export type GraphQLResult = {
  data?: Record<string, unknown> | null
  errors?: { message: string; extensions?: Record<string, unknown> }[]
}

export type Operations = {
  /** The operation of a request: a plain query is executed at once, all others go to Yoga. */
  choose(incoming: Incoming, state: RequestState, body: Uint8Array): Operation<HandlerAnswer>
  /** Runs an operation of an admitted caller, as `/graphql` does: with its rights and limits. */
  run(context: GraphQLContext, state: RequestState, query: string, variables?: object): Promise<GraphQLResult>
}

/** How operations of GraphQL run, for all who send them. */
export function createOperations(options: YogaOptions): Operations {
  const yoga = createYogaServer(options)
  const queries = createQueries({ ...options, yoga })
  const choose: Operations['choose'] = (incoming, state, body) =>
    queries(incoming, state, body) ?? {
      name: undefined,
      isRead: false,
      run: (context) => yoga(incoming, { ...state, context, body }),
    }
  return {
    choose,
    async run(context, state, query, variables = {}) {
      const text = JSON.stringify({ query, variables })
      const headers = { 'Content-Type': 'application/json' }
      const incoming = new RequestIncoming(
        new Request('http://localhost/graphql', { method: 'POST', headers, body: text }),
      )
      // The names of the operation and its mutations are those of the request that asked for it.
      const operation = choose(incoming, { ...state, known: {} }, Buffer.from(text))
      const isGone = () => context.signal?.aborted === true
      const signal = operation.isRead ? signalOf({ isGone }, options.operationMs) : context.signal
      const outcome = await operation.run({ ...context, signal })
      const { body } = 'arrayBuffer' in outcome ? await answerOf(outcome) : outcome
      return JSON.parse(typeof body === 'string' ? body : Buffer.from(body as Uint8Array).toString()) as GraphQLResult
    },
  }
}
