import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { createMetrics } from '../../src/server/metrics/metrics.ts'
import { createMetricsServer } from '../../src/server/metrics/serve.ts'
import { createTestApp } from '../support/app.ts'
import { createTestDatabase } from '../support/database.ts'
import { isFull } from '../support/engine.ts'
import { createAffiliate, createSeller } from '../support/factories.ts'
import { createReceiver } from '../support/receiver.ts'
import { createEndpoint } from '../support/webhooks.ts'

const token = 'token-of-prometheus'
const database = await createTestDatabase()
const startsAt = new Date().toISOString()
const metrics = createMetrics({ ...database, now: () => test.clock.now })
const test = await createTestApp({ database, startsAt, metrics: { metrics, token } })

const scrape = (headers: Record<string, string> = { Authorization: `Bearer ${token}` }) =>
  test.app.fetch(new Request('http://localhost:4000/metrics', { headers }))

/** The value of each line. */
async function values(): Promise<Record<string, number>> {
  const lines = (await (await scrape()).text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return Object.fromEntries(lines.map((line) => [line.replace(/ \S+$/, ''), Number(line.split(' ').at(-1))]))
}

it('counts responses by route, operation and status, but not by what clients choose', async () => {
  const program = await test.createProgram()
  await program.get('/affiliates')
  await program.get('/affiliates/unknown')
  await program.graphql('query ChosenByTheClient { program { name } }')
  const found = await values()
  const requests = (labels: string) => found[`tributary_http_requests_total{${labels}}`]
  expect(requests('route="/v1",operation="Query.affiliates",status="200"')).toBe(1)
  expect(requests('route="/v1",operation="Query.affiliate",status="404"')).toBe(1)
  expect(requests('route="/graphql",operation="",status="200"')).toBeGreaterThan(0)
  expect(found['tributary_http_request_duration_seconds_count{route="/v1"}']).toBe(2)
  expect(found.nodejs_eventloop_lag_p99_seconds).toBeGreaterThanOrEqual(0)
  expect(JSON.stringify(found)).not.toContain('ChosenByTheClient')
})

it('shows what waits, and endpoints that fail', async () => {
  const program = await test.createProgram()
  const receiver = await createReceiver(() => ({ status: 500 }))
  await createEndpoint(program, receiver.url, ', eventTypes: ["affiliate.created"]')
  await createAffiliate(program)
  test.clock.advanceMinutes(2)
  const waiting = await values()
  expect(waiting.tributary_webhook_lag_seconds).toBeGreaterThan(60)
  expect(waiting['tributary_webhook_endpoints{state="active"}']).toBe(1)
  await test.app.sendWebhooks()
  const failing = await values()
  expect(failing).toMatchObject({
    tributary_webhook_lag_seconds: 0,
    tributary_sweep_lag_seconds: 0,
    'tributary_webhook_endpoints{state="failing"}': 1,
    'tributary_webhook_tries_total{state="pending"}': 1,
    'tributary_webhook_tries_total{state="succeeded"}': 0,
  })
  receiver.answerWith(() => ({}))
  test.clock.advanceMinutes(1)
  await test.app.sendWebhooks()
  expect(await values()).toMatchObject({
    'tributary_webhook_endpoints{state="active"}': 1,
    'tributary_webhook_endpoints{state="failing"}': 0,
    'tributary_webhook_tries_total{state="succeeded"}': 1,
  })
  await receiver.close()
})

it.skipIf(!isFull)(
  'counts reads that are not compiled, which the usual requests have none of (needs ENGINE=full)',
  async () => {
    const program = await test.createProgram()
    const { affiliate, coupon } = await createSeller(program)
    const slow = async () => (await values())['tributary_slow_paths_total{path="read by Prisma"}'] ?? Number.NaN
    const before = await slow()
    await program.post('/conversions', { coupon, amount_cents: 4_900, external_id: 'one' })
    await program.get('/affiliates?limit=25')
    await program.get(`/affiliates/${affiliate.id}`)
    await program.get('/sales')
    await program.graphql('{ affiliates { totalCount nodes { email commissions { nodes { amountCents } } } } }')
    expect(await slow()).toBe(before)
    await database.db.affiliate.findMany({ distinct: ['email'] })
    expect(await slow()).toBe(before + 1)
  },
)

it('requires the token', async () => {
  expect((await scrape({})).status).toBe(401)
  expect((await scrape({ Authorization: 'Bearer another-token-of-prometheus' })).status).toBe(401)
})

it('does not exist without a token', async () => {
  const other = await createTestApp({ metrics: { metrics, token: undefined } })
  const response = await other.app.fetch(new Request('http://localhost:4000/metrics'))
  expect([response.status, await response.json()]).toEqual([404, { error: expect.stringContaining('METRICS_PORT') }])
  const none = await (await createTestApp({})).app.fetch(new Request('http://localhost:4000/metrics'))
  expect([none.status, await none.json()]).toEqual([404, { error: expect.stringContaining('Set METRICS_TOKEN') }])
})

it('can have a port of its own, with or without a token', async () => {
  const statusOf = async (required: string | undefined, headers: Record<string, string> = {}) => {
    const server = createMetricsServer(metrics.read, required)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const { status } = await fetch(`http://127.0.0.1:${port}/metrics`, { headers })
    server.close().closeAllConnections()
    return status
  }
  expect(await statusOf(undefined)).toBe(200)
  expect(await statusOf(token)).toBe(401)
  expect(await statusOf(token, { Authorization: `Bearer ${token}` })).toBe(200)
})
