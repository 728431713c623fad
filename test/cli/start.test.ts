import { describe, expect, inject, it } from 'vitest'
import { adminToken } from '../support/app.ts'
import { makeDataDir, startAndStop, startChild } from '../support/data-directory.ts'
import { createPostgresClone } from '../support/database.ts'
import { operate } from '../support/server.ts'

it('an argument that does not exist is rejected before anything is written', async () => {
  const child = startChild('src/main.ts', ['--dmeo'], { DATA_DIR: '/nonexistent/data' })
  const { code, output } = await child.exited
  expect([code, output]).toEqual([1, expect.stringContaining('Usage: npm start -- [--demo [--events]]')])
})

describe.skipIf(!inject('databases').postgres)('a PostgreSQL database', () => {
  it('gets no demo program and no key, unless asked for', async () => {
    const { url, drop } = await createPostgresClone()
    try {
      const env = { DATABASE_URL: url, DATA_DIR: await makeDataDir(), NODE_ENV: '', ADMIN_TOKEN: adminToken }
      const plain = await startAndStop({ env })
      expect(plain).not.toContain('trib_sk_')
      expect(plain).toContain('There is no program yet')
      expect(await startAndStop({ env, args: ['--demo'] })).toMatch(/Demo key +trib_sk_/)
      expect(await startAndStop({ env, args: ['--demo'] })).toContain('demo program exists already')
    } finally {
      await drop()
    }
  })
})

it('--demo --events records events of the demo data', async () => {
  const child = startChild('src/main.ts', ['--demo', '--events'], {
    ...{ PORT: '0', DATA_DIR: await makeDataDir(), ADMIN_TOKEN: adminToken, LOG_LEVEL: 'info' },
  })
  const { address } = JSON.parse(await child.ready())
  const { programs } = await operate(address, '{ programs { id } }')
  const count = (type: string) => `events(where: { type: { equals: "${type}" } }) { totalCount }`
  const { sales, created, affiliates } = await operate(
    address,
    `{ sales { totalCount } created: ${count('sale.created')} affiliates: ${count('affiliate.created')} }`,
    programs[0].id,
  )
  expect(created.totalCount).toBe(sales.totalCount)
  expect(Math.min(sales.totalCount, affiliates.totalCount)).toBeGreaterThan(0)
})
