import type { Route } from '../route.ts'
import { errorResponseOf } from './responses.ts'
import { refTo, type Schema } from './schemas.ts'

/** Whether an operation accepts a key. */
const isKeyed = ({ method }: Route) => method !== 'GET'

export const keyParameter = (route: Route): Schema[] => (isKeyed(route) ? [header] : [])

const header: Schema = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A key of 1 to 255 visible ASCII characters, with or without quotes. Within 24 hours, the same request with the same key gets the same response again and changes nothing. A key that was used for another request is a 422.',
  schema: { type: 'string', minLength: 1 },
  example: '0f6a1e0c-7c0b-4a53-9c1d-5a1b1f1f7f5e',
}

export const replayHeaders: Record<string, Schema> = {
  'Idempotent-Replayed': {
    description: 'The response is that of an earlier request with the same `Idempotency-Key`.',
    required: false,
    schema: { type: 'string', const: 'true' },
  },
}

/** Adds what a key leads to: 409 while its request runs, 400 for another form, the header of a repeat. */
export function withKey(route: Route, responses: Schema): Schema {
  if (!isKeyed(route)) return responses
  const withHeader = Object.entries(responses as Record<string, Schema>).map(([status, response]) =>
    status.startsWith('2')
      ? [status, { ...response, headers: { ...(response.headers as Schema), ...replayed } }]
      : [status, response],
  )
  return {
    400: refTo('responses', 'BadRequest'),
    ...Object.fromEntries(withHeader),
    409: errorResponseOf(
      'A request with this `Idempotency-Key` is still running.',
      'A request with this Idempotency-Key is still running. Try again shortly.',
      { 'Retry-After': refTo('headers', 'Retry-After') },
    ),
  }
}

const replayed = { 'Idempotent-Replayed': refTo('headers', 'Idempotent-Replayed') }
