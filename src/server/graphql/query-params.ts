import type { GraphQLParams, Plugin } from 'graphql-yoga'
import { parseJson, readPairs } from '../../http/body.ts'
import { decodeText } from '../../http/incoming.ts'
import { TributaryError } from '../../kernel/errors.ts'
import type { GraphQLState } from '../handler.ts'

/** Reads a GraphQL request. Yoga's parsers limit only the size, and repeat invalid JSON in the error. */
export function useQueryParams(): Plugin<object, GraphQLState> {
  return {
    onRequestParse({ request, requestParser, setRequestParser, serverContext: { body } }) {
      // Without a parser the media type is not supported.
      if (requestParser) setRequestParser(async () => readParams(request, body))
    },
  }
}

function readParams({ method, url }: Request, body: Uint8Array): GraphQLParams {
  if (method === 'GET') return paramsOf(readPairs(url.includes('?') ? url.slice(url.indexOf('?') + 1) : ''))
  const value = parseJson(decodeText(body), 'The body')
  if (value !== null && typeof value === 'object') return value
  throw new TributaryError('BAD_REQUEST', 'The body must be a JSON object.')
}

function paramsOf(pairs: URLSearchParams): GraphQLParams {
  const json = (name: string) => {
    const text = pairs.get(name)
    return text ? (parseJson(text, `The parameter ${name}`) as Record<string, unknown>) : undefined
  }
  return {
    operationName: pairs.get('operationName') || undefined,
    query: pairs.get('query') || undefined,
    variables: json('variables'),
    extensions: json('extensions'),
  }
}
