import { randomBytes } from 'node:crypto'
import { createApiKey } from '../src/modules/access/api-keys/service.ts'
import { buildCalendars } from '../src/modules/analytics/build-calendars.ts'
import { createProgram } from '../src/modules/programs/service.ts'
import { createApp } from '../src/server/app.ts'
import { createPostgresBenchDatabase, log, operatorCtx, withClient } from './database.ts'
import { fill } from './fill.ts'
import { graphqlClient } from './graphql.ts'
import { medianMs } from './measure.ts'

export const summary = 'Analytics of a year against plain SQL, and against ten thousand sales. PostgreSQL only.'
export const unit = 'sales'
export const defaultSize = 1_000_000

const few = 10_000
/** As many for few sales as for many: reports by affiliate have a row for each. */
const affiliates = 1_000
const year = 2025

const from = `timestamptz '${year}-01-01Z'`
const to = `timestamptz '${year + 1}-01-01Z'`
const inYear = (column: string) => `program_id = $1::uuid and ${column} >= ${from} and ${column} < ${to}`

/** The same figures, computed from the rows. */
const plainSql = {
  totals: `
    select (select count(*) from referrals where ${inYear('created_at')}), (select count(*) from referrals where ${inYear('became_lead_at')}),
      (select count(*) from referrals where ${inYear('became_conversion_at')}), s.*, r.*, c.*
    from (select count(*), sum(amount_cents) from sales where ${inYear('occurred_at')} and currency = 'usd') s,
      (select count(*), sum(refunds.amount_cents) from refunds where ${inYear('created_at')}) r,
      (select sum(amount_cents) filter (where voided_at is null and occurred_at >= ${from} and occurred_at < ${to}),
        sum(amount_cents) filter (where voided_at is null and paid_at is null and held_reason is null and due_at >= ${from} and due_at < ${to}),
        sum(amount_cents) filter (where paid_at >= ${from} and paid_at < ${to}), sum(amount_cents) filter (where voided_at >= ${from} and voided_at < ${to})
        from commissions where program_id = $1::uuid and currency = 'usd') c`,
  series: `
    select date_trunc('day', occurred_at at time zone 'Europe/Berlin') as day, sum(amount_cents) from sales
    where ${inYear('occurred_at')} and currency = 'usd' group by 1 order by 1`,
  top: `
    select a.email, ranked.sum from (
      select affiliate_id, sum(amount_cents) from commissions
      where ${inYear('occurred_at')} and voided_at is null and currency = 'usd' group by 1 order by 2 desc limit 10
    ) ranked join affiliates a on a.program_id = $1::uuid and a.id = ranked.affiliate_id order by 2 desc`,
}

const range = `range: { from: "${year}-01-01T00:00:00Z", to: "${year + 1}-01-01T00:00:00Z" }`
/** Cuts days and months. */
const cut = `range: { from: "${year}-02-11T07:08:09Z", to: "${year}-11-21T17:18:19Z" }`
const affiliate = 'where: { affiliateId: { equals: "0000000a-0000-7000-a000-000000000005" } }'
const campaign = 'where: { campaignId: { equals: "0000000c-0000-7000-a000-000000000001" } }'
const money = '{ amountCents }'
const cohorts = `cohorts { month customers periods { activeCustomers salesAmount ${money} } }`
const totals = `totals { visitors leads conversions conversionRate sales salesAmount ${money} refunds refundAmount ${money}
  commissionAccrued ${money} commissionDue ${money} commissionPaid ${money} commissionVoid ${money} averageSale ${money} earningsPerClick ${money} }`
const top = `top(by: COMMISSION_ACCRUED, dimension: AFFILIATE) { label money ${money} }`
const topByRate = 'top(by: CONVERSION_RATE, dimension: AFFILIATE) { label value }'
const steps = '{ label visitors leads conversions sales }'
const series = `timeSeries(metric: SALES_AMOUNT) { points { label money ${money} } }`
const seriesBy = (interval: string, dimension: string) =>
  `timeSeries(metric: SALES_AMOUNT, interval: ${interval}, groupBy: ${dimension}) { groups { label points { label money ${money} } } }`
