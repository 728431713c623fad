import type { ErrorCode, ErrorReason, ProblemCode } from '../kernel/errors.ts'
import { defineEnum } from './enums.ts'

// Clients generate types from these enums. No field has them: see `explicitlyIncludeType` in builder.ts.
defineEnum('ErrorCode', 'The codes of errors: `extensions.code` of an error is always one of these.', {
  UNAUTHENTICATED: 'The API key or token is missing, unknown, revoked or expired.',
  FORBIDDEN: 'The API key or token does not allow the operation, for example a mutation with a read-only key.',
  NOT_FOUND: 'No record that a mutation changes has the id. Look-ups by id return null instead.',
  INVALID_INPUT: 'The input is not valid. `extensions.problems` lists every problem with its field and path.',
  REFUSED:
    'The input is valid, but the current state does not allow the operation. The message says why; `extensions.reasons` has a value of `ErrorReason` where programs may want to know.',
  UNAVAILABLE: 'The service or its database is not available at the moment. The request can be sent again as it is.',
  INTERNAL: 'The service has a defect. Its log has the cause under the request id.',
  BAD_REQUEST: 'The request is malformed, for example invalid JSON or a variable that does not fit its type.',
  METHOD_NOT_ALLOWED: 'The HTTP method is not allowed, for example a mutation by GET.',
  NOT_ACCEPTABLE: 'No media type in the `Accept` header can be served.',
  PAYLOAD_TOO_LARGE: 'The request body is too large.',
  UNSUPPORTED_MEDIA_TYPE: 'The `Content-Type` of the request body is not supported. Send `application/json`.',
  GRAPHQL_PARSE_FAILED: 'The document is not GraphQL.',
  GRAPHQL_VALIDATION_FAILED: 'The document does not fit the schema.',
  QUERY_TOO_COMPLEX:
    'The operation exceeds a limit and was not executed. `extensions.reasons` has the limit, a value of `ErrorReason`.',
  PERSISTED_QUERY_NOT_FOUND: 'No persisted operation has this id. Send the query, with its hash to register it.',
  PERSISTED_QUERY_NOT_SUPPORTED: 'This caller cannot register queries. Send queries without hashes.',
  REQUEST_IN_PROGRESS:
    'A request with the same `Idempotency-Key` is still running. Send it again after the seconds of `Retry-After`, to get its answer.',
  IDEMPOTENCY_KEY_REUSED: 'The `Idempotency-Key` was used for another request in the last 24 hours. Send a new key.',
  TOO_MANY_REQUESTS: 'A rate limit of the key or the address is reached. Wait the seconds of `Retry-After`.',
} satisfies Record<ErrorCode, string>)

defineEnum(
  'ErrorReason',
  'Why an operation was refused: `extensions.reasons` of an error is a list of these. The first is the reason; the others are details.',
  {
    no_matching_affiliate:
      'No signal of the sale leads to an active affiliate. The other reasons say why, for each signal.',
    referral_id_not_usable: 'The referral of the sale is not text.',
    referral_id_not_found: 'The program has no record for the referral of the sale.',
    referral_id_expired: 'The referral of the sale led only to referrals that had expired.',
    referral_id_affiliate_not_active: 'The referral of the sale led to an affiliate who is not active.',
    referral_id_archived:
      'The referral of the sale led to an archived coupon, or to an affiliate in an archived campaign.',
    coupon_not_usable: 'The coupon of the sale is not text.',
    coupon_not_found: 'The program has no record for the coupon of the sale.',
    coupon_expired: 'The coupon of the sale led only to referrals that had expired.',
    coupon_affiliate_not_active: 'The coupon of the sale led to an affiliate who is not active.',
    coupon_archived: 'The coupon of the sale led to an archived coupon, or to an affiliate in an archived campaign.',
    agent_not_usable:
      'What an agent said about the affiliate of the sale is not usable, or the program does not use it.',
    agent_not_found: 'What an agent said names no link, coupon or affiliate of the program.',
    agent_expired: 'What an agent said about the affiliate of the sale had expired.',
    agent_affiliate_not_active: 'What an agent said names an affiliate who is not active.',
    agent_archived: 'What an agent said names an archived link or coupon, or an affiliate in an archived campaign.',
    email_not_usable: 'The e-mail address of the sale is not valid.',
    email_not_found: 'The program has no record for the e-mail address of the sale.',
    email_expired: 'The e-mail address of the sale led only to referrals that had expired.',
    email_affiliate_not_active: 'The e-mail address of the sale led to an affiliate who is not active.',
    email_archived:
      'The e-mail address of the sale led to an archived coupon, or to an affiliate in an archived campaign.',
    affiliate_not_active: 'The affiliate is not active.',
    sale_refunded_in_full: 'Nothing of the sale is left to refund.',
    too_many_links: 'The affiliate has as many links as one can have.',
    too_many_changes: 'The affiliate has changed the payout address too often within an hour.',
    affiliates: 'Affiliates refer to the record, so it cannot be deleted.',
    referrals: 'Referrals refer to the record, so it cannot be deleted.',
    visits: 'Visits refer to the record, so it cannot be deleted.',
    sales: 'Sales refer to the record, so it cannot be deleted.',
    commissions: 'Commissions refer to the record, so it cannot be deleted.',
    imported_records: 'Records of an import refer to the record, so it cannot be deleted.',
    characters: 'The operation, or a name in it, is too long.',
    tokens: 'The operation has too many names, numbers and punctuators. Send values as variables.',
    aliases: 'The operation has too many aliases.',
    directives: 'The operation has too many directives.',
    fragments: 'A fragment contains itself.',
    introspection: 'The operation asks for the schema too often.',
    depth: 'The operation is too many fields deep.',
    cost: 'The operation requests too many rows or fields. `extensions.cost` has its cost and the limit.',
  } satisfies Record<ErrorReason, string>,
)

defineEnum(
  'ProblemCode',
  'What is wrong with a value: `code` of an entry of `extensions.problems`, if it is one of these. `limit` has what it refers to.',
  {
    blank: 'A value is missing.',
    too_long: 'The text is too long. `limit` is the number of characters that it can have.',
    not_an_option: 'The value is none of those that can be chosen.',
    not_a_number: 'The text is not a number.',
    not_a_date: 'The text is not a date such as 2026-01-31.',
    not_an_email: 'The text is not an e-mail address.',
    not_a_url: 'The text is not an absolute address that starts with http:// or https://.',
    not_an_iban: 'The text is not an IBAN, or its check digits are wrong.',
    not_a_bic: 'The text is not a BIC.',
    not_a_token: 'Tokens hold letters, digits and dashes, 1 to 100 of them.',
    not_a_sub_id: 'Sub-ids hold letters, digits, dots, dashes, underscores and tildes.',
    taken: 'The value is in use already.',
    other_site: 'The address is of another site than the campaign. `limit` is the host of the campaign.',
    terms_not_accepted: 'The program has terms, which have to be accepted.',
    campaign_not_open: 'There is no such campaign, or it is not open to applications.',
  } satisfies Record<ProblemCode, string>,
)
