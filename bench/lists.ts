// What a page of a list costs at any depth of a million sales, through the service, against the same page by OFFSET in
// plain SQL in the same run. `npm run bench:lists -- SALES` takes another number. On PostgreSQL alone, with
// BENCH_DATABASE_URL or TEST_DATABASE_URL.
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import pg from 'pg'
import { pino } from 'pino'
import { openDatabase } from '../src/database/open.ts'
import { cursorOf, readWindow } from '../src/kernel/listing/window.ts'
import { createApiKey } from '../src/modules/access/api-keys/service.ts'
import { createProgram } from '../src/modules/programs/service.ts'
import { saleListing } from '../src/modules/sales/listing.ts'
import { createApp } from '../src/server/app.ts'
import { fill } from './fill.ts'

const sales = Number(process.argv[2] ?? 1_000_000)
const log = pino({ level: 'silent' })
const serverUrl = process.env.BENCH_DATABASE_URL ?? process.env.TEST_DATABASE_URL
if (!serverUrl) throw new Error('Set BENCH_DATABASE_URL or TEST_DATABASE_URL to a PostgreSQL server.')
const name = `tributary_bench_${randomBytes(4).toString('hex')}`
const databaseUrl = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href

async function connected<T>(connectionString: string, run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString, options: '-c TimeZone=UTC' })
  await client.connect()
  return await run(client).finally(() => client.end())
}

/** The median of some runs, in milliseconds. */
async function measure(run: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let turn = 0; turn < 15; turn += 1) {
    const startedAt = performance.now()
    await run()
    times.push(performance.now() - startedAt)
  }
  return Number(times.sort((a, b) => a - b)[7]?.toFixed(1))
}

await connected(serverUrl, (client) => client.query(`create database ${name}`))
const { db, ping, close } = await openDatabase({ dataDir: tmpdir(), databaseUrl, log })
const app = createApp({ database: { db, ping }, adminToken: randomBytes(16).toString('hex'), publicUrl: () => '', log })
try {
  const ctx = { db, now: () => new Date(), log, requestId: 'bench', actor: { kind: 'operator' } as const }
  const { id } = await createProgram(ctx, { name: 'Bench', url: 'https://acme.test', currency: 'usd' })
  const { secret } = await createApiKey(ctx, id, { name: 'Bench' })
  const ask = async (query: string) => {
    const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' }
    const body = JSON.stringify({ query })
    const response = await app.fetch(new Request('http://localhost/graphql', { method: 'POST', headers, body }))
    const { data, errors } = (await response.json()) as { data?: unknown; errors?: unknown }
    if (!data || errors) throw new Error(JSON.stringify(errors))
  }
  await connected(databaseUrl, (client) => client.query(fill(id, sales, 1_000, 2025)))
  await connected(databaseUrl, (client) => client.query('vacuum analyze'))
  const rows = await connected(databaseUrl, async (client) => {
    const measured = []
    for (const [field, column] of [
      ['CREATED_AT', 'id'],
      ['OCCURRED_AT', 'occurred_at'],
      ['AMOUNT', 'amount_cents'],
    ] as const) {
      const order = { CREATED_AT: 'createdAt', OCCURRED_AT: 'occurredAt', AMOUNT: 'amount' }[field]
      const window = readWindow(saleListing, { orderBy: [{ field: order, direction: 'desc' }] })
      for (const depth of [0, 0.1, 0.5, 0.99].map((part) => Math.floor(part * sales))) {
        const page = `select * from sales where program_id = '${id}' order by ${column} desc, id desc limit 50 offset`
        const { rows: before } = await client.query(`${page} ${Math.max(0, depth - 1)}`)
        const row = before[0] as { id: string; occurred_at: Date; amount_cents: string }
        const told = { id: row.id, occurredAt: row.occurred_at, amountCents: BigInt(row.amount_cents) }
        const after = depth === 0 ? '' : `, after: "${cursorOf(window, told)}"`
        const query = `{ sales(first: 50, orderBy: { field: ${field} }${after}) { nodes { id externalId amountCents occurredAt affiliate { email } } } }`
        measured.push({
          'sorted by': field,
          'rows before the page': depth,
          'page by cursor, ms': await measure(() => ask(query)),
          'by OFFSET in plain SQL, ms': await measure(() => client.query(`${page} ${depth}`)),
        })
      }
    }
    return measured
  })
  console.table(rows)
} finally {
  app.stop()
  await close()
  await connected(serverUrl, (client) => client.query(`drop database if exists ${name} with (force)`))
}
