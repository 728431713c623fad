import type { Plugin } from 'graphql-yoga'
import { acceptedMediaTypes } from '../../http/accept.ts'
import { toResponse } from '../../http/answer.ts'
import { TributaryError } from '../../kernel/errors.ts'
import { memoize } from '../../kernel/memoize.ts'
import { graphQLErrorAnswer } from '../graphql-errors.ts'
import type { GraphQLState } from '../handler.ts'

/** The media types that Yoga can respond with. The last two are for incremental results. */
const responseTypes = [
  'application/graphql-response+json',
  'application/json',
  'text/event-stream',
  'multipart/mixed',
] as const

/** What GraphQL over HTTP asks for. Forms and plain text, which a page of another origin can send, are not accepted. */
export const isJsonType = (type: string | null): boolean =>
  /^\s*application\/(graphql\+)?json\s*(;|,|$)/i.test(type ?? '')

/** Rejects unsupported request and response media types with a message. Yoga would send an empty body. */
export function useMediaTypes(): Plugin<object, GraphQLState> {
  return {
    onRequestParse({ request, serverContext, endResponse }) {
      const reject = (error: TributaryError) => {
        const { failure, ...answer } = graphQLErrorAnswer(error, serverContext, request.headers.get('accept'))
        Object.assign(serverContext.known, { errorCode: failure?.code, problem: failure?.problem })
        endResponse(toResponse(answer))
      }
      const type = request.headers.get('content-type')
      if (request.method === 'POST' && !isJsonType(type)) {
        const reason = type ? 'Unsupported Content-Type' : 'The Content-Type is missing'
        return reject(new TributaryError('UNSUPPORTED_MEDIA_TYPE', `${reason}. Send the query as application/json.`))
      }
      // Checked before the operation runs: otherwise a mutation would be executed without a response.
      if (!isAcceptable(request.headers.get('accept'))) {
        const message = `Accept allows no supported media type. Add ${responseTypes[0]} or ${responseTypes[1]} to it.`
        return reject(new TributaryError('NOT_ACCEPTABLE', message))
      }
    },
  }
}

/** Clients send few different headers. */
const headersKept = 100

/** Responses are always UTF-8. Yoga checks the charset too, and ignores all other parameters, such as `deferSpec`. */
const acceptability = memoize((accept: string) => {
  const ranges = accept.replace(/;\s*(?!q=|charset=)[^;,]*/gi, '')
  const offered = responseTypes.flatMap((type) => [type, `${type}; charset=utf-8`])
  return { isAcceptable: acceptedMediaTypes(ranges, offered).length > 0 }
}, headersKept)

const isAcceptable = (accept: string | null): boolean => acceptability(accept ?? '').isAcceptable
