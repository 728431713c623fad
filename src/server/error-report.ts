import { GraphQLError } from 'graphql'
import type { Logger } from 'pino'
import { isDamage, isProgramClosed, isReadOnly, isUnavailable } from '../database/client/errors.ts'
import { DeadlineExceeded } from '../kernel/deadline.ts'
import { databaseDamaged, TributaryError, unavailable } from '../kernel/errors.ts'

/** The error that the client sees. The cause of an unexpected error is logged and never sent. */
export function toTributaryError(error: unknown, log: Logger): TributaryError {
  const cause = error instanceof GraphQLError && error.originalError ? error.originalError : error
  if (cause instanceof TributaryError) return cause
  if (cause instanceof DeadlineExceeded) {
    log.warn({ seconds: cause.seconds }, 'operation ended at its deadline')
    return unavailable(
      `The operation took longer than ${cause.seconds} seconds and was ended. Ask for less at a time, or try again when the service is less busy.`,
    )
  }
  if (isReadOnly(cause)) {
    log.warn({ err: cause }, 'database read-only')
    return unavailable('The database is read-only at the moment: reads work, writes do not. Try again shortly.')
  }
  if (isProgramClosed(cause)) {
    log.info('write to a closed program')
    return unavailable('The program is closed to writes at the moment: reads work, writes do not. Try again shortly.')
  }
  if (isUnavailable(cause)) {
    log.warn({ err: cause }, 'database unavailable')
    return unavailable()
  }
  if (isDamage(cause)) {
    log.fatal({ err: cause }, 'database damaged, restore a backup')
    return databaseDamaged()
  }
  log.error({ err: cause }, 'request failed unexpectedly')
  return new TributaryError('INTERNAL', 'Internal server error.')
}
