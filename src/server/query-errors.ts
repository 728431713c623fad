import { GraphQLError } from 'graphql'
import { limits } from '../graphql/cost.ts'
import { TributaryError } from '../kernel/errors.ts'

/** The limit that a query exceeds, for machines. */
export type ComplexityReason =
  | 'characters'
  | 'tokens'
  | 'aliases'
  | 'directives'
  | 'fragments'
  | 'introspection'
  | 'depth'
  | 'cost'

/** The error is cached with the query's text, so it must not contain anything of a single request. */
export function tooComplex(reason: ComplexityReason, message: string): GraphQLError {
  const originalError = new TributaryError('QUERY_TOO_COMPLEX', message, [], { reasons: [reason] })
  return new GraphQLError(message, { originalError })
}

/** How many of an error's locations are reported. */
const maxLocations = 3

/** Shortens an error of GraphQL. It repeats names of the query, which can have any length, and lists every location. */
export function boundedError(error: GraphQLError): GraphQLError {
  const { message, nodes, source, positions, path, originalError, extensions } = error
  const isLong = message.length > limits.errorMessage
  if (!isLong && (positions?.length ?? 0) <= maxLocations) return error
  return new GraphQLError(isLong ? `${message.slice(0, limits.errorMessage)}…` : message, {
    nodes: nodes?.slice(0, maxLocations),
    source,
    positions: positions?.slice(0, maxLocations),
    path,
    originalError,
    extensions,
  })
}
