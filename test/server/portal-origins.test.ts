import { describe, expect, it } from 'vitest'
import { adminToken, createTestApp } from '../support/app.ts'
import { createAffiliate } from '../support/factories.ts'

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
    for (const name of ['authorization', 'idempotency-key', 'traceparent'])
      expect(asked.headers.get('access-control-allow-headers')?.toLowerCase()).toContain(name)
    expect(asked.headers.get('access-control-allow-credentials')).not.toBe('true')
    const program = await open.createProgram()
    const { id } = await createAffiliate(program)
    const { createAffiliateToken } = await program.graphql(
      'mutation ($id: ID!) { createAffiliateToken(input: { affiliateId: $id }) { token } }',
      { id },
    )
    const answer = await send(open, 'POST', { Origin: portal, Authorization: `Bearer ${createAffiliateToken.token}` })
    expect(answer.status).toBe(200)
    expect(allowedOrigin(answer)).toBe(portal)
    expect(answer.headers.get('vary')).toContain('Origin')
  })

  it('cannot use a secret key, nor the operator token: everybody who sees the page has it', async () => {
    const { secret } = await open.createProgram()
    // A key that was used before takes a shorter way.
    for (const key of [secret, secret, adminToken]) {
      const answer = await send(open, 'POST', { Origin: portal, Authorization: `Bearer ${key}` })
      expect(answer.status).toBe(403)
      expect(allowedOrigin(answer)).toBe(portal)
      expect(await answer.text()).toContain('A secret key must not be in a page')
    }
    for (const origin of ['http://localhost:4000', 'null', ''])
      expect((await send(open, 'POST', { Origin: origin, Authorization: `Bearer ${secret}` })).status, origin).toBe(200)
  })

  it('cannot use up a sign-in ticket', async () => {
    const program = await open.createProgram()
    const { id } = await createAffiliate(program)
    const ticket = (await program.get(`/affiliates/${id}/sso`)).body.sso.url.split('#ticket=')[1]
    const redeem = (headers: Record<string, string>) =>
      open.app.fetch(
        new Request('http://localhost:4000/portal/session', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', ...headers },
          body: JSON.stringify({ ticket }),
        }),
      )
    for (const Origin of ['https://evil.test', portal, 'null'])
      expect((await redeem({ Origin })).status, Origin).toBe(403)
    expect((await redeem({ Origin: 'http://localhost:4000' })).status).toBe(201)
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
