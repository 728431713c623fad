import { describe, expect, it } from 'vitest'
import { createTestApp } from '../support/app.ts'
import { createAffiliate, unknownId } from '../support/factories.ts'

const app = await createTestApp()
const program = await app.createProgram()

describe('404', () => {
  it.each([
    '',
    '/',
    '/nothing',
    '/Affiliates',
    '//affiliates',
    '/affiliates//',
    `/affiliates/${unknownId}/nothing`,
    `/payouts/${unknownId}/pay/twice`,
    '/webhook',
    '/api_keys',
    '/programs',
    '/refunds',
    '/create-affiliate',
    '/record-visit',
    '/record-lead',
    '/report-conversion',
  ])('for the unknown path %j', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const { status, body } = await program.send(path, { method })
      expect(status).toBe(404)
      expect(body).toEqual({ error: 'Not found.' })
    }
  })

  it.each(['/', '/v2/affiliates', '/affiliates', '/v1x', '/health'])('for a path outside the API: %s', async (path) => {
    const response = await app.app.fetch(new Request(`http://localhost:4000${path}`))
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({ error: 'Not found.' })
  })
})

describe('405', () => {
  it.each([
    ['PATCH', '/affiliates', ['GET', 'HEAD', 'POST']],
    ['DELETE', '/affiliates', ['GET', 'HEAD', 'POST']],
    ['PUT', '/campaigns', ['GET', 'HEAD', 'POST']],
    ['PATCH', `/affiliates/${unknownId}`, ['GET', 'HEAD', 'PUT']],
    ['DELETE', `/campaigns/${unknownId}`, ['GET', 'HEAD', 'PUT']],
    ['POST', `/commissions/${unknownId}`, ['DELETE', 'GET', 'HEAD', 'PUT']],
    ['POST', '/referrals', ['GET', 'HEAD']],
    ['POST', '/payouts', ['GET', 'HEAD']],
    ['POST', '/commissions', ['GET', 'HEAD']],
    ['GET', '/conversions', ['POST']],
    ['HEAD', '/conversions', ['POST']],
    ['GET', `/payouts/${unknownId}/pay`, ['POST', 'PUT']],
    ['OPTIONS', '/affiliates', ['GET', 'HEAD', 'POST']],
  ])('%s %s says what is allowed', async (method, path, allowed) => {
    const { status, headers, body } = await program.send(path, { method })
    expect(status).toBe(405)
    expect(headers.get('allow')?.split(', ').sort()).toEqual(allowed)
    if (method !== 'HEAD') expect(body).toEqual({ error: 'Method not allowed.' })
  })
})

describe('HEAD', () => {
  it('returns what GET returns, without a body', async () => {
    const { id } = await createAffiliate(program)
    for (const path of [
      '/affiliates',
      `/affiliates/${id}`,
      `/affiliates/${unknownId}`,
      '/affiliates?limit=0',
      '/none',
    ]) {
      const [head, get] = [await program.send(path, { method: 'HEAD' }), await program.get(path)]
      expect(head.status).toBe(get.status)
      expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'))
      expect(head.body).toBeUndefined()
    }
  })
})

describe('one trailing slash', () => {
  it('is ignored', async () => {
    const { status, body } = await program.post('/affiliates/', { email: 'slash@example.com' })
    expect(status).toBe(201)
    expect((await program.get(`/affiliates/${body.id}/`)).body).toEqual(body)
    expect((await program.get('/affiliates/?email=slash@example.com')).body.data).toEqual([body])
    expect((await program.put(`/affiliates/${body.id}/`, {})).status).toBe(200)
    expect((await program.post(`/payouts/${unknownId}/pay/`)).body).toEqual({ error: `Payout not found: ${unknownId}` })
  })
})

describe('X-Request-Id', () => {
  const idOf = async (path: string, headers: Record<string, string> = {}) =>
    (await program.send(path, { headers })).headers.get('x-request-id')

  it('is on every response, and unique', async () => {
    const ids = []
    for (const path of ['/affiliates', '/none', '/conversions', `/affiliates/${unknownId}`, '/affiliates?page=0']) {
      ids.push(await idOf(path))
    }
    ids.push((await app.app.fetch(new Request('http://localhost:4000/v1/affiliates'))).headers.get('x-request-id'))
    for (const id of ids) expect(id).toEqual(expect.stringMatching(/^\S{8,}$/))
    expect(new Set(ids).size).toBe(ids.length)
  })

  it("is the client's own if that is valid", async () => {
    expect(await idOf('/affiliates', { 'X-Request-Id': 'checkout-42' })).toBe('checkout-42')
    expect(await idOf('/affiliates', { 'X-Request-Id': 'x'.repeat(4000) })).toMatch(/^[0-9a-f-]{36}$/)
    expect(await idOf('/affiliates', { 'X-Request-Id': '{"log": "injection"}' })).toMatch(/^[0-9a-f-]{36}$/)
  })
})
