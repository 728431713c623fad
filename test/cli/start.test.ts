import { join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { adminToken } from '../support/app.ts'
import { makeDataDir, startChild } from '../support/data-directory.ts'
import { createPostgresClone } from '../support/database.ts'

type Settings = { args?: string[]; env: NodeJS.ProcessEnv }

/** What a start prints, until it waits for requests; the service is stopped again. */
async function start({ args = [], env }: Settings): Promise<string> {
  const child = startChild('src/main.ts', args, { PORT: '0', LOG_LEVEL: 'info', ...env })
  await expect.poll(() => child.lines.some((line) => line.includes('service ready')), { timeout: 110_000 }).toBe(true)
  child.process.kill('SIGTERM')
  const { code, output } = await child.exited
  expect(code).toBe(0)
  return output
}

describe('the embedded database', () => {
  it('gets a demo program when it is new, and a later start prints where things are without the key', async () => {
    const env = { DATA_DIR: await makeDataDir(), NODE_ENV: '' }
    const first = await start({ env })
    expect(first).toMatch(/Demo key +trib_sk_/)
    const later = await start({ env })
    expect(later).not.toContain('trib_sk_')
    expect(later).toMatch(/GraphiQL +http:\/\/127\.0\.0\.1:\d+\/graphql\n/)
    expect(later).toContain(`Operator token     in ${join(env.DATA_DIR, 'admin-token')}`)
    expect(later).toContain('create-key --program northwind-analytics')
  })

  it('gets none with NODE_ENV=prod, which is reported, unless it is asked for', async () => {
    const env = { DATA_DIR: await makeDataDir(), NODE_ENV: 'prod', ADMIN_TOKEN: adminToken }
    const plain = await start({ env })
    expect(plain).not.toContain('trib_sk_')
    expect(plain).toContain('unknown environment, treated as production')
    expect(plain).toContain('public url not set')
    expect(await start({ env, args: ['--demo'] })).toMatch(/Demo key +trib_sk_/)
  })
})

it('an argument that does not exist is rejected before anything is written', async () => {
  const child = startChild('src/main.ts', ['--dmeo'], { DATA_DIR: '/nonexistent/data' })
  const { code, output } = await child.exited
  expect([code, output]).toEqual([1, expect.stringContaining('Usage: npm start -- [--demo]')])
})

describe.skipIf(!inject('databases').postgres)('a PostgreSQL database', () => {
  it('gets no demo program and no key, unless asked for', async () => {
    const { url, drop } = await createPostgresClone()
    try {
      const env = { DATABASE_URL: url, DATA_DIR: await makeDataDir(), NODE_ENV: '', ADMIN_TOKEN: adminToken }
      const plain = await start({ env })
      expect(plain).not.toContain('trib_sk_')
      expect(plain).toContain('There is no program yet')
      expect(await start({ env, args: ['--demo'] })).toMatch(/Demo key +trib_sk_/)
      expect(await start({ env, args: ['--demo'] })).toContain('demo program exists already')
    } finally {
      await drop()
    }
  })
})
