import { beforeAll, describe, expect, it } from 'vitest'
import * as portalOperations from '../../../../src/generated/portal/graphql.ts'
import { createTestApp } from '../../../support/app.ts'
import { createSeller, reportSale } from '../../../support/factories.ts'

const test = await createTestApp({ persistedOperations: { documents: new Map(), only: true } })
const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  test.app.fetch(new Request(`http://localhost:4000${path}`, { method, headers }))
const addressesIn = async (page: Response) =>
  [...(await page.text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address as string)

describe('GET /portal', () => {
  it('answers the page to everybody, without a key, whatever they accept', async () => {
    const accepts: Record<string, string>[] = [{}, { Accept: 'text/html' }, { Accept: 'application/json' }]
    for (const headers of [...accepts, { Authorization: 'Bearer x' }]) {
      const page = await ask('/portal', headers)
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
      expect(page.headers.get('cache-control')).toBe('no-cache')
    }
  })

  it('forbids every other origin, everything inline, frames around it, and to tell where one comes from', async () => {
    const page = await ask('/portal')
    expect(page.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    expect(page.headers.get('x-content-type-options')).toBe('nosniff')
    expect(page.headers.get('referrer-policy')).toBe('no-referrer')
    expect(await page.text()).not.toMatch(/<script>|<style|style=| on\w+=/)
  })

  it('every file it loads is there, below it, and is kept for ever', async () => {
    const files = await addressesIn(await ask('/portal'))
    expect(files).toHaveLength(3)
    for (const file of files) {
      expect(file).toMatch(/^portal\/[0-9a-f]{12}\//)
      const answer = await ask(`/${file}`, { 'Accept-Encoding': 'br' })
      expect([file, answer.status, answer.headers.get('content-encoding')]).toEqual([file, 200, 'br'])
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  it('its script is small enough for a phone', async () => {
    const [, , script = ''] = await addressesIn(await ask('/portal'))
    const packed = await (await ask(`/${script}`, { 'Accept-Encoding': 'br' })).arrayBuffer()
    expect(packed.byteLength).toBeLessThan(90_000)
  })

  it('a slash at the end leads to it, below the path of a proxy too', async () => {
    const moved = await ask('/portal/')
    expect([moved.status, moved.headers.get('location')]).toEqual([308, '../portal'])
  })

  it('304 to whom has the page; HEAD answers as GET, without a body; other methods are a 405', async () => {
    const etag = (await ask('/portal')).headers.get('etag') as string
    expect((await ask('/portal', { 'If-None-Match': etag })).status).toBe(304)
    const head = await ask('/portal', {}, 'HEAD')
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, ''])
    for (const path of ['/portal', '/portal/']) {
      const posted = await ask(path, {}, 'POST')
      expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    }
  })

  it('nothing else is served below it', async () => {
    const [, version] = /^portal\/(\w+)\//.exec((await addressesIn(await ask('/portal'))).join(' ')) ?? []
    for (const path of [`${version}/none.js`, `${version}/x/../../../main.js`, 'other/page.js', `${version}/page.js/x`])
      expect([path, (await ask(`/portal/${path}`)).status]).toEqual([path, 404])
    expect((await ask('/portals')).status).toBe(404)
  })
})

describe('POST /portal/session', () => {
  const post = async (body: string, headers: Record<string, string> = { 'Content-Type': 'application/json' }) => {
    const request = new Request('http://localhost:4000/portal/session', { method: 'POST', headers, body })
    const response = await test.app.fetch(request)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
    return { status: response.status, body: await response.json() }
  }

  it('401 for what is no ticket', async () => {
    for (const ticket of [undefined, null, 7, '', 'x', {}, ['x']])
      expect(await post(JSON.stringify({ ticket }))).toEqual({
        status: 401,
        body: { error: 'This link is not valid.' },
      })
  })

  it('400, 413 and 415 for a body that can not be read, or that a page of another origin could send', async () => {
    expect(await post('{')).toMatchObject({ status: 400, body: { error: 'The body is not valid JSON.' } })
    expect(await post('[]')).toMatchObject({ status: 400 })
    expect(await post(JSON.stringify({ ticket: 'x'.repeat(9_000) }))).toMatchObject({ status: 413 })
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
      expect(await post('{"ticket":"x"}', { 'Content-Type': type })).toMatchObject({ status: 415 })
  })

  it('405 for another method', async () => {
    const answer = await ask('/portal/session')
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
  })
})

describe('what the page asks', () => {
  let secret: string
  let token: string
  beforeAll(async () => {
    const program = await test.createProgram()
    secret = program.secret
    const { affiliate, coupon } = await createSeller(program)
    await reportSale(program, { coupon, email: 'grace@example.com' })
    const { sso } = (await program.get(`/affiliates/${affiliate.id}/sso`)).body
    const answer = await test.app.fetch(
      new Request('http://localhost:4000/portal/session', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ ticket: new URL(sso.url).hash.slice('#ticket='.length) }),
      }),
    )
    token = ((await answer.json()) as { token: string }).token
  })
  const variables = {
    known: [],
    currency: 'usd',
    range: { preset: 'LAST_30_DAYS' },
    interval: 'DAY',
    timeZone: 'UTC',
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
  const documents = Object.entries(portalOperations).filter(([name]) => name.endsWith('Document'))

  it('there is something that it asks', () => {
    expect(documents.length).toBeGreaterThan(5)
  })

  it.each(documents)('%s runs with an affiliate token, also where only listed operations run', async (_, document) => {
    const { status, body } = await send(token, `${document}`)
    expect([status, body.errors]).toEqual([200, undefined])
    expect(body.data.me).toBeDefined()
  })

  it('a key does not run it there, and a token nothing that differs from it', async () => {
    const [[, document] = []] = documents
    expect((await send(secret, `${document}`)).status).toBe(403)
    expect((await send(token, `${document} `)).status).toBe(403)
    expect((await send(token, '{ me { id } }')).status).toBe(403)
  })
})
