import { join } from 'node:path'
import { expect, it } from 'vitest'
import { adminToken } from '../../support/app.ts'
import { makeDataDir, startAndStop } from '../../support/data-directory.ts'

/** Two starts on a busy machine. */
const timeoutMs = 600_000

it(
  'a new embedded database gets a demo program, and a later start prints where things are without the key',
  async () => {
    const env = { DATA_DIR: await makeDataDir(), NODE_ENV: '' }
    const first = await startAndStop({ env })
    expect(first).toMatch(/Demo key +trib_sk_/)
    const later = await startAndStop({ env })
    expect(later).not.toContain('trib_sk_')
    expect(later).toMatch(/GraphiQL +http:\/\/127\.0\.0\.1:\d+\/graphql\n/)
    expect(later).toContain(`Operator token     in ${join(env.DATA_DIR, 'admin-token')}`)
    expect(later).toContain('create-key --program northwind-analytics')
  },
  timeoutMs,
)

it(
  'an embedded database gets none with NODE_ENV=prod, which is reported, unless it is asked for',
  async () => {
    const env = { DATA_DIR: await makeDataDir(), NODE_ENV: 'prod', ADMIN_TOKEN: adminToken }
    const plain = await startAndStop({ env })
    expect(plain).not.toContain('trib_sk_')
    expect(plain).toContain('unknown environment, treated as production')
    expect(plain).toContain('public url not set')
    expect(await startAndStop({ env, args: ['--demo'] })).toMatch(/Demo key +trib_sk_/)
  },
  timeoutMs,
)
