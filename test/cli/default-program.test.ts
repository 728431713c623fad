import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, it } from 'vitest'
import { adminToken, createTestApp } from '../support/app.ts'
import { startChild } from '../support/data-directory.ts'
import { createStripeFeed } from '../support/stripe.ts'

const app = await createTestApp()
const server = createServer(app.app.handle)
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
const { port } = server.address() as AddressInfo
afterAll(() => void server.close())

const run = (...args: string[]) =>
  startChild('src/cli/tributary.ts', args, {
    TRIBUTARY_URL: `http://127.0.0.1:${port}`,
    ADMIN_TOKEN: adminToken,
    NODE_ENV: '',
  }).exited

it('a command without --program is about the only program, and about no other if there are several', async () => {
  expect(await run('list-keys')).toEqual({ code: 1, output: expect.stringContaining('There is no program yet.') })

  const acme = await app.createProgram({ slug: 'acme' })
  const [keys, noFeed, deleted] = await Promise.all([
    run('list-keys'),
    run('feed', 'rederive'),
    run('delete-program', '--yes'),
  ])
  expect([keys.code, JSON.parse(keys.output).api_keys]).toEqual([0, [expect.objectContaining({ id: acme.keyId })]])
  expect(noFeed).toEqual({ code: 1, output: expect.stringContaining('The program has no feed.') })
  expect(deleted).toEqual({ code: 1, output: expect.stringMatching(/^Required option '--program <program>'/) })

  const feed = await createStripeFeed(acme)
  const [explained, derived] = await Promise.all([
    run('feed', 'explain', 'in_1'),
    run('feed', 'rederive', '--since', '2026-01-01', '--dry-run'),
  ])
  expect([explained.code, JSON.parse(explained.output)]).toEqual([0, { events: [] }])
  expect([derived.code, JSON.parse(derived.output)]).toMatchObject([0, { events: 0, dry_run: true }])

  const other = await createStripeFeed(acme)
  await app.createProgram({ slug: 'bolt' })
  const [programs, feeds] = await Promise.all([
    run('list-keys'),
    run('feed', 'rederive', '--program', 'acme', '--dry-run'),
  ])
  expect(programs).toEqual({
    code: 1,
    output: expect.stringContaining('There are 2 programs. Add --program with one of: bolt, acme'),
  })
  expect([feeds.code, feeds.output]).toEqual([1, expect.stringContaining('The program has 2 feeds.')])
  for (const { id } of [feed, other]) expect(feeds.output).toContain(id)
})
