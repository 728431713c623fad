import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { answerMalformed, receivingLimits } from '../../src/server/entrance/malformed.ts'
import { createMetrics } from '../../src/server/metrics/metrics.ts'
import { createTestApp } from '../support/app.ts'
import { createTestDatabase } from '../support/database.ts'

const database = await createTestDatabase()
const metrics = createMetrics({ ...database, now: () => new Date() })
const app = await createTestApp({ database, metrics: { metrics, token: undefined } })
const program = await app.createProgram()
const soon = { ...receivingLimits, requestTimeout: 2_000, headersTimeout: 1_000, connectionsCheckingInterval: 100 }
const server = createServer(soon, app.app.handle)
answerMalformed(server)
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
afterAll(() => server.close())
const { port } = server.address() as AddressInfo

/** Sends raw bytes, and returns everything received until the connection ends. */
const sendRaw = (text: string) =>
  new Promise<string>((resolve, reject) => {
    let answer = ''
    connect(port, '127.0.0.1', function (this: import('node:net').Socket) {
      this.write(text)
    })
      .on('data', (chunk) => {
        answer += chunk
      })
      .on('error', reject)
      .on('close', () => resolve(answer))
  })

it.each([
  ['an invalid Host header', 400, 'GET /v1/affiliates HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n'],
  [
    'an invalid port in the Host header',
    400,
    'GET /v1/affiliates HTTP/1.1\r\nHost: a:99999\r\nConnection: close\r\n\r\n',
  ],
  ['two Host headers', 400, 'GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n'],
  ['a path in the Host header', 400, 'GET /healthz HTTP/1.1\r\nHost: a/b@c\r\nConnection: close\r\n\r\n'],
  ['CONNECT', 405, 'CONNECT example.com:443 HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['an asterisk as target', 400, 'OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
  ['an asterisk as target of a read', 400, 'GET * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
  ['an invalid address as target', 400, 'GET http://[ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
  ['an address as target', 400, 'GET http://b/v1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
  ['no Host header and no target', 400, 'GET nothing HTTP/1.0\r\n\r\n'],
  ['an unknown method', 400, 'NONSENSE /v1/affiliates HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['headers that are too large', 431, `GET /v1/affiliates?x=${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`],
])('%s gets a JSON response with a request id, without the cause', async (_label, status, request) => {
  const answer = await sendRaw(request)
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  expect(head).toMatch(/\r\nx-request-id: \S+/i)
  expect(head).toMatch(/\r\ncontent-type: application\/json/i)
  expect(head).toMatch(/\r\nx-content-type-options: nosniff/i)
  expect(body).toMatch(/\{"error":"[^"]+"\}/)
  expect(answer).not.toMatch(/node_modules|TypeError|\.ts:|\.js:/)
})

it('a body that exceeds the limit gets a 413, not a closed connection', async () => {
  const chunk = `10000\r\n${' '.repeat(65_536)}\r\n`
  const request = [
    'POST /v1/affiliates HTTP/1.1',
    'Host: a',
    `Authorization: Bearer ${program.secret}`,
    'Content-Type: application/json',
    'Transfer-Encoding: chunked',
    'Connection: close',
  ]
  const answer = await sendRaw(`${request.join('\r\n')}\r\n\r\n${chunk.repeat(20)}0\r\n\r\n`)
  expect(answer).toMatch(/^HTTP\/1\.1 413 /)
  expect(answer).toContain('{"error":"The body is larger than 1 MiB."}')
})

it('cuts off a client that does not finish its headers', async () => {
  expect(await sendRaw('GET /healthz HTTP/1.1\r\nHost: a\r\nX-Slow: ')).toMatch(/^HTTP\/1\.1 408 /)
})

describe('a request that is cut off, late or malformed is no failure of the service', () => {
  /** How many responses with each status the metrics count. */
  const counted = async (): Promise<Record<string, number>> => {
    const { text } = await metrics.read()
    const found = text.matchAll(/^tributary_http_requests_total\{.*status="(\d+)"\} (\d+)$/gm)
    const sums: Record<string, number> = {}
    for (const [, status = '', count] of found) sums[status] = (sums[status] ?? 0) + Number(count)
    return sums
  }
  const paths: Record<string, string> = {
    '/v1/affiliates': `Authorization: Bearer ${program.secret}\r\nContent-Type: application/json\r\n`,
    '/v1/conversions': 'Content-Type: application/json\r\n',
    '/graphql': `Authorization: Bearer ${program.secret}\r\nContent-Type: application/json\r\n`,
    '/track/visits': 'Content-Type: application/json\r\n',
    '/dashboard/auth/sign-in/email': `Content-Type: application/json\r\nOrigin: http://localhost:4000\r\n`,
    '/portal/session': 'Content-Type: application/json\r\n',
  }
  /** What follows the headers, and whether the client then closes the connection. */
  const bodies = {
    'a chunk of a wrong length': { body: 'Transfer-Encoding: chunked\r\n\r\n5\r\n{"a":1}\r\nzz\r\n', closes: false },
    'a body that is cut off': { body: 'Content-Length: 100\r\n\r\n{"a":', closes: true },
    'chunks that are cut off': { body: 'Transfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\n', closes: true },
    'a body that stops': { body: 'Content-Length: 100\r\n\r\n{"a":', closes: false },
    'chunks that stop': { body: 'Transfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\n', closes: false },
  }

  it.each(Object.entries(bodies))('%s', async (_name, { body, closes }) => {
    const before = await counted()
    await Promise.all(
      Object.entries(paths).map(
        ([path, headers]) =>
          new Promise<void>((resolve) => {
            const socket = connect(port, '127.0.0.1')
            socket.on('error', () => {}).on('close', () => resolve())
            socket.resume().write(`POST ${path} HTTP/1.1\r\nHost: localhost:4000\r\n${headers}${body}`, () => {
              if (closes) setTimeout(() => socket.destroy(), 50)
            })
          }),
      ),
    )
    // Some are counted when the server has seen that the client is gone.
    await expect.poll(counted).not.toEqual(before)
    const { 500: internal = 0, 503: unavailable = 0 } = await counted()
    expect({ internal, unavailable }).toEqual({ internal: before[500] ?? 0, unavailable: before[503] ?? 0 })
  })
})
