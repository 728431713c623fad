import { isAsyncIterable, mapAsyncIterator } from '@graphql-tools/utils'
import { type ExecutionResult, GraphQLError, Kind } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import type { Logger } from 'pino'
import { failure, statuses } from '../http/statuses.ts'
import { type ErrorCode, isRetryable, type TributaryError } from '../kernel/errors.ts'
import type { RequestState } from './handler.ts'
import { boundedError } from './refused-query.ts'
import { toTributaryError } from './unexpected.ts'

/**
 * What GraphQL clients see of an error: the sentence, and for machines the code, whether the same can succeed later, the
 * request's id, each problem with where it is in the variables, and the reasons of a refusal.
 */
type Extensions = {
  code: ErrorCode
  retryable: boolean
  requestId: string
  problems?: { message: string; field?: string; path: (string | number)[] }[]
  reasons?: readonly string[]
}

/** @param at the argument that the verb reads, where it is not the arguments themselves */
const extensionsOf = (error: TributaryError, at: readonly string[]): Omit<Extensions, 'requestId'> => ({
  code: error.code,
  retryable: isRetryable(error.code),
  ...(error.problems.length > 0 && {
    problems: error.problems.map(({ message, field, path = field ? [field] : [] }) => ({
      message,
      field,
      path: [...at, ...path],
    })),
  }),
  ...(error.reasons.length > 0 && { reasons: error.reasons }),
})

/** GraphQL wraps what is wrong with a variable twice, and gives it no path: no field was resolved yet. */
const isOfTheQuery = ({ originalError, path }: GraphQLError) =>
  !originalError || (!path && originalError instanceof GraphQLError)

/** For Yoga: errors of the domain are told, GraphQL's own stay, the cause of anything else is logged and not told. */
export const maskGraphQLError = (log: Logger) => (error: unknown) => {
  if (error instanceof GraphQLError && isOfTheQuery(error)) return boundedError(error)
  const told = toTributaryError(error, log)
  const { nodes, source, positions, path } = error instanceof GraphQLError ? error : new GraphQLError('')
  const field = nodes?.[0]
  const takesInput = field?.kind === Kind.FIELD && field.arguments?.some(({ name }) => name.value === 'input')
  // Where no field is named it failed as a whole, whatever the answer is written in.
  const http = !path && { http: { status: statuses[told.code] } }
  const extensions = { ...extensionsOf(told, takesInput ? ['input'] : []), ...http }
  return new GraphQLError(told.message, { nodes, source, positions, path, extensions })
}

/** Gives every error of an answer a code of the vocabulary, whether it can be retried, and the request's id. */
export function useErrorExtensions(): Plugin<object, RequestState> {
  return {
    onResultProcess({ result, setResult, serverContext: { requestId } }) {
      const complete = (one: ExecutionResult) =>
        one.errors ? { ...one, errors: one.errors.map((error) => completed(error, requestId)) } : one
      if (Array.isArray(result)) setResult(result.map(complete))
      else if (isAsyncIterable<ExecutionResult>(result)) setResult(mapAsyncIterator(result, complete) as never)
      else setResult(complete(result as ExecutionResult))
    },
  }
}

/** A copy: the same error is the answer to the next request with the same query. */
function completed(error: GraphQLError, requestId: string): GraphQLError {
  const { message, nodes, source, positions, path, originalError } = error
  const code = codeOf(error)
  const extensions = { ...error.extensions, code, retryable: isRetryable(code), requestId }
  return new GraphQLError(message, { nodes, source, positions, path, originalError, extensions })
}

/** What Yoga and GraphQL say in words of their own. */
const otherCodes: Record<string, ErrorCode> = {
  REQUEST_ENTITY_TOO_LARGE: 'PAYLOAD_TOO_LARGE',
  INTERNAL_SERVER_ERROR: 'INTERNAL',
}

function codeOf({ extensions }: GraphQLError): ErrorCode {
  const { code = '', http } = extensions as { code?: string; http?: { status?: number } }
  if (http?.status === 405) return 'METHOD_NOT_ALLOWED'
  return Object.hasOwn(statuses, code) ? (code as ErrorCode) : (otherCodes[code] ?? 'BAD_REQUEST')
}

/** The answer where a request fails as a whole, before GraphQL has run. */
export const graphQLErrorResponse = (error: TributaryError, requestId: string) =>
  failure(error.code, {
    errors: [{ message: error.message, extensions: { ...extensionsOf(error, []), requestId } satisfies Extensions }],
  })
