import type { Answer } from '../http/answer.ts'
import { failure } from '../http/statuses.ts'
import type { TributaryError } from '../kernel/errors.ts'
import type { Route } from './route.ts'

/** `{error}`. Problems of an input and the reasons of a refusal are added as `details`. */
export function errorAnswer(error: TributaryError, route?: Pick<Route, 'failure'>): Answer {
  if (error.reasons.length > 0) return failure(error.code, { error: error.message, details: error.reasons })
  if (error.code !== 'INVALID_INPUT') return failure(error.code, { error: error.message })
  const details = error.problems.map((problem) => problem.message)
  return failure(error.code, { error: route?.failure ?? error.message, details })
}
