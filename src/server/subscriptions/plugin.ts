import type { Plugin } from 'graphql-yoga'
import type { GraphQLContext } from '../../graphql/context.ts'
import type { GraphQLState } from '../handler.ts'

/** Releases the turn of each event once it is sent, and ends streams without a reader. */
export function useSubscriptions(): Plugin<GraphQLContext, GraphQLState> {
  return {
    onSubscribe({ args }) {
      const { events } = args.contextValue as GraphQLContext
      return { onSubscribeResult: () => ({ onNext: () => events.answered(), onEnd: () => events.end() }) }
    },
    onResponse({ response, serverContext }) {
      const isStream = /^(text\/event-stream|multipart\/mixed)/.test(response.headers.get('content-type') ?? '')
      if (!isStream) return serverContext.context.events.end()
      // Tells proxies not to buffer the response, which would delay events.
      response.headers.set('X-Accel-Buffering', 'no')
    },
  }
}
