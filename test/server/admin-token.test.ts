import { expect, it } from 'vitest'
import { createLog } from '../../src/kernel/log.ts'
import { createApp } from '../../src/server/app.ts'
import { createTestApp, testKey } from '../support/app.ts'

const { database, clock } = await createTestApp()
const webhooks = { key: testKey, allowedHosts: [], allowHttp: true, isIdle: true }
const [current, previous] = ['the-operator-token-now', 'the-operator-token-before']

/** Asks as an operator with each token. */
async function statusesOf(previousAdminToken: string | undefined) {
  const lines: string[] = []
  const log = createLog('warn', { destination: { write: (line) => void lines.push(line) } })
  const settings = { database, publicUrl: () => 'http://localhost:4000', log, webhooks, now: () => clock.now }
  const app = createApp({ ...settings, adminToken: current, previousAdminToken })
  const ask = async (token: string) => {
    const request = new Request('http://localhost:4000/graphql', {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: '{ programs { id } }' }),
    })
    return (await app.fetch(request)).status
  }
  const statuses = [await ask(current), await ask(previous), await ask(previous), await ask('another-token')]
  app.stop()
  await app.flush()
  return { statuses, notes: lines.filter((line) => line.includes('previous operator token used')).length }
}

it('the previous operator token works until its setting is removed, and the log says that it is used', async () => {
  expect(await statusesOf(previous)).toEqual({ statuses: [200, 200, 200, 401], notes: 1 })
  expect(await statusesOf(undefined)).toEqual({ statuses: [200, 401, 401, 401], notes: 0 })
})
