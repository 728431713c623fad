import { GraphQLError } from 'graphql'
import { shortened } from '../../graphql/shortened.ts'
import { type ComplexityReason, TributaryError } from '../../kernel/errors.ts'

/** The error is cached with the query's text, so it must not contain anything of a single request. */
export function tooComplex(reason: ComplexityReason, message: string): GraphQLError {
  const originalError = new TributaryError('QUERY_TOO_COMPLEX', message, [], { reasons: [reason] })
  return new GraphQLError(message, { originalError })
}

const maxLocations = 3

/** Shortens an error of GraphQL. It repeats what was sent, which can have any length, and lists every location. */
export function boundedError(error: GraphQLError): GraphQLError {
  const { nodes, source, positions, path, originalError, extensions } = error
  const message = shortened(error.message)
  if (message === error.message && (positions?.length ?? 0) <= maxLocations) return error
  return new GraphQLError(message, {
    nodes: nodes?.slice(0, maxLocations),
    source,
    positions: positions?.slice(0, maxLocations),
    path,
    originalError,
    extensions,
  })
}
