import type { ErrorCode } from '../kernel/errors.ts'
import { type Answer, jsonAnswer } from './answer.ts'

/** The HTTP status of each error code. A code without a row does not compile. */
export const statuses: Record<ErrorCode, number> = {
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  INVALID_INPUT: 422,
  REFUSED: 422,
  UNAVAILABLE: 503,
  INTERNAL: 500,
  BAD_REQUEST: 400,
  METHOD_NOT_ALLOWED: 405,
  NOT_ACCEPTABLE: 406,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  GRAPHQL_PARSE_FAILED: 400,
  GRAPHQL_VALIDATION_FAILED: 400,
  QUERY_TOO_COMPLEX: 400,
  PERSISTED_QUERY_NOT_FOUND: 400,
  PERSISTED_QUERY_NOT_SUPPORTED: 400,
  REQUEST_IN_PROGRESS: 409,
  IDEMPOTENCY_KEY_REUSED: 422,
  TOO_MANY_REQUESTS: 429,
}

export const failureHeaders: Partial<Record<ErrorCode, Record<string, string>>> = {
  // No Basic challenge: browsers would prompt for the secret and store it.
  UNAUTHENTICATED: { 'WWW-Authenticate': 'Bearer' },
  UNAVAILABLE: { 'Retry-After': '1' },
  REQUEST_IN_PROGRESS: { 'Retry-After': '1' },
}

/** The response to a request that failed as a whole. */
export const failure = (code: ErrorCode, body: unknown, headers: Answer['headers'] = {}): Answer => ({
  ...jsonAnswer(body, statuses[code], { ...failureHeaders[code], ...headers }),
  failure: { code, problem: problemOf(body) },
})

/** The message of a REST error and its details, each in a line, or of the first error of GraphQL. */
function problemOf(body: unknown): string {
  const { error, details, errors } = body as { error?: string; details?: string[]; errors?: { message: string }[] }
  return [error ?? errors?.[0]?.message, ...(details ?? []).filter((detail) => !error?.includes(detail))].join('\n')
}
