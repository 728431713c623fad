import { beforeAll, describe, expect, it } from 'vitest'
import * as portalOperations from '../../../src/generated/portal/graphql.ts'
import { createTestApp } from '../../support/app.ts'
import { createSeller, reportSale } from '../../support/factories.ts'

const test = await createTestApp({ persistedOperations: { documents: new Map(), only: true } })
const request = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  test.app.fetch(new Request(`http://localhost:4000${path}`, { method, headers }))
const addressesIn = async (page: Response) =>
  [...(await page.text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address as string)

describe('GET /portal', () => {
  it('serves the page without a key, for every Accept header', async () => {
    const accepts: Record<string, string>[] = [{}, { Accept: 'text/html' }, { Accept: 'application/json' }]
    for (const headers of [...accepts, { Authorization: 'Bearer x' }]) {
      const page = await request('/portal', headers)
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
      expect(page.headers.get('cache-control')).toBe('no-cache')
    }
  })

  it('forbids other origins, inline code, framing and referrers', async () => {
    const page = await request('/portal')
    expect(page.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    expect(page.headers.get('x-content-type-options')).toBe('nosniff')
    expect(page.headers.get('referrer-policy')).toBe('no-referrer')
    expect(await page.text()).not.toMatch(/<script>|<style|style=| on\w+=/)
  })

  it('serves every file of the page, immutable', async () => {
    const files = await addressesIn(await request('/portal'))
    expect(files).toHaveLength(13)
    for (const file of files) {
      expect(file).toMatch(/^portal\/[0-9a-f]{12}\//)
      const answer = await request(`/${file}`, { 'Accept-Encoding': 'br' })
      expect([file, answer.status, answer.headers.get('content-encoding')]).toEqual([file, 200, 'br'])
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  it('has a script below 90 kB compressed', async () => {
    const files = await addressesIn(await request('/portal'))
    const script = files.find((file) => file.endsWith('/page.js')) ?? ''
    const packed = await (await request(`/${script}`, { 'Accept-Encoding': 'br' })).arrayBuffer()
    expect(packed.byteLength).toBeLessThan(90_000)
  })

  it('redirects from the path with a trailing slash, also behind a proxy path', async () => {
    const moved = await request('/portal/')
    expect([moved.status, moved.headers.get('location')]).toEqual([308, '../portal'])
  })

  it('returns 304 for a matching ETag, HEAD like GET without a body, and 405 for other methods', async () => {
    const etag = (await request('/portal')).headers.get('etag') as string
    expect((await request('/portal', { 'If-None-Match': etag })).status).toBe(304)
    const head = await request('/portal', {}, 'HEAD')
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, ''])
    for (const path of ['/portal', '/portal/']) {
      const posted = await request(path, {}, 'POST')
      expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    }
  })

  it('returns 404 for other paths below it', async () => {
    const [, version] = /^portal\/(\w+)\//.exec((await addressesIn(await request('/portal'))).join(' ')) ?? []
    for (const path of [`${version}/none.js`, `${version}/x/../../../main.js`, 'other/page.js', `${version}/page.js/x`])
      expect([path, (await request(`/portal/${path}`)).status]).toEqual([path, 404])
    expect((await request('/portals')).status).toBe(404)
  })
})

describe('POST /portal/session', () => {
  const post = async (body: string, headers: Record<string, string> = { 'Content-Type': 'application/json' }) => {
    const response = await test.app.fetch(
      new Request('http://localhost:4000/portal/session', { method: 'POST', headers, body }),
    )
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
    return { status: response.status, body: await response.json() }
  }

  it('returns 401 for an invalid ticket', async () => {
    for (const ticket of [undefined, null, 7, '', 'x', {}, ['x']])
      expect(await post(JSON.stringify({ ticket }))).toEqual({
        status: 401,
        body: { error: 'This link is not valid.' },
      })
  })

  it('returns 400, 413 and 415 for an unreadable body, or one that a page of another origin could send', async () => {
    expect(await post('{')).toMatchObject({ status: 400, body: { error: 'The body is not valid JSON.' } })
    expect(await post('[]')).toMatchObject({ status: 400 })
    expect(await post(JSON.stringify({ ticket: 'x'.repeat(9_000) }))).toMatchObject({ status: 413 })
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
      expect(await post('{"ticket":"x"}', { 'Content-Type': type })).toMatchObject({ status: 415 })
  })

  it('returns 405 for other methods', async () => {
    const answer = await request('/portal/session')
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
  })
})

describe('the operations of the page', () => {
  let secret: string
  let signIn: () => Promise<string>
  beforeAll(async () => {
    const program = await test.createProgram()
    secret = program.secret
    const { affiliate, coupon, link } = await createSeller(program)
    variables.id = link.id
    const [holdsFrom, createdAt] = [test.clock.now, test.clock.now]
    await test.database.db.termsVersion.create({
      data: { programId: program.id, number: 1, text: 'Be fair.', holdsFrom, createdAt },
    })
    await reportSale(program, { coupon, email: 'grace@example.com' })
    signIn = async () => {
      const { sso } = (await program.get(`/affiliates/${affiliate.id}/sso`)).body
      const answer = await test.app.fetch(
        new Request('http://localhost:4000/portal/session', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ ticket: new URL(sso.url).hash.slice('#ticket='.length) }),
        }),
      )
      return ((await answer.json()) as { token: string }).token
    }
  })
  const variables = {
    known: [],
    currency: 'usd',
    currencyText: 'usd',
    now: '2026-03-10T12:00:00Z',
    range: { preset: 'LAST_30_DAYS' },
    interval: 'DAY',
    timeZone: 'UTC',
    input: {},
    id: '',
    month: 'THIS_MONTH',
    version: 1,
  }
  const send = async (bearer: string, query: string) => {
    const response = await test.app.fetch(
      new Request('http://localhost:4000/graphql', {
        method: 'POST',
        headers: { Authorization: `Bearer ${bearer}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ query, variables }),
      }),
    )
    return { status: response.status, body: (await response.json()) as any }
  }
  /** These need an input, and are sent without one. */
  const withInput = ['AcceptSelfBilling', 'RefreshPayoutOnboarding', 'SignTaxProfile', 'StartPayoutOnboarding'].map(
    (name) => `${name}Document`,
  )
  const documents = Object.entries(portalOperations).filter(([name]) => name.endsWith('Document'))

  it('are more than five', () => {
    expect(documents.length).toBeGreaterThan(5)
  })

  it.each(documents)(
    '%s runs with an affiliate token when only persisted operations are allowed',
    async (name, document) => {
      // One of them ends the session.
      const { status, body } = await send(await signIn(), `${document}`)
      const codes = new Set(body.errors?.map(({ extensions }: any) => extensions.code))
      if (withInput.includes(name)) return expect([...codes]).toEqual(['BAD_REQUEST'])
      expect([status, body.errors]).toEqual([200, undefined])
      expect(Object.values(body.data)).not.toContain(null)
    },
  )

  it('do not run with an API key, and an affiliate token runs no variation of them', async () => {
    const [[, document] = []] = documents
    const token = await signIn()
    expect((await send(secret, `${document}`)).status).toBe(403)
    expect((await send(token, `${document} `)).status).toBe(403)
    expect((await send(token, '{ me { id } }')).status).toBe(403)
  })
})
