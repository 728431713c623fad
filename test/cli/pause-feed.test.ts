import { tmpdir } from 'node:os'
import { expect, inject, onTestFinished, test } from 'vitest'
import { adminToken, createTestProgram, graphqlClient } from '../support/app.ts'
import { makeDataDir, startChild } from '../support/data-directory.ts'
import { createPostgresClone } from '../support/database.ts'
import { createFeedOf } from '../support/feeds.ts'

test('tributary feed pause and resume work with the service running, and while it is down', async () => {
  const postgres = inject('databases').postgres ? await createPostgresClone() : null
  if (postgres) onTestFinished(postgres.drop)
  const own = {
    NODE_ENV: 'production',
    PORT: '0',
    ADMIN_TOKEN: adminToken,
    WEBHOOK_KEY: 'key-of-the-feed-tests',
    DATA_DIR: postgres ? tmpdir() : await makeDataDir(),
    DATABASE_URL: postgres?.url ?? '',
  }
  const start = async () => {
    const child = startChild('src/main.ts', [], own)
    const address: string = JSON.parse(await child.ready()).address
    const stop = async () => {
      child.process.kill('SIGKILL')
      await child.exited
    }
    return { address, stop }
  }
  let server = await start()
  const fetchHere = (request: Request) => {
    const { pathname, search } = new URL(request.url)
    return fetch(new Request(`${server.address}${pathname}${search}`, request))
  }
  const operator = graphqlClient(fetchHere, { Authorization: `Bearer ${adminToken}` })
  const program = await createTestProgram(fetchHere, operator, {})
  const feed = await createFeedOf(program, 'GENERIC')
  const state = async () => {
    const { feed: found } = await program.graphql('query ($id: ID!) { feed(id: $id) { state } }', { id: feed.id })
    return found.state
  }
  const run = (name: string, id = feed.id) => {
    const settings = { ...own, NODE_ENV: '', TRIBUTARY_URL: server.address }
    return startChild('src/cli/tributary.ts', ['feed', name, '--feed', id], settings).exited
  }
  expect(await run('pause')).toMatchObject({ code: 0, output: expect.stringContaining('"paused_at":"2') })
  expect(await state()).toBe('PAUSED')
  expect(await run('resume')).toMatchObject({ code: 0, output: expect.stringContaining('"paused_at":null') })
  expect(await state()).toBe('ACTIVE')
  await server.stop()
  expect(await run('pause', program.id)).toMatchObject({ code: 1, output: expect.stringContaining('There is no feed') })
  expect(await run('pause')).toMatchObject({ code: 0, output: expect.stringContaining('"paused_at":"2') })
  server = await start()
  expect(await state()).toBe('PAUSED')
  await server.stop()
})
