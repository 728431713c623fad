import { statuses } from '../../http/statuses.ts'
import type { ErrorCode } from '../../kernel/errors.ts'
import { refTo, type Schema } from './schemas.ts'

export const requestIdHeader = { 'X-Request-Id': refTo('headers', 'X-Request-Id') }

export const headers: Record<string, Schema> = {
  'X-Request-Id': {
    description: 'The id of the request, for logs: the one that the request sent, or a generated one.',
    required: true,
    schema: { type: 'string', pattern: '^[\\w.:@/+=-]{1,128}$' },
    example: '3f1c7a52-8f0b-4c58-9a76-0d4f9b1e2c33',
  },
  'WWW-Authenticate': {
    description: 'The authentication scheme, and why the caller was not authenticated.',
    required: true,
    schema: { type: 'string', pattern: '^Bearer ' },
  },
  'Retry-After': {
    description: 'Seconds to wait before a retry.',
    required: true,
    schema: { type: 'string', pattern: '^\\d+$' },
    example: '1',
  },
  ETag: {
    description: 'The version of the response, for `If-None-Match`.',
    required: true,
    schema: { type: 'string' },
  },
  'Cache-Control': {
    description: 'The response can be cached, but must be revalidated before each use.',
    required: true,
    schema: { type: 'string' },
  },
}

/** The rate limit of API keys with the superset profile. */
export const limitHeaders: Record<string, Schema> = {
  'RateLimit-Limit': countHeader('Requests that the key can send in 30 seconds.', '45'),
  'RateLimit-Remaining': countHeader('Requests left in this window.', '44'),
  'RateLimit-Reset': countHeader('Seconds until the window ends.', '30'),
}

function countHeader(description: string, example: string): Schema {
  return { description, required: true, schema: { type: 'string', pattern: '^\\d+$' }, example }
}

export const limited: Schema = Object.fromEntries(
  Object.keys(limitHeaders).map((name) => [name, refTo('headers', name)]),
)

export const cached = { ETag: refTo('headers', 'ETag'), 'Cache-Control': refTo('headers', 'Cache-Control') }

export const notModified: Schema = {
  description: 'The version that `If-None-Match` names is current.',
  headers: { ...requestIdHeader, ...cached },
}

const fileHeaders: Record<string, Schema> = {
  'Content-Disposition': {
    description: 'The name of the file.',
    required: true,
    schema: { type: 'string' },
    example: 'attachment; filename="payouts-wise-2026-03-05.csv"',
  },
  'Payout-Run-Id': {
    description: 'The id of the run that the file is of.',
    required: true,
    schema: { type: 'string' },
    example: '019cae6b-6600-7d27-a95c-1e4f7b830a01',
  },
  'X-Skipped-Payouts': {
    description:
      'The number of payouts that are left out of the run. `skipped` of the run in GraphQL lists them with the reasons.',
    required: true,
    schema: { type: 'string', pattern: '^\\d+$' },
    example: '0',
  },
}

const fileExample = [
  'name,recipientEmail,paymentReference,receiverType,amountCurrency,amount,sourceCurrency,targetCurrency',
  'Ada Lovelace,ada@wallet-b.test,4f7b8306dc,PERSON,target,9.80,USD,USD',
  '',
].join('\r\n')

export const errorSchemas: Record<string, Schema> = {
  Error: {
    type: 'object',
    description: 'An error.',
    required: ['error'],
    properties: { error: { type: 'string', description: 'A message for people.' } },
  },
  Refusal: {
    type: 'object',
    description: 'Valid input that the current state does not allow.',
    required: ['error', 'details'],
    properties: {
      error: { type: 'string', description: 'A message for people.' },
      details: {
        type: 'array',
        description: 'Codes for programs: the reason first, then its causes.',
        minItems: 1,
        items: { type: 'string', pattern: '^[a-z0-9_]+$' },
      },
    },
  },
  ValidationError: {
    type: 'object',
    description: 'Invalid input, with all of its problems.',
    required: ['error', 'details'],
    properties: {
      error: { type: 'string', description: 'A message for people.' },
      details: {
        type: 'array',
        description: 'A message for each problem.',
        minItems: 1,
        items: { type: 'string' },
      },
    },
  },
}

