import { describe, expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { createSeller, listed } from '../../support/factories.ts'
import { createPage, roomy } from '../../support/tracking.ts'

const app = await createTestApp({ tracking: { ...roomy, origins: ['https://acme.test', 'https://shop.acme.test'] } })
const limited = await createTestApp({ tracking: { visitsPerMinute: 3, leadsPerMinute: 2, trustedProxies: 1 } })
const paths = ['/track/visits', '/track/leads']
const ask = (path: string, init: RequestInit, of = app) =>
  of.app.fetch(new Request(`http://localhost:4000${path}`, init))

describe.each(paths)('%s', (path) => {
  it('returns 401 for an unknown key, and explains when it is a secret key', async () => {
    const program = await app.createProgram()
    for (const [key, error] of [
      [`trib_pk_${'0'.repeat(32)}`, 'Unknown publishable key.'],
      ['nonsense', 'Unknown publishable key.'],
      [program.slug, 'Unknown publishable key.'],
      [program.secret, expect.stringMatching(/^This is a secret key\. Use the publishable key/)],
    ]) {
      const response = await ask(path, {
        method: 'POST',
        body: JSON.stringify({ key }),
        headers: { 'User-Agent': 'x' },
      })
      expect([response.status, await response.json()]).toEqual([401, { error }])
      // Nobody should send a secret key in the Authorization header instead.
      expect(response.headers.get('www-authenticate')).not.toContain('API key')
    }
  })

  it('returns 413 beyond 16 KiB, 400 for invalid JSON, 415 for other media types', async () => {
    const large = await ask(path, { method: 'POST', body: 'x'.repeat(16 * 1024 + 1) })
    expect([large.status, await large.json()]).toEqual([413, { error: 'The body is larger than 16 KiB.' }])
    expect((await ask(path, { method: 'POST', body: '{' })).status).toBe(400)
    const headers = { 'Content-Type': 'application/xml' }
    expect((await ask(path, { method: 'POST', body: '<a/>', headers })).status).toBe(415)
  })

  it('returns 405 for other methods than POST', async () => {
    const response = await ask(path, { method: 'GET' })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
  })

  it('allows only pages of the configured origins', async () => {
    const from = (origin: string, method = 'POST') =>
      ask(path, { method, headers: { Origin: origin, 'Access-Control-Request-Method': 'POST' } })
    const preflight = await from('https://acme.test', 'OPTIONS')
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-origin')).toBe('https://acme.test')
    expect(preflight.headers.get('access-control-allow-methods')).toBe('POST')
    expect(preflight.headers.get('access-control-allow-headers')).toBe('Content-Type')
    expect(preflight.headers.get('vary')).toContain('Origin')
    expect(preflight.headers.has('access-control-allow-credentials')).toBe(false)
    expect((await from('https://shop.acme.test')).status).toBe(422)
    const refused = await from('https://evil.test')
    expect(refused.status).toBe(403)
    expect(refused.headers.has('access-control-allow-origin')).toBe(false)
    // A page of the service itself, such as the demo's shop.
    expect((await from('http://localhost:4000')).status).toBe(422)
  })

  it('allows pages of all origins by default, also for errors', async () => {
    const response = await ask(path, { method: 'POST', headers: { Origin: 'https://any.test' } }, limited)
    expect(response.status).toBe(422)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
  })
})

it('returns 429 with the seconds to wait when an address exceeds its limit, and no other address', async () => {
  const program = await limited.createProgram()
  const { affiliate, link } = await createSeller(program)
  const page = createPage(limited.app, program, '203.0.113.50')
  const visits = []
  for (let n = 0; n < 4; n++) visits.push(await page.visit(link.token, { visitor: `v${n}` }))
  expect(visits.map(({ status }) => status)).toEqual([201, 201, 201, 429])
  expect(Number(visits[3]?.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(Number(visits[3]?.headers.get('retry-after'))).toBeLessThanOrEqual(60)
  expect(visits[3]?.body.error).toMatch(/^Too many requests\. Try again in \d+ seconds?\.$/)
  expect(await listed(program, `/referrals?affiliate_id=${affiliate.id}`)).toHaveLength(3)
  const id = visits[0]?.body.referral_id
  const leads = []
  for (let n = 0; n < 3; n++) leads.push((await page.lead(id)).status)
  expect(leads).toEqual([200, 200, 429])
  expect((await createPage(limited.app, program, '203.0.113.51').visit(link.token)).status).toBe(201)
})

it('does not limit GraphQL and REST', async () => {
  const program = await limited.createProgram()
  const answers = await Promise.all(Array.from({ length: 80 }, () => program.get('/campaigns')))
  expect(answers.every(({ status }) => status === 200)).toBe(true)
})
