import { beforeAll, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../../support/app.ts'

let app: TestApp['app']
beforeAll(async () => {
  app = (await createTestApp()).app
})

const request = (path: string, init?: RequestInit) => app.fetch(new Request(`http://localhost:4000${path}`, init))

async function addressesIn(path: string): Promise<string[]> {
  const html = await (await request(path)).text()
  return [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address as string)
}

it('serves the API reference at /docs without a key', async () => {
  const response = await request('/docs')
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(await response.text()).toContain('<title>Tributary API</title>')
})

it('declares both colour schemes', async () => {
  expect(await (await request('/docs')).text()).toContain('<meta name="color-scheme" content="light dark">')
})

it('redirects from /docs/, also behind a proxy path', async () => {
  const response = await request('/docs/')
  expect(response.status).toBe(308)
  const target = response.headers.get('location') as string
  expect(new URL(target, 'https://proxy.test/docs/').href).toBe('https://proxy.test/docs')
  expect(new URL(target, 'https://proxy.test/below/docs/').href).toBe('https://proxy.test/below/docs')
})

it('forbids other origins and inline scripts, and does not use them', async () => {
  const response = await request('/docs')
  const policy = response.headers.get('content-security-policy') as string
  expect(policy).toContain("default-src 'self'")
  expect(policy).not.toMatch(/unsafe|https?:|\*/)
  expect(await response.text()).not.toMatch(/<script>|<style|style=| on\w+=/)
  for (const address of await addressesIn('/docs')) expect(address).not.toMatch(/^(https?:)?\/\//)
})

it('serves every file of the page, immutable and compressed if the client accepts it', async () => {
  const files = (await addressesIn('/docs')).filter((address) => address.startsWith('docs/'))
  expect(files.length).toBeGreaterThanOrEqual(4)
  for (const file of files) {
    const [plain, compressed] = [
      await request(`/${file}`),
      await request(`/${file}`, { headers: { 'Accept-Encoding': 'gzip' } }),
    ]
    expect([file, plain.status]).toEqual([file, 200])
    expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(compressed.headers.get('content-encoding')).toBe('gzip')
    const decompressed = new Response(compressed.body?.pipeThrough(new DecompressionStream('gzip')))
    expect(await decompressed.text()).toBe(await plain.text())
  }
})

it('returns 404 for other files, other versions and paths outside of the folder', async () => {
  const [, version] = /^docs\/(\w+)\//.exec((await addressesIn('/docs')).join(' ')) ?? []
  for (const path of [
    `${version}/package.json`,
    `${version}/../../package.json`,
    'other/page.css',
    'x',
    `${version}/`,
  ]) {
    const response = await request(`/docs/${path}`)
    expect([path, response.status, await response.json()]).toEqual([path, 404, { error: 'Not found.' }])
  }
})

it('returns 304 for a matching ETag, and HEAD like GET without a body', async () => {
  const etag = (await request('/docs')).headers.get('etag') as string
  expect((await request('/docs', { headers: { 'If-None-Match': etag } })).status).toBe(304)
  const head = await request('/docs', { method: 'HEAD' })
  expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, ''])
})