/** @param content the schema and examples of the JSON body */
export const responseOf = (description: string, content: Schema, more: Schema = {}): Schema => ({
  description,
  headers: { ...requestIdHeader, ...more },
  content: { 'application/json': content },
})

export const fileResponseOf = (description: string): Schema => ({
  description,
  headers: { ...requestIdHeader, ...fileHeaders },
  content: {
    'text/csv': { schema: { type: 'string', description: 'Comma-separated values (RFC 4180).' }, example: fileExample },
  },
})

const totalsExample = [
  'year,affiliate_id,email,legal_name,recipient_type,street,postal_code,city,region,country,vat_id,tax_id,form,currency,paid_by_program,reported_by_service,payments,reporting',
  '2026,019c1912-fa00-7000-8000-2e31de0f7cc1,ada@example.com,Ada Lovelace,individual,1 Main Street,10001,New York,NY,US,,•••6789,w9,usd,2150.00,0.00,4,form_1099_nec',
  '',
].join('\r\n')

/** The response of a query: the type of the file is the end of its path. */
export const readFileResponseOf = (path: string): Schema =>
  path.endsWith('.pdf')
    ? {
        description: 'The PDF file.',
        headers: requestIdHeader,
        content: { 'application/pdf': { schema: { type: 'string', format: 'binary' } } },
      }
    : {
        description: 'The file.',
        headers: requestIdHeader,
        content: {
          'text/csv': {
            schema: { type: 'string', description: 'Comma-separated values (RFC 4180).' },
            example: totalsExample,
          },
        },
      }

/** A response `{error}`. */
export const errorResponseOf = (description: string, error: string, more?: Schema): Schema =>
  responseOf(description, { schema: refTo('schemas', 'Error'), example: { error } }, more)

/** Error responses that are the same for all operations. */
export const sharedResponses = {
  BadRequest: errorResponseOf('The body cannot be parsed.', 'The body is not valid JSON.'),
  Unauthenticated: errorResponseOf('The API key is missing or invalid.', 'Invalid API key.', {
    'WWW-Authenticate': refTo('headers', 'WWW-Authenticate'),
  }),
  Forbidden: errorResponseOf('The key is read-only.', 'This key may only read. Use a key with full access.'),
  PayloadTooLarge: errorResponseOf('The body is too large.', 'The body is larger than 1 MiB.'),
  UnsupportedMediaType: errorResponseOf(
    'The media type is neither JSON nor a form.',
    'Send the body as application/json or application/x-www-form-urlencoded.',
  ),
  Internal: errorResponseOf(
    'Unexpected error. The log of the service has the cause, with the id of the request.',
    'Internal server error.',
  ),
  Unavailable: errorResponseOf(
    'The database is unavailable.',
    'The service is not available at the moment. Try again shortly.',
    { 'Retry-After': refTo('headers', 'Retry-After') },
  ),
  TooManyRequests: errorResponseOf(
    'A rate limit that the operator has set is exceeded.',
    'Too many requests. Try again in 12 seconds.',
    { 'Retry-After': refTo('headers', 'Retry-After') },
  ),
} satisfies Record<string, Schema>

/** Those that `sharedErrors` adds. */
const sharedCodes = {
  BadRequest: 'BAD_REQUEST',
  Unauthenticated: 'UNAUTHENTICATED',
  Forbidden: 'FORBIDDEN',
  PayloadTooLarge: 'PAYLOAD_TOO_LARGE',
  UnsupportedMediaType: 'UNSUPPORTED_MEDIA_TYPE',
  Internal: 'INTERNAL',
  Unavailable: 'UNAVAILABLE',
} satisfies { [Name in keyof typeof sharedResponses]?: ErrorCode }

const withBody: readonly string[] = ['BadRequest', 'PayloadTooLarge', 'UnsupportedMediaType']

/** The shared error responses of an operation, by status. Some apply only to operations with a body, or to writes. */
export function sharedErrors({ hasBody, writes }: { hasBody: boolean; writes: boolean }): Record<string, Schema> {
  const names = Object.keys(sharedCodes) as (keyof typeof sharedCodes)[]
  const applicable = names.filter((name) => (name === 'Forbidden' ? writes : hasBody || !withBody.includes(name)))
  return Object.fromEntries(applicable.map((name) => [statuses[sharedCodes[name]], refTo('responses', name)]))
}
