import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { makeDataDir, startChild } from '../support/data-directory.ts'
import { createPostgresClone } from '../support/database.ts'
import { findFreePort } from '../support/free-port.ts'
import { operate, startServer } from '../support/server.ts'

const waiting = { timeout: 60_000 }

test('WORKERS on the embedded database is refused with what to do', async () => {
  const { exited, lines } = startChild('src/main.ts', [], { WORKERS: '2', DATA_DIR: await makeDataDir() })
  expect((await exited).code).toBe(1)
  expect(lines.join('\n')).toContain('WORKERS above 1 requires DATABASE_URL')
})

describe.skipIf(!inject('databases').postgres)('two workers on PostgreSQL (skipped without TEST_DATABASE_URL)', () => {
  const linesOf = ({ lines }: { lines: string[] }, event: string) =>
    lines.filter((line) => line.includes(`"msg":"${event}"`)).map((line) => JSON.parse(line) as { worker: number })

  async function startTwo(env: NodeJS.ProcessEnv = {}) {
    const { url, drop } = await createPostgresClone({ empty: true })
    onTestFinished(drop)
    const server = await startServer(url, { WORKERS: '2', ...env })
    onTestFinished(server.kill)
    await expect.poll(() => linesOf(server.child, 'service ready').length, waiting).toBe(2)
    return server
  }
  test('both serve the port, one that is killed is replaced, and SIGTERM ends all with 0', async () => {
    const { address, child } = await startTwo()
    const served = new Set<number>()
    await expect
      .poll(async () => {
        expect(await operate(address, '{ __typename }')).toEqual({ __typename: 'Query' })
        for (const { worker } of linesOf(child, 'request')) served.add(worker)
        return served.size
      }, waiting)
      .toBe(2)

    const [{ pid }] = linesOf(child, 'service ready') as unknown as [{ pid: number }]
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => linesOf(child, 'service ready').length, waiting).toBe(3)
    expect(linesOf(child, 'worker ended, starting another')).toHaveLength(1)
    expect(await operate(address, '{ __typename }')).toEqual({ __typename: 'Query' })

    child.process.kill('SIGTERM')
    expect((await child.exited).code).toBe(0)
    expect(linesOf(child, 'shutdown complete')).toHaveLength(2)
  })

  test('a rate limit holds for all workers together', async () => {
    const { address } = await startTwo({ SUPERSET_REQUESTS_PER_30_SECONDS: '10' })
    const data = await operate(
      address,
      'mutation { createProgram(input: { name: "Acme", url: "https://acme.test", currency: "usd" }) { program { id } } }',
    )
    const { id } = data.createProgram.program
    const made = await operate(
      address,
      `mutation { createApiKey(input: { name: "superset", profile: SUPERSET, programId: "${id}" }) { secret } }`,
    )
    const headers = { authorization: `Bearer ${made.createApiKey.secret}`, connection: 'close' }
    const statuses: number[] = []
    for (let n = 0; n < 14; n += 1) statuses.push((await fetch(`${address}/v1/affiliates`, { headers })).status)
    expect(statuses.filter((status) => status === 429)).toHaveLength(4)
  })

  test('METRICS_PORT adds the counters of all workers, and not what they read from the database', async () => {
    const port = await findFreePort()
    const metrics = `http://127.0.0.1:${port}/metrics`
    const { address, child } = await startTwo({ METRICS_PORT: `${port}`, METRICS_TOKEN: 'token-of-prometheus' })
    const data = await operate(
      address,
      'mutation { createProgram(input: { name: "Acme", url: "https://acme.test", currency: "usd" }) { program { id } } }',
    )
    await operate(
      address,
      'mutation { createWebhookEndpoint(input: { url: "https://acme.test/webhooks" }) { webhookEndpoint { id } } }',
      data.createProgram.program.id,
    )
    const requests = () => linesOf(child, 'request')
    await expect
      .poll(async () => {
        await operate(address, '{ __typename }')
        return new Set(requests().map(({ worker }) => worker)).size
      }, waiting)
      .toBe(2)

    const scrape = async () => {
      const response = await fetch(metrics, { headers: { authorization: 'Bearer token-of-prometheus' } })
      expect(response.status).toBe(200)
      return response.text()
    }
    const value = (text: string, name: string) =>
      text
        .split('\n')
        .filter((line) => line.startsWith(name))
        .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
    const uncounted = async () => requests().length - value(await scrape(), 'tributary_http_requests_total')
    await expect.poll(uncounted, waiting).toBe(0)
    expect(value(await scrape(), 'tributary_webhook_endpoints{state="active"}')).toBe(1)
    expect(value(await scrape(), 'tributary_info')).toBe(1)

    expect((await fetch(metrics)).status).toBe(401)
    expect(
      (await fetch(`${address}/metrics`, { headers: { authorization: 'Bearer token-of-prometheus' } })).status,
    ).toBe(404)
  })
})
