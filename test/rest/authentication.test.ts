import { describe, expect, it } from 'vitest'
import { adminToken, createTestApp, restClient } from '../support/app.ts'

const app = await createTestApp()
const program = await app.createProgram()
const as = (authorization?: string, more: Record<string, string> = {}) =>
  restClient(app.app.fetch, { ...(authorization !== undefined && { Authorization: authorization }), ...more })
const base64 = (text: string) => Buffer.from(text).toString('base64')

describe('200', () => {
  it.each([
    ['Bearer', `Bearer ${program.secret}`],
    ['Basic with the secret as user name and an empty password', `Basic ${base64(`${program.secret}:`)}`],
    ['Basic with the secret alone', `Basic ${base64(program.secret)}`],
    ['a scheme in any case', `bearer ${program.secret}`],
    ['a scheme in any case', `BASIC ${base64(`${program.secret}:`)}`],
  ])('for %s', async (_label, authorization) => {
    const { status, body } = await as(authorization).get('/affiliates')
    expect(status).toBe(200)
    expect(body.data).toEqual([])
  })

  it("uses the key's program and ignores a header that names another", async () => {
    const other = await app.createProgram()
    await other.post('/affiliates', { email: 'secret@example.com' })
    const { body } = await as(`Bearer ${program.secret}`, { 'X-Program-Id': other.id }).get('/affiliates')
    expect(body.data).toEqual([])
  })
})

const refused: [string, string | undefined][] = [
  ['no header', undefined],
  ['an empty header', ''],
  ['a scheme alone', 'Bearer'],
  ['the secret without a scheme', program.secret],
  ['another scheme', `Digest ${program.secret}`],
  ['a wrong secret', `Bearer ${program.secret.slice(0, -1)}${program.secret.endsWith('x') ? 'y' : 'x'}`],
  ['a secret that is cut off', `Bearer ${program.secret.slice(0, -1)}`],
  ['a secret with something added', `Bearer ${program.secret}x`],
  ['a secret in another case', `Bearer ${program.secret.toUpperCase()}`],
  ['Basic with the secret as it is', `Basic ${program.secret}`],
  ['Basic with the secret as password', `Basic ${base64(`:${program.secret}`)}`],
  ['Basic with a password', `Basic ${base64(`${program.secret}:password`)}`],
  ['Basic with a password that starts with a colon', `Basic ${base64(`${program.secret}::password`)}`],
  ['Basic with nothing', `Basic ${base64(':')}`],
  ["the operator's token", `Bearer ${adminToken}`],
  ["the operator's token as user name", `Basic ${base64(`${adminToken}:`)}`],
]

describe('401', () => {
  it.each(['/health', '/affiliates/health', '/affiliates?email=/health'])('for %s, as for any path', async (path) => {
    expect((await as().get(path)).status).toBe(401)
  })

  it.each(refused)('for %s', async (_label, authorization) => {
    const { status, headers, body } = await as(authorization).get('/affiliates')
    expect(status).toBe(401)
    expect(body).toEqual({ error: 'Invalid API key.' })
    // No Basic challenge: browsers would prompt for the secret and keep it.
    expect(headers.get('www-authenticate')).toMatch(/^Bearer (error="invalid_token", )?error_description="[^"]+"$/)
    expect(headers.get('content-type')).toMatch(/^application\/json/)
  })

  it('for the operator token, also with a known or unknown program', async () => {
    for (const id of [program.id, '01980f3e-8c00-7000-8000-00000000dead']) {
      const { status } = await as(`Bearer ${adminToken}`, { 'X-Program-Id': id }).get('/affiliates')
      expect(status).toBe(401)
    }
  })

  const id = '01980f3e-8c00-7000-8000-00000000dead'
  const calls = [
    ...[
      '/affiliates',
      '/campaigns',
      '/affiliate_links',
      '/affiliate_coupons',
      '/referrals',
      '/commissions',
      '/payouts',
    ].map((path) => ['GET', path] as const),
    ...['/affiliates', '/campaigns', '/affiliate_links', '/affiliate_coupons', '/conversions'].map(
      (path) => ['POST', path] as const,
    ),
    ...['affiliates', 'campaigns', 'commissions'].flatMap((noun) => [
      ['GET', `/${noun}/${id}`] as const,
      ['PUT', `/${noun}/${id}`] as const,
    ]),
    ['DELETE', `/commissions/${id}`] as const,
    ['POST', `/payouts/${id}/pay`] as const,
    ['PUT', `/payouts/${id}/pay`] as const,
    ['POST', `/affiliates/${id}/links`] as const,
    ['HEAD', '/affiliates'] as const,
    ['PATCH', '/affiliates'] as const,
    ['OPTIONS', '/affiliates'] as const,
    ['GET', ''] as const,
    ['GET', '/'] as const,
    ['GET', '/no/such/path'] as const,
    ['POST', '/webhook'] as const,
    ['GET', '/api_keys'] as const,
  ]
  it.each(calls)('for %s %s without a key', async (method, path) => {
    const { status, body } = await as().send(path, { method })
    expect(status).toBe(401)
    expect(body).toEqual(method === 'HEAD' ? undefined : { error: 'Invalid API key.' })
  })

  it('before the body is checked', async () => {
    const init = { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: 'nonsense' }
    expect((await as().send('/affiliates', init)).status).toBe(401)
  })
})
