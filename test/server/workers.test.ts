import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { adminToken } from '../support/app.ts'
import { makeDataDir, startChild } from '../support/data-directory.ts'
import { createPostgresClone } from '../support/database.ts'
import { startServer } from '../support/server.ts'

const operator = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' }
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
  const query = (address: string, text: string) =>
    fetch(`${address}/graphql`, {
      method: 'POST',
      headers: { ...operator, connection: 'close' },
      body: JSON.stringify({ query: text }),
    }).then((response) => response.json())

  test('both serve the port, one that is killed is replaced, and SIGTERM ends all with 0', async () => {
    const { address, child } = await startTwo()
    const served = new Set<number>()
    await expect
      .poll(async () => {
        expect(await query(address, '{ __typename }')).toMatchObject({ data: { __typename: 'Query' } })
        for (const { worker } of linesOf(child, 'request')) served.add(worker)
        return served.size
      }, waiting)
      .toBe(2)

    const [{ pid }] = linesOf(child, 'service ready') as unknown as [{ pid: number }]
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => linesOf(child, 'service ready').length, waiting).toBe(3)
    expect(linesOf(child, 'worker ended, starting another')).toHaveLength(1)
    expect(await query(address, '{ __typename }')).toMatchObject({ data: { __typename: 'Query' } })

    child.process.kill('SIGTERM')
    expect((await child.exited).code).toBe(0)
    expect(linesOf(child, 'shutdown complete')).toHaveLength(2)
  })

  test('a rate limit holds for all workers together', async () => {
    const { address } = await startTwo({ SUPERSET_REQUESTS_PER_30_SECONDS: '10' })
    const { data } = await query(
      address,
      'mutation { createProgram(input: { name: "Acme", url: "https://acme.test", currency: "usd" }) { program { id } } }',
    )
    const { id } = data.createProgram.program
    const made = await query(
      address,
      `mutation { createApiKey(input: { name: "superset", profile: SUPERSET, programId: "${id}" }) { secret } }`,
    )
    const headers = { authorization: `Bearer ${made.data.createApiKey.secret}`, connection: 'close' }
    const statuses: number[] = []
    for (let n = 0; n < 14; n += 1) statuses.push((await fetch(`${address}/v1/affiliates`, { headers })).status)
    expect(statuses.filter((status) => status === 429)).toHaveLength(4)
  })
})
