import { readFileSync } from 'node:fs'
import { GraphQLEnumType } from 'graphql'
import { expect, it } from 'vitest'
import { statuses } from '../../src/http/statuses.ts'
import { type ErrorCode, isRetryable } from '../../src/kernel/errors.ts'
import { publicSchema } from '../../src/schema/schema.ts'
import { createTestApp } from '../support/app.ts'
import { unknownId } from '../support/factories.ts'

const app = await createTestApp()
const program = await app.createProgram()

const type = publicSchema.getType('ErrorCode')
const codes = type instanceof GraphQLEnumType ? type.getValues().map(({ name }) => name) : []

it('the enum has every code that the service uses', () => {
  expect([...codes].sort()).toEqual(Object.keys(statuses).sort())
})

it('the table in docs/graphql.md has every code, with its HTTP status and whether it can be retried', () => {
  const table = [
    ...readFileSync('docs/graphql.md', 'utf8').matchAll(/^\| `([A-Z_]+)` \| [^|]+ \| (yes|no) \| (\d{3}) \|$/gm),
  ]
  const expected = Object.entries(statuses).map(([code, status]) => [
    code,
    isRetryable(code as ErrorCode) ? 'yes' : 'no',
    String(status),
  ])
  expect(table.map(([, code, retryable, status]) => [code, retryable, status]).sort()).toEqual(expected.sort())
})

const json = { 'Content-Type': 'application/json' }
const post = (body: unknown, headers: object = {}) => ({
  method: 'POST',
  headers: { ...json, ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
})
const cheap = '{ program { id } }'
const create = 'mutation ($v: CreateAffiliateInput!) { createAffiliate(input: $v) { affiliate { id } } }'

it.each<[ErrorCode, number, RequestInit | string]>([
  ['UNAUTHENTICATED', 401, post({ query: cheap }, { Authorization: 'Bearer trib_sk_unknown' })],
  ['FORBIDDEN', 200, post({ query: '{ programs { id } }' })],
  ['NOT_FOUND', 200, post({ query: `mutation { payPayout(input: { id: "${unknownId}" }) { payout { id } } }` })],
  ['INVALID_INPUT', 200, post({ query: create, variables: { v: { email: 'x' } } })],
  [
    'REFUSED',
    200,
    post({ query: 'mutation { reportConversion(input: { amountCents: 1, coupon: "NO" }) { saleId } }' }),
  ],
  ['BAD_REQUEST', 200, post({ query: create, variables: { v: 1 } })],
  ['BAD_REQUEST', 400, post('{"query":')],
  ['BAD_REQUEST', 400, post('[]')],
  ['BAD_REQUEST', 200, post({})],
  ['METHOD_NOT_ALLOWED', 405, { method: 'PUT', headers: json, body: '{}' }],
  ['METHOD_NOT_ALLOWED', 405, `?query=${encodeURIComponent('mutation { __typename }')}`],
  ['NOT_ACCEPTABLE', 406, post({ query: cheap }, { Accept: 'image/png' })],
  ['PAYLOAD_TOO_LARGE', 413, post({ query: cheap, padding: 'x'.repeat(1024 * 1024) })],
  ['UNSUPPORTED_MEDIA_TYPE', 415, post(cheap, { 'Content-Type': 'text/plain' })],
  ['GRAPHQL_PARSE_FAILED', 200, post({ query: '{' })],
  ['GRAPHQL_VALIDATION_FAILED', 200, post({ query: '{ nonsense }' })],
  ['QUERY_TOO_COMPLEX', 400, post({ query: `{ ${'__typename '.repeat(3000)} }` })],
])('%s is the code of each error of a response, with status %d', async (code, status, request) => {
  const path = typeof request === 'string' ? request : ''
  const init = typeof request === 'string' ? {} : request
  const headers = { Authorization: `Bearer ${program.secret}`, ...(init.headers as object) }
  const response = await app.app.fetch(new Request(`http://localhost:4000/graphql${path}`, { ...init, headers }))
  const { errors } = (await response.json()) as { errors: { extensions: { code: string; retryable: boolean } }[] }
  expect([response.status, [...new Set(errors.map(({ extensions }) => extensions.code))]]).toEqual([status, [code]])
  expect(codes).toContain(code)
  expect(errors.every(({ extensions }) => extensions.retryable === isRetryable(code))).toBe(true)
})
