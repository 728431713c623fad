import { expect, it } from 'vitest'
import { makeDemoProgram } from '../../../src/modules/demo/service.ts'
import { unsubscribeUrl } from '../../../src/modules/mails/unsubscribe.ts'
import { createRoutes } from '../../../src/server/entrance/routes.ts'
import { createTestApp, testKey } from '../../support/app.ts'
import { createAffiliate } from '../../support/factories.ts'

const { app, createProgram, database, clock } = await createTestApp({ demoShop: true })
await makeDemoProgram(database.db, { now: clock.now, months: 6 })
const program = await createProgram()
const { slug } = program
const { id: addresseeId } = await createAffiliate(program)

/** Pages, by the route that serves them. */
const pages: Record<string, string[]> = {
  '/': ['/'],
  '/docs': ['/docs'],
  '/graphql': ['/graphql'],
  '/portal': ['/portal'],
  '/dashboard': ['/dashboard', `/dashboard/${slug}/home`, '/dashboard/sign-in'],
  '/demo/shop': ['/demo/shop'],
  '/verify': ['/verify'],
  '/join': [`/join/${slug}`, '/join/confirm'],
  '/mail': [unsubscribeUrl('', testKey, { programId: program.id, addresseeId, what: 'payouts' })],
}
const withoutPages = [
  '/v1',
  '/mcp',
  '/.well-known',
  '/oauth',
  '/track',
  '/track.js',
  '/r',
  '/feeds',
  '/payout-services',
  '/look',
  '/healthz',
  '/readyz',
  '/metrics',
]

const read = async (path: string) => {
  const response = await app.fetch(new Request(`http://localhost:4000${path}`, { headers: { Accept: 'text/html' } }))
  return { status: response.status, headers: response.headers, html: await response.text() }
}
const directivesOf = (headers: Headers) => (headers.get('content-security-policy') ?? '').split('; ')

it('every route is checked here, or has no pages', () => {
  const names = ['rest', 'graphql', 'trackingEndpoints', 'trackScript', 'redirect', 'portal', 'dashboard', 'docs']
  const others = [
    'feeds',
    'join',
    'mail',
    'demoShop',
    'home',
    'look',
    'verify',
    'publicKeys',
    'alive',
    'ready',
    'metrics',
  ]
  const handlers = Object.fromEntries([...names, ...others].map((name) => [name, () => null]))
  const prefixes = createRoutes(handlers as never).map(({ prefix }) => prefix)
  expect(prefixes.sort()).toEqual([...Object.keys(pages), ...withoutPages].sort())
})

const missing = '/there-is-no-such-page'
it.each([...Object.values(pages).flat(), missing])('%s', async (path) => {
  const { status, headers, html } = await read(path)
  expect(status).toBe(path === missing ? 404 : 200)
  expect(headers.get('content-type')).toContain('text/html')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('referrer-policy')).toMatch(/^(no-referrer|same-origin)$/)
  expect(headers.get('x-frame-options')).toBe('DENY')
  expect(headers.has('x-powered-by')).toBe(false)
  const directives = directivesOf(headers)
  expect(directives).toContain("frame-ancestors 'none'")
  expect(directives).toContain("base-uri 'none'")
  expect(directives.find((line) => line.startsWith('default-src'))).toMatch(/^default-src '(none|self)'$/)
  // GraphiQL's editor, which is not ours, sets styles by itself.
  const isForeign = path === '/graphql'
  const allowed = directives.filter((line) => !(isForeign && line.startsWith('style-src')))
  expect(allowed.join()).not.toMatch(/unsafe|https?:|\*/)
  // The page that verifies can be saved, so its script and its style are in it, named by their hashes.
  const isWhole = path === '/verify'
  const own = isWhole ? html.replace(/<script[^>]*>[\s\S]*?<\/script>|<style>[\s\S]*?<\/style>/g, '') : html
  expect(own).not.toMatch(/<script(?![^>]*\ssrc=)[^>]*>/)
  expect(own).not.toMatch(/<style|\sstyle=|\son[a-z]+=/)
})

it.each(['/v1/affiliates', '/graphql', '/track/visits', '/healthz', '/docs/nothing', '/r/nothing/there'])(
  'the answer of %s names no software',
  async (path) => {
    const { headers } = await app.fetch(new Request(`http://localhost:4000${path}`, { method: 'POST' }))

    expect(headers.has('x-powered-by') || headers.has('server')).toBe(false)
  },
)
