import type { Plugin } from 'graphql-yoga'
import type { GraphQLContext } from '../../graphql/context.ts'
import type { RequestState } from '../handler.ts'

/** Gives back the turn of each event once it is answered, and ends what nobody reads. */
export function useSubscriptions(): Plugin<GraphQLContext, RequestState> {
  return {
    onSubscribe({ args }) {
      const { events } = args.contextValue as GraphQLContext
      return { onSubscribeResult: () => ({ onNext: () => events.answered(), onEnd: () => events.end() }) }
    },
    onResponse({ response, serverContext }) {
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
      if (!isStream) return serverContext.context?.events.end()
      // A proxy that gathers an answer before it sends it would keep the events.
      response.headers.set('X-Accel-Buffering', 'no')
    },
  }
}
