import { createApp } from '../src/server/app.ts'
import { createPostgresBenchDatabase, log, withClient } from './database.ts'
import { createFilledProgram } from './filled.ts'
import { median } from './measure.ts'

export const summary =
  'The tools of assistants: their time, and their CPU against the operations that they run. PostgreSQL.'
export const unit = 'sales'
export const defaultSize = 1_000_000

const goals = { find: 50, explain: 20, 'tools/list': 5, cpu: 1.3 }
const rounds = 30
const address = 'http://localhost:4000'
const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
const question = '{ affiliates(first: 25) { nodes { id email firstName lastName state createdAt updatedAt } } }'

/** @param sales the sales of a filled program */
export async function run(sales: number): Promise<void> {
  const { db, drop, ...database } = await createPostgresBenchDatabase()
  try {
    const filled = await createFilledProgram({ db, databaseUrl: database.databaseUrl }, { sales, affiliates: 10_000 })
    const { programId, secret } = filled
    // All of one domain, which is the most work for a search of a part.
    await withClient(database.databaseUrl, async (client) => {
      await client.query(
        `insert into customers (program_id, id, email, email_key, name, created_at, updated_at)
         select $1::uuid, gen_random_uuid(), email, email, name, now(), now() from (
           select 'customer' || n || '@example.com' as email, 'Customer ' || n as name from generate_series(1, $2::int) n) made`,
        [programId, sales / 4],
      )
      await client.query('vacuum analyze customers')
    })
    const app = createApp({
      database: { db, ...database },
      adminToken: 'token-of-the-bench',
      publicUrl: () => address,
      log,
      webhooks: { key: Buffer.alloc(32, 7), allowedHosts: [], allowHttp: false, isIdle: true },
    })
    const send = async (path: string, body: object, headers: Record<string, string> = {}) => {
      const response = await app.fetch(
        new Request(`${address}${path}`, {
          method: 'POST',
          headers: {
            Authorization: `Bearer ${secret}`,
            'Content-Type': 'application/json',
            Accept: 'application/json, text/event-stream',
            ...headers,
          },
          body: JSON.stringify(body),
        }),
      )
      const text = await response.text()
      if (response.status !== 200 || /"isError":true|"errors":/.test(text)) throw new Error(text.slice(0, 500))
    }
    const ask = (method: string, params: { name?: string; arguments?: object } = {}) =>
      send(
        '/mcp',
        { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } },
        {
          'MCP-Protocol-Version': '2026-07-28',
          'Mcp-Method': method,
          ...(params.name !== undefined && { 'Mcp-Name': params.name }),
        },
      )
    const call = (name: string, args: object) => ask('tools/call', { name, arguments: args })
    const commission = await db.commission.findFirstOrThrow({ where: { programId }, orderBy: { id: 'desc' } })
    const affiliate = await db.affiliate.findFirstOrThrow({ where: { programId }, orderBy: { id: 'desc' } })
    const timed: [keyof typeof goals, string, () => Promise<void>][] = [
      ['find', 'find an e-mail', () => call('find', { text: affiliate.email })],
      ['find', "find a customer's e-mail", () => call('find', { text: 'customer777@example.com' })],
      ['find', 'find the beginning of names', () => call('find', { text: 'affiliate' })],
      ['explain', 'explain a commission', () => call('explain', { id: commission.id })],
      ['tools/list', 'tools/list', () => ask('tools/list')],
    ]
    for (const [goal, what, run] of timed) {
      const ms = await medianOf(100, run)
      console.log(`${what}: ${ms.toFixed(2)} ms (goal ${goals[goal]})`)
    }
    const graphql = () => send('/graphql', { query: question })
    const tool = () => call('query', { query: question })
    // The least of many rounds: others on the machine, and the collector, only add to it.
    const least = { graphql: Number.POSITIVE_INFINITY, tool: Number.POSITIVE_INFINITY }
    for (let round = 0; round < rounds; round += 1) {
      least.graphql = Math.min(least.graphql, await cpuOf(100, graphql))
      least.tool = Math.min(least.tool, await cpuOf(100, tool))
    }
    const [alone, asTool] = [least.graphql.toFixed(3), least.tool.toFixed(3)]
    const ratio = (least.tool / least.graphql).toFixed(2)
    console.log(`25 affiliates: GraphQL ${alone} ms of CPU, the tool ${asTool}: ${ratio} × (goal ${goals.cpu})`)
    app.stop()
  } finally {
    await drop()
  }
}

async function medianOf(runs: number, run: () => Promise<void>): Promise<number> {
  const times: number[] = []
  for (let n = -10; n < runs; n += 1) {
    const from = performance.now()
    await run()
    if (n >= 0) times.push(performance.now() - from)
  }
  return median(times)
}

/** Milliseconds of CPU of this process, without the database, for one of many runs. */
async function cpuOf(runs: number, run: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage()
  for (let n = 0; n < runs; n += 1) await run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000 / runs
}
