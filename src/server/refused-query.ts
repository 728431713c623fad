import { GraphQLError } from 'graphql'
import { limits } from '../graphql/cost.ts'
import { TributaryError } from '../kernel/errors.ts'

/** Which limit a query is beyond, for machines. */
export type ComplexityReason =
  | 'characters'
  | 'tokens'
  | 'aliases'
  | 'directives'
  | 'fragments'
  | 'introspection'
  | 'depth'
  | 'cost'

/** The same for every request that sends the query: it is kept with its text, so it says nothing of one of them. */
export function tooComplex(reason: ComplexityReason, message: string): GraphQLError {
  const originalError = new TributaryError('QUERY_TOO_COMPLEX', message, [], { reasons: [reason] })
  return new GraphQLError(message, { originalError })
}

/** So many of the places that an error is about are told. */
const places = 3

/** An error that GraphQL makes repeats what was sent, names of any length and every place; of that some is enough. */
export function boundedError(error: GraphQLError): GraphQLError {
  const { message, nodes, source, positions, path, originalError, extensions } = error
  const isLong = message.length > limits.errorMessage
  if (!isLong && (positions?.length ?? 0) <= places) return error
  return new GraphQLError(isLong ? `${message.slice(0, limits.errorMessage)}…` : message, {
    nodes: nodes?.slice(0, places),
    source,
    positions: positions?.slice(0, places),
    path,
    originalError,
    extensions,
  })
}
