import { GraphQLError } from 'graphql'
import type { Logger } from 'pino'
import { isUnavailable } from '../database/errors.ts'
import { TributaryError, unavailable } from '../kernel/errors.ts'

/** What an error is to the caller. The cause of an unexpected one is logged and never told. */
export function toTributaryError(error: unknown, log: Logger): TributaryError {
  const cause = error instanceof GraphQLError && error.originalError ? error.originalError : error
  if (cause instanceof TributaryError) return cause
  if (isUnavailable(cause)) {
    log.warn({ err: cause }, 'The database can not be reached.')
    return unavailable()
  }
  log.error({ err: cause }, 'A request failed unexpectedly.')
  return new TributaryError('INTERNAL', 'Internal server error.')
}
