import { gunzipSync, gzipSync } from 'node:zlib'
import { transform } from 'esbuild'
import { expect, it } from 'vitest'
import { trackScript } from '../../../src/generated/track-script.ts'
import { createTestApp } from '../../support/app.ts'

const app = await createTestApp({ tracking: { origins: ['https://acme.test'] } })
const get = (headers: Record<string, string> = {}, method = 'GET') =>
  app.app.fetch(
    new Request('http://localhost:4000/track.js', { method, headers: { Origin: 'https://any.test', ...headers } }),
  )

it('is smaller than 4 kB compressed', async () => {
  const compressed = new Uint8Array(await (await get({ 'Accept-Encoding': 'gzip' })).arrayBuffer())
  expect(compressed.byteLength).toBeLessThan(4_000)
  expect(gunzipSync(compressed).toString()).toBe(trackScript)
  expect(gzipSync(trackScript).byteLength).toBeLessThan(4_000)
})

it('is valid ES2017', async () => {
  const to = (target: string) => transform(trackScript, { target, minifyWhitespace: true, loader: 'js' })
  expect((await to('es2017')).code).toBe((await to('esnext')).code)
})

it('can be loaded by any site and revalidated with its ETag', async () => {
  const response = await get()
  expect(response.status).toBe(200)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': 'public, max-age=3600, stale-while-revalidate=86400',
    vary: 'Accept-Encoding',
  })
  const again = await get({ 'If-None-Match': response.headers.get('etag') ?? '' })
  expect(again.status).toBe(304)
  expect((await get({}, 'HEAD')).status).toBe(200)
  expect((await get({}, 'POST')).status).toBe(405)
})
