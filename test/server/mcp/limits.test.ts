import { expect, it } from 'vitest'
import { createLog } from '../../../src/kernel/log.ts'
import { createMetrics } from '../../../src/server/metrics/metrics.ts'
import { createTestApp } from '../../support/app.ts'
import { connect } from '../../support/assistants.ts'
import { createClient } from '../../support/connected-apps.ts'
import { createTestDatabase } from '../../support/database.ts'
import { setUpOperator } from '../../support/people.ts'

const lines: { msg: string; path?: string; operation?: string }[] = []
const log = createLog('info', { destination: { write: (line: string) => void lines.push(JSON.parse(line)) } })
const database = await createTestDatabase()
const token = 'token-of-prometheus'
const metrics = createMetrics({ ...database, now: () => test.clock.now })
const test = await createTestApp({ database, log, limits: { perKey: 6 }, metrics: { metrics, token } })

const callOf = (name: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: {} },
})

const send = (secret: string, body: object) =>
  test.app.fetch(
    new Request(`${test.origin}/mcp`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        Authorization: `Bearer ${secret}`,
      },
      body: JSON.stringify(body),
    }),
  )

it('counts and logs the method and the tool, but no name that a client makes up', async () => {
  const program = await test.createProgram()
  for (const name of ['attention', 'made_up_by_a_client']) await send(program.secret, callOf(name))
  await send(program.secret, { jsonrpc: '2.0', id: 2, method: 'made/up' })
  const operations = lines.filter(({ path }) => path === '/mcp').map(({ operation }) => operation)
  expect(operations).toEqual(['tools/call attention', 'tools/call other', 'other'])
  const scraped = await test.app.fetch(
    new Request(`${test.origin}/metrics`, { headers: { Authorization: `Bearer ${token}` } }),
  )
  const text = await scraped.text()
  expect(text).toContain('tributary_http_requests_total{route="/mcp",operation="tools/call attention",status="200"} 1')
  expect(text).not.toContain('made')
})

it('has the limit of the key: 429 with when to try again', async () => {
  const program = await test.createProgram()
  for (let n = 0; n < 6; n += 1) expect((await send(program.secret, callOf('attention'))).status).toBe(200)
  const refused = await send(program.secret, callOf('attention'))
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await refused.json()).error.data).toEqual({ code: 'TOO_MANY_REQUESTS' })
})

it('counts each connected application by itself, and 429 has the limit in its headers', async () => {
  const program = await test.createProgram()
  const olga = await setUpOperator(test)
  const client = createClient(test)
  const [one, other] = [await client.connectAs(olga, program.id), await client.connectAs(olga, program.id)]
  for (let n = 0; n < 6; n += 1) expect((await send(one.accessToken, callOf('attention'))).status).toBe(200)
  const refused = await send(one.accessToken, callOf('attention'))
  expect([refused.status, refused.headers.get('ratelimit')]).toEqual([429, expect.stringContaining('r=0')])
  expect((await send(other.accessToken, callOf('attention'))).status).toBe(200)
})

it('keeps an answer within its budget, and gives the rest by a cursor', async () => {
  const program = await test.createProgram()
  const rows = Array.from({ length: 40 }, (_, n) => ({
    email: `affiliate-${n}@example.com`,
    firstName: 'A'.repeat(40),
  }))
  for (const { email, firstName } of rows)
    await test.operator(
      'mutation ($input: CreateAffiliateInput!) { createAffiliate(input: $input) { __typename } }',
      { input: { email, firstName } },
      { 'X-Program-Id': program.id },
    )
  const { call } = await connect({ test, secret: 'operator-token-of-the-tests', program: program.id })
  const found = new Set<string>()
  let after: string | undefined
  let pages = 0
  do {
    const answer = await call('list', { list: 'affiliates', first: 100, budget: 8_000, ...(after && { after }) })
    expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThanOrEqual(8_000)
    for (const { id } of answer.rows) found.add(id)
    after = answer.next ?? undefined
    pages += 1
  } while (after !== undefined)
  expect([found.size, pages > 2]).toEqual([40, true])
  await expect(
    call('query', { query: '{ affiliates(first: 40) { nodes { id email firstName } } }', budget: 2_000 }),
  ).rejects.toThrow('more than the budget of 2000')
})

it('with only persisted operations, the tools work, and clients run no query of their own', async () => {
  const persistedOperations = { documents: new Map<string, string>(), only: true }
  const closed = await createTestApp({ persistedOperations })
  const program = await closed.createProgram()
  const { client, call } = await connect({ test: closed, secret: program.secret })
  expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('query')
  expect(await call('attention')).toMatchObject({ needs: [] })
  await expect(client.callTool({ name: 'query', arguments: { query: '{ program { id } }' } })).rejects.toThrow()
})
