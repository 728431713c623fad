import { beforeAll, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../../support/app.ts'

let app: TestApp['app']
beforeAll(async () => {
  app = (await createTestApp()).app
})

const browser = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  app.fetch(new Request(`http://localhost:4000${path}`, { method, headers }))

async function addressesInPage(): Promise<string[]> {
  const html = await (await ask('/graphql', browser)).text()
  return [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address as string)
}

it('browsers get GraphiQL at /graphql without a key; everybody else gets GraphQL', async () => {
  const page = await ask('/graphql', browser)
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect([page.headers.get('cache-control'), page.headers.get('vary')]).toEqual(['no-cache', 'Accept'])
  expect((await ask('/graphql?query={__typename}', { Accept: 'application/json' })).status).toBe(401)
})

it('forbids every other origin, inline scripts, and frames around it', async () => {
  const page = await ask('/graphql', browser)
  const policy = page.headers.get('content-security-policy') as string
  expect(policy).toContain("default-src 'none'; script-src 'self';")
  expect(policy).toContain("connect-src 'self'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toMatch(/unsafe-eval|https?:|\*|blob:/)
  expect(await page.text()).not.toMatch(/<script>|<style|style=| on\w+=/)
  // Below a path of a proxy the page finds its files too.
  for (const address of await addressesInPage()) expect(address).toMatch(/^graphql\/[0-9a-f]{12}\//)
})

it('every file it loads is there, is kept for ever, and comes packed to whom can unpack', async () => {
  const files = await addressesInPage()
  const folder = (files[0] as string).replace(/[^/]+$/, '')
  const workers = ['editor.worker.js', 'json.worker.js', 'graphql.worker.js'].map((name) => folder + name)
  for (const file of [...files, ...workers]) {
    const plain = await ask(`/${file}`)
    expect([file, plain.status]).toEqual([file, 200])
    expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(plain.headers.get('content-encoding')).toBeNull()
    const [gzip, brotli] = [
      await ask(`/${file}`, { 'Accept-Encoding': 'gzip' }),
      await ask(`/${file}`, { 'Accept-Encoding': 'gzip, deflate, br, zstd' }),
    ]
    expect([gzip, brotli].map(({ headers }) => headers.get('content-encoding'))).toEqual(['gzip', 'br'])
    const unpacked = new Response(gzip.body?.pipeThrough(new DecompressionStream('gzip')))
    expect(await unpacked.text()).toBe(await plain.text())
  }
})

it('serves nothing else: no other file, no other version, no way out of the folder', async () => {
  const [, version] = /^graphql\/(\w+)\//.exec((await addressesInPage()).join(' ')) ?? []
  for (const path of [
    `${version}/none.js`,
    `${version}/x/../../../main.js`,
    'other/page.js',
    `${version}/page.js/x`,
    '',
  ]) {
    expect([path, (await ask(`/graphql/${path}`)).status]).toEqual([path, 404])
  }
})

it('304 to whom has the page; HEAD answers as GET, without a body', async () => {
  const etag = (await ask('/graphql', browser)).headers.get('etag') as string
  expect((await ask('/graphql', { ...browser, 'If-None-Match': etag })).status).toBe(304)
  const head = await ask('/graphql', browser, 'HEAD')
  expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, ''])
})
