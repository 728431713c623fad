import { excerpt } from './text.ts'
/** All error codes. The domain throws those up to INTERNAL. Each transport maps every code. */
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
  | 'PERSISTED_QUERY_NOT_SUPPORTED'
  | 'REQUEST_IN_PROGRESS'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'TOO_MANY_REQUESTS'

/** Why a request was refused, for programs. The schema describes each. REST shows them as they are here. */
export type ErrorReason =
  | 'no_matching_affiliate'
  | `${'referral_id' | 'coupon' | 'agent' | 'email'}_${'not_usable' | 'not_found' | 'expired' | 'affiliate_not_active' | 'archived'}`
  | 'affiliate_not_active'
  | 'sale_refunded_in_full'
  | 'too_many_links'
  | 'too_many_changes'
  | ReferenceKind
  | ComplexityReason

/** The kind of rows that keep a row from being deleted. */
export type ReferenceKind = 'affiliates' | 'referrals' | 'visits' | 'sales' | 'commissions' | 'imported_records'

export type ComplexityReason =
  | 'characters'
  | 'tokens'
  | 'aliases'
  | 'directives'
  | 'fragments'
  | 'introspection'
  | 'depth'
  | 'cost'

export const isRetryable = (code: ErrorCode): boolean =>
  code === 'UNAVAILABLE' || code === 'REQUEST_IN_PROGRESS' || code === 'TOO_MANY_REQUESTS'

/** What is wrong with a value, for programs that say it in another language. The schema describes each. */
export type ProblemCode =
  | 'blank'
  | 'too_long'
  | 'not_an_option'
  | 'not_a_number'
  | 'not_a_date'
  | 'not_an_email'
  | 'not_a_url'
  | 'not_an_iban'
  | 'not_a_bic'
  | 'not_a_token'
  | 'not_a_sub_id'
  | 'taken'
  | 'other_site'
  | 'terms_not_accepted'
  | 'campaign_not_open'

/**
 * A sentence for people, and the field or the whole input. `path` is nested: `['affiliates', 3, 'email']`.
 * `limit` is what the code refers to: the most characters, the host of the site.
 */
export type Problem = {
  message: string
  field?: string
  path?: readonly (string | number)[]
  code?: ProblemCode | undefined
  limit?: string | number | undefined
}

export class TributaryError extends Error {
  override readonly name = 'TributaryError'
  /** The first is the reason; the others are details. */
  readonly reasons: readonly ErrorReason[]
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly problems: readonly Problem[] = [],
    { reasons = [] }: { reasons?: readonly ErrorReason[] } = {},
  ) {
    super(message)
    this.reasons = reasons
  }
}

/** What REST says of every key that is missing or wrong. */
export const invalidKey = 'Invalid API key.'

export const unauthenticated = (message = invalidKey, reasons: readonly ErrorReason[] = []) =>
  new TributaryError('UNAUTHENTICATED', message, [], { reasons })

export const forbidden = (message: string) => new TributaryError('FORBIDDEN', message)

/** @param resource the record's type in words, capitalized: "Affiliate link" */
export const notFound = (resource: string, id: string) =>
  new TributaryError('NOT_FOUND', `${resource} not found: ${excerpt(id)}`)

export const invalid = (problems: readonly Problem[]) =>
  new TributaryError('INVALID_INPUT', problems.map(({ message }) => message.replace(/\.?$/, '.')).join(' '), problems)

/** The error of valid input that the current state does not allow: "A paid commission can't be changed." */
export const refused = (message: string, reasons: readonly ErrorReason[] = []) =>
  new TributaryError('REFUSED', message, [], { reasons })

export const databaseDamaged = () =>
  new TributaryError(
    'INTERNAL',
    'The database is damaged. An operator has to restore a backup: see the log of the server.',
  )

/** For the log and the metrics: nobody receives it. It is no failure of the service. */
export const clientGone = () =>
  new TributaryError('BAD_REQUEST', 'The client closed the connection before the request was complete or answered.')

export const unavailable = (message = 'The service is not available at the moment. Try again shortly.') =>
  new TributaryError('UNAVAILABLE', message)
