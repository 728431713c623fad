// What analytics cost for a program with a million sales in a year, against plain SQL over the rows in the same run, and
// against a program with ten thousand: through the service, as a client asks. `npm run bench:analytics -- SALES` takes
// another number. On PostgreSQL alone, with BENCH_DATABASE_URL or TEST_DATABASE_URL.
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import pg from 'pg'
import { pino } from 'pino'
import { openDatabase } from '../src/database/open.ts'
import { createApiKey } from '../src/modules/access/api-keys/service.ts'
import { createProgram } from '../src/modules/programs/service.ts'
import { createApp } from '../src/server/app.ts'
import { fill } from './fill.ts'

const sales = Number(process.argv[2] ?? 1_000_000)
const few = 10_000
const year = 2025
const log = pino({ level: 'silent' })
const serverUrl = process.env.BENCH_DATABASE_URL ?? process.env.TEST_DATABASE_URL
if (!serverUrl) throw new Error('Set BENCH_DATABASE_URL or TEST_DATABASE_URL to a PostgreSQL server.')
const name = `tributary_bench_${randomBytes(4).toString('hex')}`

async function onServer(sql: string, database = ''): Promise<pg.QueryResult> {
  const url = database ? Object.assign(new URL(serverUrl as string), { pathname: `/${database}` }).href : serverUrl
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return await client.query(sql).finally(() => client.end())
}

const from = `timestamptz '${year}-01-01Z'`
const to = `timestamptz '${year + 1}-01-01Z'`
const inYear = (column: string) => `program_id = $1::uuid and ${column} >= ${from} and ${column} < ${to}`

/** The same questions, asked of the rows. */
const plain = {
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
const money = '{ amountCents }'
const questions: Record<keyof typeof plain, string> = {
  totals: `{ analytics(${range}) { totals { visitors leads conversions conversionRate sales salesAmount ${money} refunds refundAmount ${money}
    commissionAccrued ${money} commissionDue ${money} commissionPaid ${money} commissionVoid ${money} averageSale ${money} earningsPerClick ${money} } } }`,
  series: `{ analytics(${range}, timeZone: "Europe/Berlin") { timeSeries(metric: SALES_AMOUNT) { points { label money ${money} } } } }`,
  top: `{ analytics(${range}) { top(by: COMMISSION_ACCRUED, dimension: AFFILIATE) { label money ${money} } } }`,
}

await onServer(`create database ${name}`)
const databaseUrl = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href
const { db, ping, close } = await openDatabase({ dataDir: tmpdir(), databaseUrl, log })
const app = createApp({ database: { db, ping }, adminToken: randomBytes(16).toString('hex'), publicUrl: () => '', log })
try {
  const ctx = { db, now: () => new Date(), log, requestId: 'bench', actor: { kind: 'operator' } as const }
  const programs = []
  for (const count of [few, sales]) {
    const program = await createProgram(ctx, { name: 'Bench', url: 'https://acme.test', currency: 'usd' })
    const { secret } = await createApiKey(ctx, program.id, { name: 'Bench' })
    const startedAt = performance.now()
    await onServer(fill(program.id, count, Math.max(100, count / 1_000), year), name)
    console.log(`made ${count} sales in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
    programs.push({ id: program.id, secret })
  }
  const startedAt = performance.now()
  await onServer('select analytics_rebuild()', name)
  console.log(`made the rollups in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
  await onServer('vacuum analyze', name)

  const [small, large] = programs as [(typeof programs)[number], (typeof programs)[number]]
  const client = new pg.Client({ connectionString: databaseUrl, options: '-c TimeZone=UTC' })
  await client.connect()
  const rows = []
  for (const what of Object.keys(plain) as (keyof typeof plain)[]) {
    const ask = ({ secret }: { secret: string }) => measure(() => answer(secret, questions[what]))
    const ofFew = await ask(small)
    const ofMany = await ask(large)
    const bySql = await measure(() => client.query(plain[what], [large.id]))
    rows.push({
      question: what,
      [`${few} sales, ms`]: round(ofFew),
      [`${sales} sales, ms`]: round(ofMany),
      'plain SQL, ms': round(bySql),
      'times faster than plain SQL': round(bySql / ofMany),
      'times slower than with few': round(ofMany / ofFew),
    })
  }
  await client.end()
  console.table(rows)
} finally {
  app.stop()
  await close()
  await onServer(`drop database if exists ${name} with (force)`)
}

async function answer(secret: string, query: string): Promise<void> {
  const response = await app.fetch(
    new Request('http://localhost/graphql', {
      method: 'POST',
      headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query }),
    }),
  )
  const { errors } = (await response.json()) as { errors?: { message: string }[] }
  if (errors) throw new Error(errors[0]?.message)
}

/** The median of some runs, after one that warms up, in milliseconds. */
async function measure(run: () => Promise<unknown>): Promise<number> {
  await run()
  const times: number[] = []
  for (let n = 0; n < 9; n += 1) {
    const startedAt = performance.now()
    await run()
    times.push(performance.now() - startedAt)
  }
  return times.sort((a, b) => a - b)[4] as number
}

function round(value: number): number {
  return Number(value.toPrecision(3))
}
