import { expect, it } from 'vitest'
import { makeDataDir, startChild } from '../support/data-directory.ts'

it('a command in the server’s data directory finds the server on any port, and its token', async () => {
  const DATA_DIR = await makeDataDir()
  const settings = { DATA_DIR, PORT: '', TRIBUTARY_URL: '', ADMIN_TOKEN: '', NODE_ENV: 'production' }
  const server = startChild('src/main.ts', [], { ...settings, PORT: '0', LOG_LEVEL: 'info' })
  await server.ready()
  const { code, output } = await startChild('src/cli/tributary.ts', ['list-programs'], settings).exited
  expect([code, output]).toEqual([0, expect.stringMatching(/^\{"programs":/)])
})
