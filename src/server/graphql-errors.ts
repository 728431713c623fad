import { GraphQLError } from 'graphql'
import type { Logger } from 'pino'
import type { TributaryError } from '../errors.ts'
import { failure, statuses } from '../http/statuses.ts'
import { boundedError } from './refused-query.ts'
import { toTributaryError } from './unexpected.ts'

/** What GraphQL clients see of an error: the sentence, the code, each problem with its field, and the request's id. */
const told = (error: TributaryError, requestId?: string) => ({
  message: error.message,
  extensions: {
    code: error.code,
    ...(error.problems.length > 0 && { problems: error.problems }),
    ...(error.reasons.length > 0 && { reasons: error.reasons }),
    ...(requestId && { requestId }),
  },
})

/** GraphQL wraps what is wrong with a variable twice, and gives it no path: no field was resolved yet. */
const isOfTheQuery = ({ originalError, path }: GraphQLError) =>
  !originalError || (!path && originalError instanceof GraphQLError)

/** For Yoga: errors of the domain are told, GraphQL's own stay, the cause of anything else is logged and not told. */
export const maskGraphQLError = (log: Logger) => (error: unknown) => {
  if (error instanceof GraphQLError && isOfTheQuery(error)) return boundedError(error)
  const { message, extensions } = told(toTributaryError(error, log))
  const { nodes, source, positions, path } = error instanceof GraphQLError ? error : new GraphQLError('')
  // Where no field is named it failed as a whole, whatever the answer is written in.
  const http = !path && { http: { status: statuses[extensions.code] } }
  return new GraphQLError(message, { nodes, source, positions, path, extensions: { ...extensions, ...http } })
}

/** The answer where a request fails as a whole, before GraphQL has run. */
export const graphQLErrorResponse = (error: TributaryError, requestId: string) =>
  failure(error.code, { errors: [told(error, requestId)] })
