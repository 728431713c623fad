import { expect, it } from 'vitest'
import { makeDemoProgram } from '../../../../src/modules/demo/service.ts'
import { createTestApp } from '../../../support/app.ts'

const app = await createTestApp({ demoShop: true })
/** What Chromium sends for a page. */
const browser = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8' }
const notFound = '{"error":"Not found."}'

const get = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
  const response = await app.app.fetch(new Request(`http://localhost:4000${path}`, { method, headers }))
  return { status: response.status, headers: response.headers, body: await response.text() }
}

/** The addresses that a page links to or loads, resolved as a browser would. */
const linksOf = (page: string, path: string) =>
  [...page.matchAll(/href="(?!data:)([^"]+)"/g)].map(([, href]) => {
    const { pathname, search } = new URL(href as string, `http://localhost:4000${path}`)
    return pathname + search
  })

it('a browser gets a page at / that leads to the dashboard, GraphiQL, the documentation and the portal', async () => {
  const { status, headers, body } = await get('/', browser)
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  const look = ['/look/icon.svg', '/look/style.css', '/', '/dashboard', '/graphql', '/docs']
  const pages = ['/dashboard', '/graphql', '/docs', '/docs?profile=superset', '/portal']
  expect(linksOf(body, '/')).toEqual([...look, ...pages])
  for (const link of linksOf(body, '/')) expect([link, (await get(link, browser)).status]).toEqual([link, 200])
})

it.each(['/nothing', '/a/b/c', '/a/b/', '/docs/nothing', '/r/', '//x'])(
  'a browser gets a page with status 404 at %s, whose links work',
  async (path) => {
    const { status, headers, body } = await get(path, browser)
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      404,
      'text/html; charset=utf-8',
      'no-store',
    ])
    if (!path.startsWith('//'))
      expect(linksOf(body, path).slice(0, 4)).toEqual(['/look/icon.svg', '/look/style.css', '/', '/dashboard'])
  },
)

it.each([{}, { Accept: '*/*' }, { Accept: 'application/json, text/html;q=0.5' }, { Accept: 'text/html;q=0, */*' }])(
  'an API client that sends %j gets JSON with status 404',
  async (headers) => {
    for (const path of ['/', '/nothing']) {
      const { status, body } = await get(path, headers as Record<string, string>)
      expect([status, body]).toEqual([404, notFound])
    }
  },
)

it('a browser gets JSON from the REST API, and from a path that it sends a form to', async () => {
  expect((await get('/v1/nothing', browser)).body).toBe('{"error":"Invalid API key."}')
  expect((await get('/nothing', browser, 'POST')).body).toBe(notFound)
})

it('the pages allow nothing inline, nothing of other origins and no frame around them', async () => {
  for (const path of ['/', '/nothing']) {
    const { headers, body } = await get(path, browser)
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('vary')).toBe('Accept')
    expect(body).not.toMatch(/<script>|<style|style="|\son\w+="|https?:/)
  }
})

it('leads to the demo shop once there is a demo program', async () => {
  expect((await get('/', browser)).body).not.toContain('demo/shop')
  await makeDemoProgram(app.database.db, { now: app.clock.now, months: 6 })
  await expect.poll(async () => (await get('/', browser)).body).toContain('href="demo/shop"')
})
