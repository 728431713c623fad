import { isAsyncIterable, mapAsyncIterator } from '@graphql-tools/utils'
import { type ExecutionResult, GraphQLError, Kind } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import type { Logger } from 'pino'
import { acceptedMediaTypes } from '../http/accept.ts'
import { failure, failureHeaders, statuses } from '../http/statuses.ts'
import {
  type ErrorCode,
  type ErrorReason,
  isRetryable,
  type ProblemCode,
  type TributaryError,
} from '../kernel/errors.ts'
import { label } from '../kernel/input/parse.ts'
import { addressFields } from '../modules/payout-methods/addresses.ts'
import { toTributaryError } from './error-report.ts'
import { boundedError } from './graphql/query-errors.ts'
import type { GraphQLState, RequestIds } from './handler.ts'

/** The machine-readable part of an error: code, whether to retry, problems with their paths. */
type Extensions = {
  code: ErrorCode
  retryable: boolean
  requestId: string
  traceId?: string
  problems?: {
    message: string
    field?: string
    path: (string | number)[]
    /** In upper case, as the enum of the schema. */
    code?: Uppercase<ProblemCode>
    limit?: string | number
  }[]
  /** In upper case, as the enum of the schema. */
  reasons?: readonly Uppercase<ErrorReason>[]
}

/** Messages of the domain make words of the names of fields. Affiliates read the messages of GraphQL. */
const labels = Object.entries(addressFields).flatMap(([name, field]) =>
  field?.label ? [{ ofName: new RegExp(`\\b${label(name)}\\b`, 'g'), shown: field.label }] : [],
)
const forPeople = (message: string): string =>
  labels.reduce((text, { ofName, shown }) => text.replace(ofName, shown), message)

/** @param at the path of the argument that the verb reads; empty when it reads the arguments themselves */
const extensionsOf = (error: TributaryError, at: readonly string[]): Omit<Extensions, keyof RequestIds> => ({
  code: error.code,
  retryable: isRetryable(error.code),
  ...(error.problems.length > 0 && {
    problems: error.problems.map(({ message, field, path = field ? [field] : [], code, limit }) => ({
      message: forPeople(message),
      field,
      path: [...at, ...path],
      ...(code && { code: code.toUpperCase() as Uppercase<ProblemCode> }),
      ...(limit !== undefined && { limit }),
    })),
  }),
  ...(error.reasons.length > 0 && {
    reasons: error.reasons.map((reason) => reason.toUpperCase() as Uppercase<ErrorReason>),
  }),
})

/** GraphQL wraps an error in a variable twice, and gives it no path because no field was resolved yet. */
const isQueryError = ({ originalError, path }: GraphQLError) =>
  !originalError || (!path && originalError instanceof GraphQLError)

/** For Yoga: keeps errors of the domain and of GraphQL. Others are logged, and hidden from the client. */
export const maskGraphQLError = (log: Logger) => (error: unknown) => {
  if (error instanceof GraphQLError && isQueryError(error)) return boundedError(error)
  const reported = toTributaryError(error, log)
  const { nodes, source, positions, path } = error instanceof GraphQLError ? error : new GraphQLError('')
  const field = nodes?.[0]
  const takesInput = field?.kind === Kind.FIELD && field.arguments?.some(({ name }) => name.value === 'input')
  // Without a path the whole request failed, so the HTTP status shows it for every response type.
  const http = !path && { http: { status: statuses[reported.code], headers: failureHeaders[reported.code] } }
  const extensions = { ...extensionsOf(reported, takesInput ? ['input'] : []), ...http }
  return new GraphQLError(forPeople(reported.message), { nodes, source, positions, path, extensions })
}

/** Adds an error code, `retryable`, the request id and that of the trace to every error of a response. */
export function useErrorExtensions(): Plugin<object, GraphQLState> {
  return {
    onResultProcess({ result, setResult, serverContext: { requestId, traceId, known } }) {
      const complete = (one: ExecutionResult) => {
        if (!one.errors) return one
        const errors = one.errors.map((error) => completedError(error, { requestId, traceId }))
        known.errorCode = errors[0]?.extensions.code as ErrorCode
        known.problem = errors[0] ? linesOf(errors[0]) : ''
        return { ...one, errors }
      }
      if (Array.isArray(result)) setResult(result.map(complete))
      // Yoga's result type is not generic, so the mapped iterator does not fit it.
      else if (isAsyncIterable<ExecutionResult>(result)) setResult(mapAsyncIterator(result, complete) as never)
      else setResult(complete(result as ExecutionResult))
    },
  }
}

/** The problems of an error, each in a line; its message, if it names none. */
function linesOf({ message, extensions }: GraphQLError): string {
  const problems = extensions.problems as { message: string }[] | undefined
  return problems?.length ? problems.map((one) => one.message).join('\n') : message
}

/** Adds code, `retryable` and ids to a copy: validation errors are cached and shared between requests. */
export function completedError(error: GraphQLError, ids: RequestIds): GraphQLError {
  if (error.extensions.requestId !== undefined) return error
  const { message, nodes, source, positions, path, originalError } = error
  const code = codeOf(error)
  const extensions = { ...error.extensions, code, retryable: isRetryable(code), ...sentIds(ids) }
  return new GraphQLError(message, { nodes, source, positions, path, originalError, extensions })
}

const sentIds = ({ requestId, traceId }: RequestIds): RequestIds => ({ requestId, ...(traceId && { traceId }) })

/** Codes of Yoga and GraphQL that differ from ours. */
const otherCodes: Record<string, ErrorCode> = {
  REQUEST_ENTITY_TOO_LARGE: 'PAYLOAD_TOO_LARGE',
  INTERNAL_SERVER_ERROR: 'INTERNAL',
}

function codeOf({ extensions }: GraphQLError): ErrorCode {
  const { code = '', http } = extensions as { code?: string; http?: { status?: number } }
  if (http?.status === 405) return 'METHOD_NOT_ALLOWED'
  return Object.hasOwn(statuses, code) ? (code as ErrorCode) : (otherCodes[code] ?? 'BAD_REQUEST')
}

/** The media types of a whole result. The first is for clients that name none. */
export const resultTypes = ['application/json', 'application/graphql-response+json']

/**
 * The response to a request that failed before GraphQL executed it, in the media type that the client accepts: some
 * read the code of an error only in `application/graphql-response+json`.
 */
export function graphQLErrorAnswer(error: TributaryError, ids: RequestIds, accept: string | null) {
  const extensions: Extensions = { ...extensionsOf(error, []), ...sentIds(ids) }
  const [type = resultTypes[0] as string] = acceptedMediaTypes(accept, resultTypes)
  return failure(error.code, { errors: [{ message: error.message, extensions }] }, { 'Content-Type': type })
}
