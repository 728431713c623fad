import { serverAudits } from 'graphql-http'
import { expect, it } from 'vitest'
import { createTestApp } from '../support/app.ts'

// The audits of the GraphQL over HTTP specification (https://graphql.github.io/graphql-over-http).

const app = await createTestApp()
const { secret } = await app.createProgram()

const audits = serverAudits({
  url: 'http://localhost:4000/graphql',
  fetchFn: (url: string, init: RequestInit = {}) =>
    app.app.fetch(new Request(url, { ...init, headers: { ...init.headers, Authorization: `Bearer ${secret}` } })),
})

it('runs all audits of the specification', () => {
  expect(audits).toHaveLength(61)
})

it.each(audits)('$id $name', async ({ fn }) => {
  const result = await fn()
  expect(result.status === 'ok' ? 'ok' : result.reason).toBe('ok')
})

const post = (headers: Record<string, string>, body = '{"query":"{ __typename }"}') =>
  app.app.fetch(
    new Request('http://localhost:4000/graphql', {
      method: 'POST',
      headers: { Authorization: `Bearer ${secret}`, ...headers },
      body: new TextEncoder().encode(body),
    }),
  )

it.each([
  [415, 'UNSUPPORTED_MEDIA_TYPE', { 'Content-Type': 'text/plain' }],
  [415, 'UNSUPPORTED_MEDIA_TYPE', {}],
  [406, 'NOT_ACCEPTABLE', { 'Content-Type': 'application/json', Accept: 'text/csv' }],
  [406, 'NOT_ACCEPTABLE', { 'Content-Type': 'application/json', Accept: 'application/json;q=0, text/csv' }],
  [406, 'NOT_ACCEPTABLE', { 'Content-Type': 'application/json', Accept: '*/*;q=0' }],
])('%i %s names what to send instead', async (status, code, headers) => {
  const response = await post(headers as Record<string, string>)
  expect(response.status).toBe(status)
  const { errors } = (await response.json()) as any
  expect(errors).toMatchObject([{ message: expect.stringContaining('application/json'), extensions: { code } }])
})

it.each([
  'text/html, */*;q=0.8',
  'application/*',
  'text/csv, application/json',
  'application/json; charset=utf-8',
  'application/json; odata=verbose',
])('accepts Accept: %s', async (Accept) => {
  const response = await post({ 'Content-Type': 'application/json', Accept })
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ data: { __typename: 'Query' } })
})

it('returns 401 for introspection without a key', async () => {
  const response = await post(
    { 'Content-Type': 'application/json', Authorization: '' },
    '{"query":"{ __schema { types { name } } }"}',
  )
  expect(response.status).toBe(401)
  expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] })
})
