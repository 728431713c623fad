import type { Plugin } from 'graphql-yoga'
import { TributaryError } from '../kernel/errors.ts'
import type { RequestState } from './entrance.ts'
import { graphQLErrorResponse } from './graphql-errors.ts'

/** What Yoga can answer in; the last two are for answers that come in parts. */
const answered = [
  'application/graphql-response+json',
  'application/json',
  'text/event-stream',
  'multipart/mixed',
] as const

/** Where the body is in no form that is read, or the answer in none that is taken, Yoga says so with an empty page. */
export function useMediaTypes(): Plugin<object, RequestState> {
  return {
    onRequestParse({ request, requestParser, serverContext: { requestId }, endResponse }) {
      const refuse = (error: TributaryError) => endResponse(graphQLErrorResponse(error, requestId))
      if (request.method === 'POST' && !requestParser) {
        const sent = request.headers.get('content-type') ? 'This Content-Type is not read' : 'There is no Content-Type'
        const message = `${sent}: send the query as application/json.`
        return refuse(new TributaryError('UNSUPPORTED_MEDIA_TYPE', message))
      }
      // Before the operation runs: afterwards a mutation would have been made that nobody hears of.
      if (!accepts(request.headers.get('accept'))) {
        const message = `Accept names nothing that is answered here: ask for ${answered[0]} or ${answered[1]}.`
        return refuse(new TributaryError('NOT_ACCEPTABLE', message))
      }
    },
  }
}

/** An answer is always UTF-8, which Yoga demands of the header too. */
function accepts(header: string | null): boolean {
  const ranges = (header?.trim() || '*/*').toLowerCase().replace(/\s/g, '').split(',')
  return ranges.some((range) => {
    const [type = '', ...parameters] = range.split(';')
    const charset = parameters.find((parameter) => parameter.startsWith('charset='))
    if (charset && charset !== 'charset=utf-8') return false
    return type === '*/*' || answered.some((one) => one === type || `${one.split('/')[0]}/*` === type)
  })
}
