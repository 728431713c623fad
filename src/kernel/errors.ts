/**
 * The closed vocabulary of what can go wrong. The domain throws the first group; the transports add the second.
 * Each transport has one table from code to answer, and a code without a row there does not compile.
 */
export type ErrorCode =
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'INVALID_INPUT'
  | 'REFUSED'
  | 'UNAVAILABLE'
  | 'INTERNAL'
  | 'BAD_REQUEST'
  | 'METHOD_NOT_ALLOWED'
  | 'NOT_ACCEPTABLE'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'GRAPHQL_PARSE_FAILED'
  | 'GRAPHQL_VALIDATION_FAILED'
  | 'QUERY_TOO_COMPLEX'
  | 'PERSISTED_QUERY_NOT_FOUND'

/** Whether the same request can succeed later as it is. */
export const isRetryable = (code: ErrorCode): boolean => code === 'UNAVAILABLE'

/**
 * One thing wrong with an input: a sentence for a person, and the field it is about (absent for the input as a whole).
 * `path` is where that is in the input, where it is not simply the field: `['affiliates', 3, 'email']`.
 */
export type Problem = { message: string; field?: string; path?: readonly (string | number)[] }

export class TributaryError extends Error {
  override readonly name = 'TributaryError'
  /** Why it was refused, in words for machines ("no_matching_affiliate"); the first is the reason, the others tell more. */
  readonly reasons: readonly string[]
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly problems: readonly Problem[] = [],
    { reasons = [] }: { reasons?: readonly string[] } = {},
  ) {
    super(message)
    this.reasons = reasons
  }
}

export const unauthenticated = (message = 'Invalid API key.') => new TributaryError('UNAUTHENTICATED', message)

export const forbidden = (message: string) => new TributaryError('FORBIDDEN', message)

/** `resource` in words, as a sentence begins: "Affiliate link". */
export const notFound = (resource: string, id: string) =>
  new TributaryError('NOT_FOUND', `${resource} not found: ${id}`)

/** Input that can not be taken: every problem at once. */
export const invalid = (problems: readonly Problem[]) =>
  new TributaryError('INVALID_INPUT', problems.map(({ message }) => message.replace(/\.?$/, '.')).join(' '), problems)

/** The input is well formed, but the state of things does not allow it: "A paid commission can't be changed." */
export const refused = (message: string, reasons: readonly string[] = []) =>
  new TributaryError('REFUSED', message, [], { reasons })

export const unavailable = (message = 'The service is not available at the moment. Try again shortly.') =>
  new TributaryError('UNAVAILABLE', message)
