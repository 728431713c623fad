import { statuses } from '../../http/statuses.ts'
import type { ErrorCode } from '../../kernel/errors.ts'
import { refTo, type Schema } from './schemas.ts'

export const requestIdHeader = { 'X-Request-Id': refTo('headers', 'X-Request-Id') }

export const headers: Record<string, Schema> = {
  'X-Request-Id': {
    description: "The request's id, for the logs of both sides: the one that the request carried, or one made for it.",
    required: true,
    schema: { type: 'string', pattern: '^[\\w.:@/+=-]{1,128}$' },
    example: '3f1c7a52-8f0b-4c58-9a76-0d4f9b1e2c33',
  },
  'WWW-Authenticate': {
    description: 'How to authenticate.',
    required: true,
    schema: { type: 'string', const: 'Bearer' },
  },
  'Retry-After': {
    description: 'Seconds to wait before the next try.',
    required: true,
    schema: { type: 'string', pattern: '^\\d+$' },
    example: '1',
  },
  ETag: {
    description: 'Names this state of the answer, for `If-None-Match`.',
    required: true,
    schema: { type: 'string' },
  },
  'Cache-Control': { description: 'Kept, but asked for again.', required: true, schema: { type: 'string' } },
}

/** What a superset key is told of its limit. */
export const limitHeaders: Record<string, Schema> = {
  'RateLimit-Limit': countHeader('Requests that the key may make in 30 seconds.', '45'),
  'RateLimit-Remaining': countHeader('What is left of them.', '44'),
  'RateLimit-Reset': countHeader('Seconds until there are as many again.', '30'),
}

function countHeader(description: string, example: string): Schema {
  return { description, required: true, schema: { type: 'string', pattern: '^\\d+$' }, example }
}

export const limited: Schema = Object.fromEntries(
  Object.keys(limitHeaders).map((name) => [name, refTo('headers', name)]),
)

/** Of answers that are read again and again. */
export const cached = { ETag: refTo('headers', 'ETag'), 'Cache-Control': refTo('headers', 'Cache-Control') }

export const notModified: Schema = {
  description: 'The copy that `If-None-Match` names is current.',
  headers: { ...requestIdHeader, ...cached },
}

const fileHeaders: Record<string, Schema> = {
  'Content-Disposition': {
    description: 'That it is a file, and what it is called.',
    required: true,
    schema: { type: 'string' },
    example: 'attachment; filename="payouts-wallet-b-2026-03-05.csv"',
  },
  'X-Skipped-Payouts': {
    description: "How many payouts are not in a wallet's file. GraphQL (`payoutRun`) says which, and why.",
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
    description: 'What went wrong.',
    required: ['error'],
    properties: { error: { type: 'string', description: 'A sentence for a person.' } },
  },
  Refusal: {
    type: 'object',
    description: 'Why the state of things does not allow it.',
    required: ['error', 'details'],
    properties: {
      error: { type: 'string', description: 'A sentence for a person.' },
      details: {
        type: 'array',
        description: 'Words for machines: the reason first, then what led to it.',
        minItems: 1,
        items: { type: 'string', pattern: '^[a-z0-9_]+$' },
      },
    },
  },
  ValidationError: {
    type: 'object',
    description: 'What is wrong with an input: every problem at once.',
    required: ['error', 'details'],
    properties: {
      error: { type: 'string', description: 'A sentence for a person.' },
      details: {
        type: 'array',
        description: 'A sentence for each problem.',
        minItems: 1,
        items: { type: 'string' },
      },
    },
  },
}

/** `content`: the schema of the JSON body, and an example or several. */
export const responseOf = (description: string, content: Schema, more: Schema = {}): Schema => ({
  description,
  headers: { ...requestIdHeader, ...more },
  content: { 'application/json': content },
})

/** An answer that is a file of comma-separated values. */
export const fileResponseOf = (description: string): Schema => ({
  description,
  headers: { ...requestIdHeader, ...cached, ...fileHeaders },
  content: {
    'text/csv': { schema: { type: 'string', description: 'Comma-separated values (RFC 4180).' }, example: fileExample },
  },
})

/** An answer `{error}`. */
export const errorResponseOf = (description: string, error: string, more?: Schema): Schema =>
  responseOf(description, { schema: refTo('schemas', 'Error'), example: { error } }, more)

/** The answers that are the same wherever they are given. */
export const sharedResponses = {
  BadRequest: errorResponseOf('The body is broken.', 'The body is not valid JSON.'),
  Unauthenticated: errorResponseOf('There is no API key, or a wrong one.', 'Invalid API key.', {
    'WWW-Authenticate': refTo('headers', 'WWW-Authenticate'),
  }),
  Forbidden: errorResponseOf('The key may only read.', 'This key may only read. Use a key with full access.'),
  PayloadTooLarge: errorResponseOf('The body is too large.', 'The body is larger than 1 MiB.'),
  UnsupportedMediaType: errorResponseOf(
    'The body is neither JSON nor a form.',
    'Send the body as application/json or application/x-www-form-urlencoded.',
  ),
  Internal: errorResponseOf(
    'Something unexpected. The cause is in the log of the service, beside the id of the request.',
    'Internal server error.',
  ),
  Unavailable: errorResponseOf(
    'The database can not be reached at the moment.',
    'The service is not available at the moment. Try again shortly.',
    { 'Retry-After': refTo('headers', 'Retry-After') },
  ),
} satisfies Record<string, Schema>

const sharedCodes: Record<keyof typeof sharedResponses, ErrorCode> = {
  BadRequest: 'BAD_REQUEST',
  Unauthenticated: 'UNAUTHENTICATED',
  Forbidden: 'FORBIDDEN',
  PayloadTooLarge: 'PAYLOAD_TOO_LARGE',
  UnsupportedMediaType: 'UNSUPPORTED_MEDIA_TYPE',
  Internal: 'INTERNAL',
  Unavailable: 'UNAVAILABLE',
}

const withBody: readonly string[] = ['BadRequest', 'PayloadTooLarge', 'UnsupportedMediaType']

/** By status: what every operation can answer, what those with a body can, and what those that write can. */
export function sharedErrors({ hasBody, writes }: { hasBody: boolean; writes: boolean }): Record<string, Schema> {
  const names = Object.keys(sharedCodes) as (keyof typeof sharedResponses)[]
  const given = names.filter((name) => (name === 'Forbidden' ? writes : hasBody || !withBody.includes(name)))
  return Object.fromEntries(given.map((name) => [statuses[sharedCodes[name]], refTo('responses', name)]))
}
