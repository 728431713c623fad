import type { GraphQLContext } from '../../graphql/context.ts'
import { answerOf } from '../../http/answer.ts'
import { type Incoming, OwnIncoming } from '../../http/incoming.ts'
import type { Operation } from '../entrance/admit.ts'
import { signalOf } from '../entrance/context.ts'
import type { HandlerAnswer, RequestState } from '../handler.ts'
import { type RunText, readBatch } from './batch.ts'
import { createQueries } from './queries.ts'
import { createYogaServer, type YogaOptions } from './yoga.ts'

export type GraphQLResult = {
  data?: Record<string, unknown> | null
  errors?: { message: string; extensions?: Record<string, unknown> }[]
}

export type Operations = {
  /** The operation of a request: a batch, a plain query, which is executed at once, or one of Yoga. */
  choose(incoming: Incoming, state: RequestState, body: Uint8Array): Operation<HandlerAnswer>
  /** Runs an operation of an admitted caller, as `/graphql` does: with its rights and limits. */
  run(context: GraphQLContext, state: RequestState, query: string, variables?: object): Promise<GraphQLResult>
}

/** How operations of GraphQL run, for all who send them. */
export function createOperations(options: YogaOptions): Operations {
  const yoga = createYogaServer(options)
  const queries = createQueries({ ...options, yoga })
  const chooseOne: Operations['choose'] = (incoming, state, body) =>
    queries(incoming, state, body) ?? {
      name: undefined,
      isRead: false,
      run: (context) => yoga(incoming, { ...state, context, body }),
    }
  const runText: RunText = async (context, state, text) => {
    const body = Buffer.from(text)
    const incoming = new OwnIncoming('/graphql', body)
    const operation = chooseOne(incoming, state, body)
    if (operation.name) state.known.operation = operation.name
    const isGone = () => context.signal?.aborted === true
    const signal = operation.isRead ? signalOf({ isGone }, options.operationMs) : context.signal
    const outcome = await operation.run({ ...context, signal }, () => Promise.resolve(context))
    const { body: result } = 'arrayBuffer' in outcome ? await answerOf(outcome) : outcome
    return typeof result === 'string' ? result : Buffer.from(result as Uint8Array).toString()
  }
  return {
    choose: (incoming, state, body) => readBatch(runText, incoming, state, body) ?? chooseOne(incoming, state, body),
    async run(context, state, query, variables = {}) {
      // The names of the operation and its mutations are those of the request that asked for it.
      const text = await runText(context, { ...state, known: {} }, JSON.stringify({ query, variables }))
      return JSON.parse(text) as GraphQLResult
    },
  }
}