/** A report without plain SQL beside it is compared with the few sales only. */
const queries = {
  totals: `{ analytics(${range}) { ${totals} } }`,
  'totals, cut': `{ analytics(${cut}) { ${totals} } }`,
  'totals of an affiliate, cut': `{ analytics(${cut}, ${affiliate}) { ${totals} } }`,
  series: `{ analytics(${range}, timeZone: "Europe/Berlin") { ${series} } }`,
  'series of an affiliate': `{ analytics(${range}, timeZone: "Europe/Berlin", ${affiliate}) { ${series} } }`,
  'series by campaign and month': `{ analytics(${range}, timeZone: "Europe/Berlin") { ${seriesBy('MONTH', 'CAMPAIGN')} } }`,
  'series by affiliate and month': `{ analytics(${range}, timeZone: "Europe/Berlin") { ${seriesBy('MONTH', 'AFFILIATE')} } }`,
  'series by affiliate and day': `{ analytics(${range}, timeZone: "Europe/Berlin") { ${seriesBy('DAY', 'AFFILIATE')} } }`,
  'series by link and day': `{ analytics(${range}, timeZone: "Europe/Berlin") { ${seriesBy('DAY', 'LINK')} } }`,
  top: `{ analytics(${range}) { ${top} } }`,
  'top, cut': `{ analytics(${cut}) { ${top} } }`,
  'top by rate': `{ analytics(${range}) { ${topByRate} } }`,
  'top by rate, cut': `{ analytics(${cut}) { ${topByRate} } }`,
  'top links': `{ analytics(${range}) { top(by: CONVERSIONS, dimension: LINK) { label value } } }`,
  'funnel by affiliate': `{ analytics(${range}) { funnel(by: AFFILIATE) ${steps} } }`,
  'funnel of an affiliate': `{ analytics(${range}, ${affiliate}) { funnel ${steps} } }`,
  'funnel of an affiliate, cut': `{ analytics(${cut}, ${affiliate}) { funnel ${steps} } }`,
  liability: `{ analytics(${range}) { liability { currency due ${money} weeks { week amount ${money} } } } }`,
  cohorts: `{ analytics(${range}) { ${cohorts} } }`,
  'cohorts, cut': `{ analytics(${cut}) { ${cohorts} } }`,
  'cohorts of a campaign': `{ analytics(${range}, ${campaign}) { ${cohorts} } }`,
  'cohorts in Berlin': `{ analytics(${range}, timeZone: "Europe/Berlin") { ${cohorts} } }`,
  'cohorts in Los Angeles': `{ analytics(${range}, timeZone: "America/Los_Angeles") { ${cohorts} } }`,
  'cohorts in Los Angeles, 12 months': `{ analytics(range: { preset: LAST_12_MONTHS }, timeZone: "America/Los_Angeles") { ${cohorts} } }`,
}

export async function run(sales: number): Promise<void> {
  const { db, ping, databaseUrl, drop } = await createPostgresBenchDatabase()
  const app = createApp({
    database: { db, ping },
    adminToken: randomBytes(16).toString('hex'),
    publicUrl: () => '',
    log,
  })
  try {
    await withClient(databaseUrl, async (client) => {
      const ctx = operatorCtx(db)
      const createFilledProgram = async (count: number) => {
        const { id } = await createProgram(ctx, { name: 'Bench', url: 'https://acme.test', currency: 'usd' })
        const { secret } = await createApiKey(ctx, id, { name: 'Bench' })
        const sql = fill(id, count, affiliates, year)
        await logDuration(`inserted ${count} sales`, () => withClient(databaseUrl, (own) => own.query(sql)))
        return { id, send: graphqlClient(app, secret) }
      }
      const small = await createFilledProgram(few)
      const large = await createFilledProgram(sales)
      // As autovacuum does before long: without statistics, the first query of a time zone can take too long.
      await client.query('vacuum analyze')
      for (const { send } of [small, large])
        for (const name of ['cohorts in Berlin', 'cohorts in Los Angeles'] as const) await send(queries[name])
      await logDuration('built a time zone', () => buildCalendars(db))
      await client.query('vacuum analyze')

      const rows = []
      for (const [name, query] of Object.entries(queries)) {
        const smallMs = await measure(() => small.send(query))
        const largeMs = await measure(() => large.send(query))
        const plain = (plainSql as Record<string, string>)[name]
        const plainMs = plain ? await measure(() => client.query(plain, [large.id])) : Number.NaN
        rows.push({
          query: name,
          [`${few} sales, ms`]: round(smallMs),
          [`${sales} sales, ms`]: round(largeMs),
          'plain SQL, ms': round(plainMs),
          'times faster than plain SQL': round(plainMs / largeMs),
          'times slower than with few': round(largeMs / smallMs),
        })
      }
      console.table(rows)
    })
  } finally {
    app.stop()
    await drop()
  }
}

async function logDuration(what: string, work: () => Promise<unknown>): Promise<void> {
  const startedAt = performance.now()
  await work()
  console.log(`${what} in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
}

/** The first run warms up and is not counted. */
async function measure(query: () => Promise<unknown>): Promise<number> {
  await query()
  return await medianMs(9, query)
}

function round(value: number): number {
  return Number(value.toPrecision(3))
}
