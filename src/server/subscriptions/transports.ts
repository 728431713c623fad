import type { Plugin } from 'graphql-yoga'
import { toResponse } from '../../http/answer.ts'
import { TributaryError } from '../../kernel/errors.ts'
import { graphQLErrorAnswer } from '../graphql-errors.ts'
import type { GraphQLState } from '../handler.ts'

type Results = AsyncIterable<object>

/** Apollo Client asks for it: the "multipart protocol for GraphQL subscriptions" of Apollo Router. */
const apolloTransport = /multipart\/mixed[^,]*;\s*subscriptionSpec="?1\.0"?/i
const keepAliveMs = 12_000

const isResults = (result: unknown): result is Results =>
  typeof result === 'object' && result !== null && Symbol.asyncIterator in result

/**
 * Subscriptions in the multipart transport of Apollo, beside server-sent events, which are Yoga's. A request that
 * accepts neither gets a 406 that names both. Yoga would send an empty body.
 */
export function useTransports(): Plugin<object, GraphQLState> {
  return {
    onResultProcess({ request, result, serverContext, setResultProcessor }) {
      if (!isResults(result)) return
      const accept = request.headers.get('accept') ?? ''
      if (apolloTransport.test(accept))
        setResultProcessor((results) => toMultipart(results as Results), 'multipart/mixed')
      else if (!/text\/(event-stream|\*)|\*\/\*/i.test(accept) && accept !== '')
        setResultProcessor((results) => refuse(results as Results, serverContext, accept), 'application/json')
    },
  }
}

function refuse(results: Results, state: GraphQLState, accept: string): Response {
  void results[Symbol.asyncIterator]().return?.()
  const message =
    'A subscription is sent as server-sent events: set Accept to text/event-stream. Apollo Client can use multipart/mixed;subscriptionSpec=1.0.'
  const { failure, ...answer } = graphQLErrorAnswer(new TributaryError('NOT_ACCEPTABLE', message), state, accept)
  Object.assign(state.known, { errorCode: failure?.code, problem: failure?.problem })
  return toResponse(answer)
}

/** Each part ends with the boundary of the next, so that clients read it at once. Empty objects keep the connection. */
function toMultipart(results: Results): Response {
  const iterator = results[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  const part = (content: object) => `\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(content)}\r\n--graphql`
  let keepAlive: NodeJS.Timeout | undefined
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(`\r\n--graphql${part({})}`))
      keepAlive = setInterval(() => {
        if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(part({})))
      }, keepAliveMs).unref()
    },
    async pull(controller) {
      const { value, done } = await iterator.next()
      if (value) controller.enqueue(encoder.encode(part({ payload: value })))
      if (!done) return
      clearInterval(keepAlive)
      controller.enqueue(encoder.encode('--\r\n'))
      controller.close()
    },
    async cancel() {
      clearInterval(keepAlive)
      await iterator.return?.()
    },
  })
  const headers = {
    'Content-Type': 'multipart/mixed;boundary="graphql";subscriptionSpec="1.0"',
    'Cache-Control': 'no-cache',
    'Content-Encoding': 'none',
  }
  return new Response(body, { headers })
}
