import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, it } from 'vitest'
import { type Incoming, RequestIncoming, SocketIncoming } from '../../src/http/incoming.ts'

const read = async (incoming: Incoming) => {
  const { method, target, path, search, hasBody, toRequest: _ } = incoming
  const names = ['content-type', 'x-request-id', 'x-twice', 'absent']
  const headers = names.map((name) => incoming.header(name))
  const request = incoming.toRequest()
  return {
    ...{ method, target, path, search, hasBody, headers, isGone: incoming.isGone() },
    body: Buffer.from(await incoming.body()).toString(),
    request: [request.method, new URL(request.url).pathname, request.headers.get('x-request-id')],
  }
}

let found: ReturnType<typeof read> | undefined
const server = createServer(async (request, response) => {
  found = read(new SocketIncoming(request, response))
  await found.finally(() => response.end())
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
afterAll(() => server.close())
const { port } = server.address() as AddressInfo

it.each([
  ['GET', '/', undefined],
  ['GET', '/v1/affiliates?limit=2&created[]=1', undefined],
  ['GET', "/v1/affiliates/%F0?name='a'&b=%20", undefined],
  ['HEAD', '/v1/openapi.json', undefined],
  ['POST', '/graphql', '{"query":"ü"}'],
  ['POST', '/v1/conversions?dry_run=true', '{}'],
  ['PUT', '/v1/affiliates/1/', ''],
  ['DELETE', '/track.js/', undefined],
])('%s %s is the same from a socket and as a Request', async (method, path, body) => {
  const headers = { 'X-Request-Id': 'one', 'X-Twice': 'a, b', ...(body && { 'Content-Type': 'application/json' }) }
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
  await new Promise((resolve, reject) => {
    const options = { port, host: '127.0.0.1', method, path, headers: { ...headers, ...length }, agent: false }
    send(options, (response) => response.resume().on('end', resolve))
      .on('error', reject)
      .end(body)
  })
  const given = new Request(`http://127.0.0.1:${port}${path}`, { method, headers, body: body || null })
  const { target, ...expected } = await read(new RequestIncoming(given))
  expect(await found).toEqual({ ...expected, target: expect.any(String) })
  expect(target).toBe(expected.path + expected.search)
})

it.each([
  ['/nothing/../healthz', '/healthz', ''],
  ['/a/%2e%2e/b?x#y', '/b', '?x'],
  ['/.hidden', '/.hidden', ''],
  ['//twice', '//twice', ''],
  ['/a?', '/a', ''],
])('%s has the path of a URL', (url, path, search) => {
  const incoming = new SocketIncoming({ method: 'GET', url, headers: {} } as never, {} as never)
  expect([incoming.path, incoming.search]).toEqual([path, search])
})
