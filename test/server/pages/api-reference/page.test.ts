import { beforeAll, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../../support/app.ts'

let app: TestApp['app']
beforeAll(async () => {
  app = (await createTestApp()).app
})

const ask = (path: string, init?: RequestInit) => app.fetch(new Request(`http://localhost:4000${path}`, init))

async function addressesIn(path: string): Promise<string[]> {
  const html = await (await ask(path)).text()
  return [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address as string)
}

it('GET /docs shows the API without a key', async () => {
  const response = await ask('/docs')
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(await response.text()).toContain('<title>Tributary API</title>')
})

it('GET /docs/ leads there, below a path of a proxy too', async () => {
  const response = await ask('/docs/')
  expect(response.status).toBe(308)
  const target = response.headers.get('location') as string
  expect(new URL(target, 'https://proxy.test/docs/').href).toBe('https://proxy.test/docs')
  expect(new URL(target, 'https://proxy.test/below/docs/').href).toBe('https://proxy.test/below/docs')
})

it('forbids every other origin and inline scripts, and needs neither', async () => {
  const response = await ask('/docs')
  const policy = response.headers.get('content-security-policy') as string
  expect(policy).toContain("default-src 'self'")
  expect(policy).not.toMatch(/unsafe|https?:|\*/)
  expect(await response.text()).not.toMatch(/<script>|<style|style=| on\w+=/)
  for (const address of await addressesIn('/docs')) expect(address).not.toMatch(/^(https?:)?\/\//)
})

it('every file it loads is there, is kept for ever, and comes packed to whom can unpack', async () => {
  const files = (await addressesIn('/docs')).filter((address) => address.startsWith('docs/'))
  expect(files.length).toBeGreaterThanOrEqual(5)
  for (const file of files) {
    const [plain, packed] = [await ask(`/${file}`), await ask(`/${file}`, { headers: { 'Accept-Encoding': 'gzip' } })]
    expect([file, plain.status]).toEqual([file, 200])
    expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(packed.headers.get('content-encoding')).toBe('gzip')
    const unpacked = new Response(packed.body?.pipeThrough(new DecompressionStream('gzip')))
    expect(await unpacked.text()).toBe(await plain.text())
  }
})

it('serves nothing else: no other file, no other version, no way out of the folder', async () => {
  const [, version] = /^docs\/(\w+)\//.exec((await addressesIn('/docs')).join(' ')) ?? []
  for (const path of [
    `${version}/package.json`,
    `${version}/../../package.json`,
    'other/page.css',
    'x',
    `${version}/`,
  ]) {
    const response = await ask(`/docs/${path}`)
    expect([path, response.status, await response.json()]).toEqual([path, 404, { error: 'Not found.' }])
  }
})

it('304 to whom has the page; HEAD answers as GET, without a body', async () => {
  const etag = (await ask('/docs')).headers.get('etag') as string
  expect((await ask('/docs', { headers: { 'If-None-Match': etag } })).status).toBe(304)
  const head = await ask('/docs', { method: 'HEAD' })
  expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, ''])
})
