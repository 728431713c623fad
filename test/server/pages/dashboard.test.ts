import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'

const test = await createTestApp()
const request = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  test.app.fetch(new Request(`http://localhost:4000${path}`, { method, headers }))
/** The files that a page names, as paths. */
const filesOf = async (path: string) =>
  [...(await (await request(path)).text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(
    ([, address]) => new URL(address as string, `http://localhost:4000${path}`).pathname,
  )
const importsOf = (script: string) =>
  [...script.matchAll(/\b(?:from|import)\s*"\.\/([\w.-]+\.js)"/g)].map(([, name]) => name as string)

describe('GET /dashboard and every view below it', () => {
  const views = [
    '/dashboard',
    '/dashboard/',
    '/dashboard/sign-in',
    '/dashboard/acme/affiliates/01980f3e',
    '/dashboard/setup',
  ]

  it.each(views)('%s serves the page, with the addresses of its files relative to it', async (path) => {
    const page = await request(path)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.headers.get('cache-control')).toBe('no-cache')
    for (const file of await filesOf(path)) {
      expect(file).toMatch(/^\/dashboard\/[0-9a-f]{12}\/[\w.-]+$/)
      expect([file, (await request(file)).status]).toEqual([file, 200])
    }
  })

  it('forbids other origins, inline code and style, framing and referrers', async () => {
    const page = await request('/dashboard/acme/home')
    expect(page.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    expect(await page.text()).not.toMatch(/<script>|<style|style=| on\w+=/)
  })

  it('is read only, and unknown files are not found', async () => {
    expect((await request('/dashboard/acme/home', {}, 'POST')).status).toBe(405)
    const [file = ''] = await filesOf('/dashboard')
    for (const path of [
      file.replace(/[\w-]+\.\w+$/, 'none.js'),
      '/dashboard/000000000000/page.js',
      '/dashboard/favicon.ico',
      '/dashboard/sign-in~',
    ])
      expect([path, (await request(path)).status]).toEqual([path, 404])
    expect((await request('/dashboards')).status).toBe(404)
  })
})

it('loads at most 250 kB of compressed JavaScript at first, and names all of it in the page', async () => {
  const named = (await filesOf('/dashboard')).filter((file) => file.endsWith('.js'))
  const folder = (named[0] as string).replace(/[^/]+$/, '')
  const scripts = new Map<string, number>()
  const load = async (file: string): Promise<void> => {
    if (scripts.has(file)) return
    const body = await (await request(file)).text()
    scripts.set(file, (await promisify(gzip)(body)).byteLength)
    for (const name of importsOf(body)) await load(folder + name)
  }
  for (const file of named) await load(file)
  expect([...scripts.keys()].sort()).toEqual(named.sort())
  expect([...scripts.values()].reduce((sum, size) => sum + size, 0)).toBeLessThan(250_000)
})
