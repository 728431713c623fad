import { failure } from '../http/statuses.ts'
import type { TributaryError } from '../kernel/errors.ts'
import type { Route } from './routes.ts'

/** `{error}`, or `{error, details}` where an input has problems, or a refusal has reasons for machines. */
export function errorResponse(error: TributaryError, route?: Pick<Route, 'failure'>): Response {
  if (error.reasons.length > 0) return failure(error.code, { error: error.message, details: error.reasons })
  if (error.code !== 'INVALID_INPUT') return failure(error.code, { error: error.message })
  const details = error.problems.map((problem) => problem.message)
  return failure(error.code, { error: route?.failure ?? error.message, details })
}
