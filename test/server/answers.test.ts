import { expect, it } from 'vitest'
import { version } from '../../src/kernel/package-root.ts'
import { createMetrics } from '../../src/server/metrics/metrics.ts'
import { createTestApp } from '../support/app.ts'

const { app, ...service } = await createTestApp()
const program = await service.createProgram()

const get = (path: string, headers: Record<string, string> = {}) =>
  app.fetch(new Request(`http://localhost:4000${path}`, { headers }))

it('WWW-Authenticate says whether a key was sent, and whether it can be read', async () => {
  const challenge = async (headers: Record<string, string>) =>
    (await get('/v1/affiliates', headers)).headers.get('www-authenticate')
  expect(await challenge({})).toMatch(/^Bearer error_description="No API key was sent\. /)
  // "Bearer" alone is what a client sends whose setting for the key is empty.
  for (const Authorization of ['trib_sk_x', 'Token trib_sk_x', 'Bearer', 'Basic '])
    expect(await challenge({ Authorization })).toMatch(
      /^Bearer error_description="The Authorization header has no key as Bearer or Basic\. Send: /,
    )
  expect(await challenge({ Authorization: 'Bearer trib_sk_x' })).toMatch(
    /^Bearer error="invalid_token", error_description="No program has this API key/,
  )
})

it('a path of REST with a typo gets the one that was probably meant', async () => {
  const authorization = { Authorization: `Bearer ${program.secret}` }
  const similar = async (path: string) => (await get(path, authorization)).headers.get('x-did-you-mean')
  expect(await similar('/v1/conversion')).toBe('/v1/conversions')
  expect(await similar('/v1/afiliates/abc')).toBe('/v1/affiliates/abc')
  expect(await similar('/v1/something-else')).toBeNull()
  const response = await get('/v1/conversion', authorization)
  expect([response.status, await response.json()]).toEqual([404, { error: 'Not found.' }])
})

it('JSON for curl ends with a line break, so that the prompt does not stick to it', async () => {
  const authorization = { Authorization: `Bearer ${program.secret}`, 'User-Agent': 'curl/8.5.0' }
  for (const path of ['/v1/affiliates', '/v1/affiliates/unknown', '/healthz', '/v1/nothing']) {
    const response = await get(path, authorization)
    const text = await response.text()
    expect.soft(text, path).toMatch(/[^\n]\n$/)
    expect.soft(response.headers.get('content-length'), path).toBe(String(Buffer.byteLength(text)))
  }
})

it('/healthz says which version runs', async () => {
  expect(await (await get('/healthz')).json()).toEqual({ status: 'alive', version })
})

it('/metrics without its setting names the setting', async () => {
  const answer = await get('/metrics', { Authorization: 'Bearer something' })
  expect([answer.status, await answer.json()]).toEqual([404, { error: expect.stringContaining('METRICS_TOKEN') }])
})

it('/metrics with a token says which token it wants', async () => {
  const { database } = service
  const metrics = createMetrics({ ...database, now: () => new Date() })
  const measured = await createTestApp({ database, metrics: { metrics, token: 'token-of-prometheus' } })
  for (const headers of [new Headers(), new Headers({ Authorization: 'Bearer something' })]) {
    const response = await measured.app.fetch(new Request('http://localhost:4000/metrics', { headers }))
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toMatch(
      /error_description="Invalid metrics token\. Send METRICS_TOKEN/,
    )
  }
})

it('a preflight from another origin is refused with the setting that allows it', async () => {
  const preflight = (path: string) =>
    app.fetch(
      new Request(`http://localhost:4000${path}`, {
        method: 'OPTIONS',
        headers: { Origin: 'http://localhost:5173', 'Access-Control-Request-Method': 'POST' },
      }),
    )
  for (const path of ['/graphql', '/v1/affiliates']) {
    const response = await preflight(path)
    expect.soft(response.status, path).toBe(403)
    expect.soft(((await response.json()) as { error: string }).error, path).toContain('PORTAL_ORIGINS')
    expect.soft(response.headers.get('access-control-allow-origin'), path).toBeNull()
  }
})
