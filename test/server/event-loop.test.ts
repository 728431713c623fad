import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type App, createApp } from '../../src/server/app.ts'
import { adminToken, createTestApp } from '../support/app.ts'
import { type Attack, attacksOfAffiliates, attacksOfKeys } from '../support/attacks.ts'
import { silentLog } from '../support/database.ts'
import { createAffiliate } from '../support/factories.ts'

// The bound is on this process alone. Another process that uses the processor at the same time must not fail a test: a
// delay counts only as far as this process was computing, and a request above the bound is sent again. What blocks by
// itself does so each time.

const maxDelayMs = 50
const attempts = 6

const { app: open, database, createProgram, clock } = await createTestApp()
const closed = createApp({
  database,
  adminToken,
  publicUrl: () => '',
  log: silentLog,
  now: () => clock.now,
  persistedOperations: { documents: new Map(), only: true },
})
const program = await createProgram()
const { createAffiliateToken } = await program.graphql(
  'mutation ($id: ID!) { createAffiliateToken(input: { affiliateId: $id }) { token } }',
  { id: (await createAffiliate(program)).id },
)
const token: string = createAffiliateToken.token

async function send(app: App, secret: string, { path, method, contentType, body }: Attack) {
  const headers = { Authorization: `Bearer ${secret}`, ...(contentType && { 'Content-Type': contentType }) }
  const request = new Request(`http://localhost:4000${path}`, { method, headers, body })
  const longestDelay = watchEventLoop()
  await pause(5)
  const response = await app.fetch(request)
  const text = await response.text()
  await pause(5)
  return { status: response.status, size: text.length, milliseconds: longestDelay() }
}

/** Returns a function that stops, and returns the longest time between two rounds of the event loop, in milliseconds. */
function watchEventLoop(): () => number {
  const now = () => {
    const { user, system } = process.cpuUsage()
    return { elapsed: performance.now(), computed: (user + system) / 1000 }
  }
  let longest = 0
  let before = now()
  const tick = () => {
    const after = now()
    longest = Math.max(longest, Math.min(after.elapsed - before.elapsed, after.computed - before.computed))
    before = after
  }
  const timer = setInterval(tick, 1)
  return () => {
    clearInterval(timer)
    tick()
    return longest
  }
}

describe.each([
  ['an API key', open, program.secret, attacksOfKeys],
  ['an affiliate', open, token, attacksOfAffiliates],
  ['an affiliate, with persisted operations only', closed, token, attacksOfAffiliates],
])('no request of %s blocks the event loop', (_label, app, secret, attacks) => {
  it.each(Object.entries(attacks))('%s', async (name, attack) => {
    expect(Buffer.byteLength(attack.body ?? '')).toBeLessThanOrEqual(1024 * 1024)
    const delays: number[] = []
    while (delays.length < attempts && !delays.some((delay) => delay <= maxDelayMs)) {
      const { status, size, milliseconds } = await send(app, secret, attack)
      expect(status).toBeLessThan(500)
      expect(size).toBeLessThan(300_000)
      delays.push(milliseconds)
    }
    if (process.env.SHOW) console.log(name, delays.map(Math.round))
    expect(Math.min(...delays)).toBeLessThanOrEqual(maxDelayMs)
  })
})
