import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, it } from 'vitest'
import { createMetrics } from '../../src/server/metrics/metrics.ts'
import { createTestApp } from '../support/app.ts'
import { createTestDatabase } from '../support/database.ts'

// What anybody can ask without a key has the same answers over a socket and without one.

const database = await createTestDatabase()
const metrics = createMetrics({ ...database, now: () => new Date() })
const limits = { failedPerAddress: 3 }
const { app } = await createTestApp({ database, limits, metrics: { metrics, token: undefined } })
const server = createServer(app.handle)
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

/** What differs from request to request, or is of the connection. */
const ofConnection = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'transfer-encoding',
  'x-request-id',
])
const answerOf = async (response: Response) => ({
  status: response.status,
  body: await response.text(),
  headers: Object.fromEntries([...response.headers].filter(([name]) => !ofConnection.has(name))),
})
const counted = async () => {
  const { text } = await metrics.read()
  const lines = text.matchAll(/^tributary_http_requests_total\{route="([^"]*)",operation="",status="(\d+)"\} (\d+)$/gm)
  return Object.fromEntries([...lines].map(([, route, status, count]) => [`${route} ${status}`, Number(count)]))
}

it.each([
  ['/healthz', 'GET', {}],
  ['/healthz', 'HEAD', {}],
  ['/healthz', 'POST', {}],
  ['/healthz?probe', 'GET', { 'X-Request-Id': 'probe-1' }],
  ['/nothing/../healthz', 'GET', {}],
  ['/nothing', 'GET', {}],
  ['/nothing', 'GET', { Accept: 'text/html' }],
  ['/nothing/below', 'GET', { Accept: 'text/html' }],
  ['/nothing', 'GET', { Accept: 'application/json' }],
  ['/nothing', 'GET', { Accept: 'text/html;q=0.1, application/json;q=0.2' }],
  [`/${'deep/'.repeat(30)}`, 'GET', { Accept: 'text/html' }],
  ['/nothing', 'HEAD', {}],
  ['/nothing', 'POST', {}],
  ['/healthz/below', 'GET', {}],
  ['/docs/nothing', 'GET', {}],
  ['/v1/nothing', 'GET', { Origin: 'https://elsewhere.test' }],
])(
  '%s (%s %j) is answered over a socket as without one, and counted',
  async (path, method, headers: Record<string, string>) => {
    const before = await counted()
    const [expected, found] = [
      await app.fetch(new Request(`http://localhost:4000${path}`, { method, headers })),
      await fetch(base + path, { method, headers }),
    ]
    expect(found.headers.get('x-request-id')).toMatch(headers['X-Request-Id'] ?? /^[\w-]{36}$/)
    expect(await answerOf(found)).toEqual(await answerOf(expected))
    const changed = Object.entries(await counted()).filter(([name, count]) => count !== (before[name] ?? 0))
    expect(changed).toEqual([[changed[0]?.[0], (before[changed[0]?.[0] ?? ''] ?? 0) + 2]])
  },
)

it('keys of an address that has guessed too often are refused from every origin, in REST and in GraphQL', async () => {
  const send = (path: string, key: string, headers: Record<string, string> = {}) =>
    fetch(base + path, {
      method: path === '/graphql' ? 'POST' : 'GET',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
      ...(path === '/graphql' && { body: '{"query":"{ __typename }"}' }),
    })
  while ((await send('/v1/affiliates', 'guess')).status === 401);
  for (const path of ['/v1/affiliates', '/graphql']) {
    const [own, other] = [await send(path, 'guess'), await send(path, 'guess', { Origin: 'https://elsewhere.test' })]
    expect(own.status).toBe(429)
    const plain = async (response: Response) =>
      JSON.parse(JSON.stringify(await answerOf(response)).replaceAll(/\d+ seconds?|t=\d+|[\da-f-]{36}/g, '…'))
    const [found, expected] = [await plain(own), await plain(other)]
    for (const { headers } of [found, expected]) headers['retry-after'] = '…'
    expect(found).toEqual(expected)
  }
  expect((await fetch(`${base}/v1/openapi.json`, { headers: { Authorization: 'Bearer guess' } })).status).toBe(200)
})
