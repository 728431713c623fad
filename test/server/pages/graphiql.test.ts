import { beforeAll, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../support/app.ts'

let app: TestApp['app']
beforeAll(async () => {
  app = (await createTestApp()).app
})

const browser = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const request = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  app.fetch(new Request(`http://localhost:4000${path}`, { method, headers }))

async function addressesInPage(): Promise<string[]> {
  const html = await (await request('/graphql', browser)).text()
  return [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address as string)
}

it('serves GraphiQL to browsers at /graphql without a key, and GraphQL to other clients', async () => {
  const page = await request('/graphql', browser)
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect([page.headers.get('cache-control'), page.headers.get('vary')]).toEqual(['no-cache', 'Accept'])
  expect((await request('/graphql?query={__typename}', { Accept: 'application/json' })).status).toBe(401)
})

it('forbids other origins, inline scripts and framing', async () => {
  const page = await request('/graphql', browser)
  const policy = page.headers.get('content-security-policy') as string
  expect(policy).toContain("default-src 'none'; script-src 'self';")
  expect(policy).toContain("connect-src 'self'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toMatch(/unsafe-eval|https?:|\*|blob:/)
  expect(await page.text()).not.toMatch(/<script>|<style|style=| on\w+=/)
  // Relative, so that the page works below a proxy path.
  for (const address of await addressesInPage()) expect(address).toMatch(/^graphql\/[0-9a-f]{12}\//)
})

it('serves every file of the page, immutable and compressed if the client accepts it', async () => {
  const files = await addressesInPage()
  const folder = (files[0] as string).replace(/[^/]+$/, '')
  const workers = ['editor.worker.js', 'json.worker.js', 'graphql.worker.js'].map((name) => folder + name)
  for (const file of [...files, ...workers]) {
    const plain = await request(`/${file}`)
    expect([file, plain.status]).toEqual([file, 200])
    expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(plain.headers.get('content-encoding')).toBeNull()
    const [gzip, brotli] = [
      await request(`/${file}`, { 'Accept-Encoding': 'gzip' }),
      await request(`/${file}`, { 'Accept-Encoding': 'gzip, deflate, br, zstd' }),
    ]
    expect([gzip, brotli].map(({ headers }) => headers.get('content-encoding'))).toEqual(['gzip', 'br'])
    const decompressed = new Response(gzip.body?.pipeThrough(new DecompressionStream('gzip')))
    expect(await decompressed.text()).toBe(await plain.text())
  }
})

it('returns 404 for other files, other versions and paths outside of the folder', async () => {
  const [, version] = /^graphql\/(\w+)\//.exec((await addressesInPage()).join(' ')) ?? []
  for (const path of [
    `${version}/none.js`,
    `${version}/x/../../../main.js`,
    'other/page.js',
    `${version}/page.js/x`,
    '',
  ]) {
    expect([path, (await request(`/graphql/${path}`)).status]).toEqual([path, 404])
  }
})

it('returns 304 for a matching ETag, and HEAD like GET without a body', async () => {
  const etag = (await request('/graphql', browser)).headers.get('etag') as string
  expect((await request('/graphql', { ...browser, 'If-None-Match': etag })).status).toBe(304)
  const head = await request('/graphql', browser, 'HEAD')
  expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, ''])
})
