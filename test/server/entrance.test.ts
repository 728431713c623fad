import { describe, expect, it } from 'vitest'
import { createTestApp } from '../support/app.ts'

const app = await createTestApp()
const program = await app.createProgram()

const send = async (method: string, path: string, headers: Record<string, string> = {}) => {
  const response = await app.app.fetch(new Request(`http://localhost:4000${path}`, { method, headers }))
  return { status: response.status, headers: response.headers, body: await response.text() }
}
const notFound = '{"error":"Not found."}'

describe('paths that do not exist return 404', () => {
  it.each([
    ['GET', '/'],
    ['GET', '/nothing'],
    ['GET', '/v1x'],
    ['GET', '/V1/affiliates'],
    ['GET', '/healthz/'],
    ['POST', '/healthz'],
    ['POST', '/readyz'],
    ['POST', '/docs'],
    ['GET', '/docs/nothing'],
    ['GET', '/graphql/'],
    ['POST', '/graphql/page.js'],
    ['GET', '/track'],
    ['POST', '/track/nothing'],
    ['GET', '/track.js/nothing'],
    ['GET', '/r'],
    ['GET', '/r/'],
    ['GET', '/portalx'],
    ['GET', '/portal/nothing'],
    ['GET', '/demo'],
    ['GET', '/demo/shop'],
  ])('%s %s', async (method, path) => {
    expect(await send(method, path)).toMatchObject({ status: 404, body: notFound })
  })
})

describe('without a key', () => {
  it.each(['/v1', '/v1/', '/v1/affiliates', '/v1/nothing', '/v1/openapi.json/nothing'])(
    '%s returns 401',
    async (path) => {
      const { status, headers, body } = await send('GET', path)
      expect([status, body]).toEqual([401, '{"error":"Invalid API key."}'])
      expect(headers.get('cache-control')).toBe('no-store')
    },
  )

  it.each([
    '/healthz',
    '/readyz',
    '/docs',
    '/portal?program=any',
    '/track.js',
    '/track.js/',
    '/v1/openapi.json',
    '/v1/openapi.json/',
  ])('%s returns 200, and HEAD the same without a body', async (path) => {
    const read = await send('GET', path)
    const head = await send('HEAD', path)
    expect([read.status, head.status, head.body]).toEqual([200, 200, ''])
    expect(head.headers.get('content-type')).toBe(read.headers.get('content-type'))
  })

  it('only reads of an OpenAPI document are public', async () => {
    expect((await send('POST', '/v1/openapi.json')).status).toBe(401)
  })
})

it.each([
  ['PUT', '/track/visits', 'POST, OPTIONS'],
  ['POST', '/track.js', 'GET, HEAD'],
  ['POST', '/r/acme/ada', 'GET, HEAD'],
  ['POST', '/portal', 'GET, HEAD'],
  ['GET', '/portal/session', 'POST'],
])('%s %s returns 405 with Allow: %s', async (method, path, allow) => {
  const { status, headers, body } = await send(method, path)
  expect([status, headers.get('allow'), body]).toEqual([405, allow, '{"error":"Method not allowed."}'])
})

it('REST answers HEAD as GET, without a body', async () => {
  const { status, headers, body } = await program.send('/affiliates', { method: 'HEAD' })
  expect([status, body, headers.get('content-type')]).toEqual([200, undefined, expect.stringContaining('json')])
})

describe('a quality of 0 rejects a value', () => {
  it.each([
    ['gzip;q=0', null],
    ['gzip;q=0, br', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['br; q=0.0, gzip; q=0', null],
    ['*;q=0', null],
    ['gzip, deflate, br, zstd', 'br'],
  ])('of an encoding, for files of a page: %s', async (accepted, encoding) => {
    const page = (await send('GET', '/portal?program=any')).body
    const script = /src="(portal\/[^"]+\.js)"/.exec(page)?.[1]
    const { status, headers } = await send('GET', `/${script}`, { 'Accept-Encoding': accepted })
    expect([status, headers.get('content-encoding')]).toEqual([200, encoding])
  })

  it.each([
    ['gzip;q=0', null],
    ['gzip;q=0, *', null],
    ['gzip;q=0.1', 'gzip'],
  ])('of an encoding, for the tracking script: %s', async (accepted, encoding) => {
    const { headers } = await send('GET', '/track.js', { 'Accept-Encoding': accepted })
    expect(headers.get('content-encoding')).toBe(encoding)
  })

  it.each([
    ['text/html;q=0, application/json', 401],
    ['application/json, text/html;q=0.1', 200],
    ['*/*', 401],
  ])('of a page, for GraphiQL: %s', async (accepted, status) => {
    expect((await send('GET', '/graphql?query={__typename}', { Accept: accepted })).status).toBe(status)
  })
})
