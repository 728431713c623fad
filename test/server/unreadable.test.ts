import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, expect, it } from 'vitest'
import { answerUnreadable } from '../../src/server/unreadable.ts'
import { createTestApp } from '../support/app.ts'

const app = await createTestApp()
const program = await app.createProgram()
const server = createServer(app.app.handle)
answerUnreadable(server)
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
afterAll(() => server.close())
const { port } = server.address() as AddressInfo

/** Sends what no client library would send, and gives what comes back until the connection ends. */
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
  ['a Host header that makes no address', 400, 'GET /v1/affiliates HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n'],
  ['a port that does not exist', 400, 'GET /v1/affiliates HTTP/1.1\r\nHost: a:99999\r\nConnection: close\r\n\r\n'],
  ['an unknown method', 400, 'NONSENSE /v1/affiliates HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['headers that are too large', 431, `GET /v1/affiliates?x=${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`],
])('%s is answered in JSON, with a request id and no cause', async (_label, status, request) => {
  const answer = await sendRaw(request)
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  expect(head).toMatch(/\r\nx-request-id: \S+/i)
  expect(head).toMatch(/\r\ncontent-type: application\/json/i)
  expect(body).toMatch(/\{"error":"[^"]+"\}/)
  expect(answer).not.toContain('node_modules')
})

it('a body that grows too large is told so, and not cut off', async () => {
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
