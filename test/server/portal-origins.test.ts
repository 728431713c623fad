import { describe, expect, it } from 'vitest'
import { createTestApp } from '../support/app.ts'

const portal = 'https://partners.acme.test'
const open = await createTestApp({ portalOrigins: [portal, 'https://other.acme.test'] })
const closed = await createTestApp()

const send = (app: typeof open, method: string, headers: Record<string, string>, path = '/graphql') =>
  app.app.fetch(
    new Request(`http://localhost:4000${path}`, {
      method,
      headers: { ...(method === 'POST' && { 'Content-Type': 'application/json' }), ...headers },
      ...(method === 'POST' && { body: '{"query":"{ __typename }"}' }),
    }),
  )
const preflight = { 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'authorization' }
const allowedOrigin = (response: Response) => response.headers.get('access-control-allow-origin')

describe('a portal page on another origin', () => {
  it('can call GraphQL with its token, without cookies', async () => {
    const asked = await send(open, 'OPTIONS', { Origin: portal, ...preflight })
    expect(asked.status).toBe(204)
    expect(allowedOrigin(asked)).toBe(portal)
    expect(asked.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('authorization')
    expect(asked.headers.get('access-control-allow-credentials')).not.toBe('true')
    const { secret } = await open.createProgram()
    const answer = await send(open, 'POST', { Origin: portal, Authorization: `Bearer ${secret}` })
    expect(answer.status).toBe(200)
    expect(allowedOrigin(answer)).toBe(portal)
    expect(answer.headers.get('vary')).toContain('Origin')
  })

  it('can read error responses', async () => {
    const answer = await send(open, 'POST', { Origin: portal, Authorization: 'Bearer trib_at_x' })
    expect(answer.status).toBe(401)
    expect(allowedOrigin(answer)).toBe(portal)
  })

  it('is rejected when its origin is not configured', async () => {
    for (const [app, origin] of [
      [open, 'https://evil.test'],
      [closed, portal],
    ] as const)
      for (const [method, headers] of [
        ['OPTIONS', preflight],
        ['POST', { Authorization: 'Bearer trib_at_x' }],
      ] as const)
        expect(allowedOrigin(await send(app, method, { Origin: origin, ...headers }))).toBeNull()
  })

  it('can call nothing but GraphQL', async () => {
    for (const path of ['/v1/affiliates', '/v1/openapi.json', '/healthz'])
      expect(allowedOrigin(await send(open, 'GET', { Origin: portal }, path))).toBeNull()
  })
})
