import { randomBytes } from 'node:crypto'
import { cursorOf, readWindow } from '../src/listing/window.ts'
import { createApiKey } from '../src/modules/access/api-keys/service.ts'
import { createProgram } from '../src/modules/programs/service.ts'
import { saleListing } from '../src/modules/sales/listing.ts'
import { createApp } from '../src/server/app.ts'
import { createPostgresBenchDatabase, log, operatorCtx, withClient } from './database.ts'
import { fill } from './fill.ts'
import { graphqlClient } from './graphql.ts'
import { medianMs } from './measure.ts'

export const summary = 'A page of a list at any depth against OFFSET in plain SQL. PostgreSQL only.'
export const unit = 'sales'
export const defaultSize = 1_000_000

const orders = [
  { field: 'CREATED_AT', order: 'createdAt', column: 'id' },
  { field: 'OCCURRED_AT', order: 'occurredAt', column: 'occurred_at' },
  { field: 'AMOUNT', order: 'amount', column: 'amount_cents' },
] as const

const measure = async (query: () => Promise<unknown>) => Number((await medianMs(15, query)).toFixed(1))

export async function run(sales: number): Promise<void> {
  const { db, ping, databaseUrl, drop } = await createPostgresBenchDatabase()
  const app = createApp({
    database: { db, ping },
    adminToken: randomBytes(16).toString('hex'),
    publicUrl: () => '',
    log,
  })
  try {
    const ctx = operatorCtx(db)
    const { id } = await createProgram(ctx, { name: 'Bench', url: 'https://acme.test', currency: 'usd' })
    const { secret } = await createApiKey(ctx, id, { name: 'Bench' })
    const send = graphqlClient(app, secret)
    await withClient(databaseUrl, async (client) => {
      await client.query(fill(id, sales, 1_000, 2025))
      await client.query('vacuum analyze')
      const rows = []
      for (const { field, order, column } of orders) {
        const window = readWindow(saleListing, { orderBy: [{ field: order, direction: 'desc' }] })
        for (const depth of [0, 0.1, 0.5, 0.99].map((part) => Math.floor(part * sales))) {
          const page = `select * from sales where program_id = '${id}' order by ${column} desc, id desc limit 50 offset`
          const { rows: before } = await client.query(`${page} ${Math.max(0, depth - 1)}`)
          const row = before[0] as { id: string; occurred_at: Date; amount_cents: string }
          const lastRow = { id: row.id, occurredAt: row.occurred_at, amountCents: BigInt(row.amount_cents) }
          const after = depth === 0 ? '' : `, after: "${cursorOf(window, lastRow)}"`
          const query = `{ sales(first: 50, orderBy: { field: ${field} }${after}) { nodes { id externalId amountCents occurredAt affiliate { email } } } }`
          rows.push({
            'sorted by': field,
            'rows before the page': depth,
            'page by cursor, ms': await measure(() => send(query)),
            'by OFFSET in plain SQL, ms': await measure(() => client.query(`${page} ${depth}`)),
          })
        }
      }
      console.table(rows)
    })
  } finally {
    app.stop()
    await drop()
  }
}
