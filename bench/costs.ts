import { createApp } from '../src/server/app.ts'
import { createPostgresBenchDatabase, log } from './database.ts'
import { createFilledProgram } from './filled.ts'
import { median } from './measure.ts'

export const summary = 'What one unit of the cost of operations takes, in microseconds. PostgreSQL only.'
export const unit = 'sales in the database'
export const defaultSize = 20_000

const runs = 5

/** Operations whose cost is not that of their fields and rows, and two lists to compare them with. */
const operations = {
  'lists with lists below': `{ affiliates(first: 100) { nodes { id email firstName campaign { name } links(first: 10) { nodes { id token } } } } }`,
  'a list': '{ commissions(first: 100) { nodes { id state createdAt amountCents currency } } }',
  simulateCampaign: `{ simulateCampaign(input: { rules: { commissionPercent: 10 }, range: { from: "2025-01-01T00:00:00Z", to: "2026-01-01T00:00:00Z" } }) { sales } }`,
  'analytics, top':
    '{ analytics(range: { from: "2025-01-01T00:00:00Z", to: "2026-01-01T00:00:00Z" }) { top(dimension: AFFILIATE, by: SALES_AMOUNT, limit: 10) { label } } }',
  'analytics, time series':
    '{ analytics(range: { from: "2025-01-01T00:00:00Z", to: "2026-01-01T00:00:00Z" }) { timeSeries(metric: SALES_AMOUNT) { points { value } } } }',
  'analytics, cohorts':
    '{ analytics(range: { from: "2025-01-01T00:00:00Z", to: "2026-01-01T00:00:00Z" }) { cohorts { customers } } }',
  'analytics, liability':
    '{ analytics(range: { from: "2025-01-01T00:00:00Z", to: "2026-01-01T00:00:00Z" }) { liability { currency } } }',
  importAffiliates: 'mutation ($csv: String!) { importAffiliates(input: { csv: $csv }) { created } }',
}

type Answer = { errors?: [{ message: string }]; extensions: { cost: { requested: number } } }

export async function run(sales: number): Promise<void> {
  const { drop, ...database } = await createPostgresBenchDatabase()
  const app = createApp({
    database,
    adminToken: 'operator-token-of-the-bench',
    publicUrl: () => 'http://localhost',
    log,
  })
  try {
    const { secret } = await createFilledProgram(database, { sales, affiliates: 1_000 })
    const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' }
    let file = 0
    for (const [name, query] of Object.entries(operations)) {
      const times: number[] = []
      let cost = 0
      for (let n = 0; n < runs; n += 1) {
        file += 1
        const csv = ['email', ...Array.from({ length: 2_000 }, (_, line) => `${file}-${line}@example.com`)].join('\n')
        const variables = query.startsWith('mutation') ? { csv } : {}
        // A different comment each time: the fast way would keep the query.
        const body = JSON.stringify({ query: `#${performance.now()}\n${query}`, variables })
        const startedAt = performance.now()
        const response = await app.fetch(new Request('http://localhost/graphql', { method: 'POST', headers, body }))
        const { errors, extensions } = (await response.json()) as Answer
        if (errors) throw new Error(`${name}: ${errors[0].message}`)
        times.push(performance.now() - startedAt)
        cost = extensions.cost.requested
      }
      const ms = median(times)
      console.log(`${name}: cost ${cost}, ${ms.toFixed(0)} ms, ${((ms * 1000) / cost).toFixed(0)} µs for each unit`)
    }
  } finally {
    app.stop()
    await drop()
  }
}
