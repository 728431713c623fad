import type { EventEmitter } from 'node:events'
import { stringify } from 'csv-stringify/sync'
import type pg from 'pg'
import { createApiKey } from '../src/modules/access/api-keys/service.ts'
import { createAffiliate } from '../src/modules/affiliates/create.ts'
import { createProgram } from '../src/modules/programs/service.ts'
import { type BenchDatabase, createPostgresBenchDatabase, operatorCtx, withClient } from './database.ts'
import { residentMbOf } from './resident-memory.ts'
import { type Server, servers } from './servers.ts'

export const summary =
  'Rows per second and memory of an export against a plain SELECT by cursor and against COPY. PostgreSQL only.'
export const unit = 'sales'
export const defaultSize = 1_000_000

type Target = Pick<BenchDatabase, 'db'> & { databaseUrl: string }

/** The server is a process of its own, so that its memory can be measured. */
export async function run(many: number): Promise<void> {
  const few = Math.ceil(many / 100)
  const { db, databaseUrl, drop } = await createPostgresBenchDatabase()
  let server: Server | undefined
  try {
    const small = await createFilledProgram({ db, databaseUrl }, 'Small', few)
    const large = await createFilledProgram({ db, databaseUrl }, 'Large', many)
    await withClient(databaseUrl, (client) => client.query('vacuum analyze'))
    server = await servers.Tributary(databaseUrl)
    for (let warmUp = 0; warmUp < 5; warmUp += 1) await download(server, small.secret, 'text/csv')
    const first = show(`${few} sales, CSV`, await download(server, small.secret, 'text/csv'))
    const csv = show(`${many} sales, CSV`, await download(server, large.secret, 'text/csv'))
    const ndjson = show(`${many} sales, NDJSON`, await download(server, large.secret, 'application/x-ndjson'))
    const plain = show(`${many} sales, plain SELECT by cursor, CSV`, await selectByCursor(databaseUrl, large.id))
    const ratio = (a: number, b: number) => (a / b).toFixed(2)
    console.log(
      `peak memory, ${many} against ${few}: CSV ${ratio(csv.peakMb, first.peakMb)}, NDJSON ${ratio(ndjson.peakMb, first.peakMb)}`,
    )
    const copy = show(`${many} sales, COPY TO STDOUT, CSV`, await copyOut(databaseUrl, large.id))
    console.log(`time against the plain SELECT: CSV ${ratio(csv.ms, plain.ms)}, NDJSON ${ratio(ndjson.ms, plain.ms)}`)
    console.log(
      `rows a second against COPY (goal 0.5): CSV ${ratio(copy.ms, csv.ms)}, NDJSON ${ratio(copy.ms, ndjson.ms)}`,
    )
    if (csv.rows !== many || ndjson.rows !== many) throw new Error('An export is incomplete.')
  } finally {
    await server?.stop()
    await drop()
  }
}

/** A program with one affiliate. Each tenth sale has a new customer; each sale has a commission. */
async function createFilledProgram({ db, databaseUrl }: Target, programName: string, sales: number) {
  const ctx = operatorCtx(db)
  const program = await createProgram(ctx, { name: programName, url: 'https://acme.test', currency: 'usd' })
  const { secret } = await createApiKey(ctx, program.id, { name: 'Bench' })
  const affiliate = await createAffiliate({ ...ctx, program }, { email: 'ada@example.com' })
  const values = [program.id, affiliate.id, affiliate.campaignId, sales]
  const numbered = (prefix: string, number: string) =>
    `('${prefix}-0000-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`
  await withClient(databaseUrl, async (client) => {
    // Without triggers and foreign keys, which only cost time for rows that are right.
    await client.query('set session_replication_role = replica')
    await client.query(
      `insert into customers (program_id, id, email, email_key, name, created_at, updated_at)
       select $1::uuid, ${numbered('01990001', 'n')}, 'c' || n || '@example.com', 'c' || n || '@example.com', 'Customer ' || n, now(), now()
       from generate_series(0, $2::int / 10) n`,
      [program.id, sales],
    )
    await client.query(
      `insert into referrals (program_id, id, affiliate_id, campaign_id, customer_id, became_lead_at, became_conversion_at, expires_at, created_at, updated_at)
       select $1::uuid, ${numbered('01990002', 'n')}, $2::uuid, $3::uuid, ${numbered('01990001', 'n')}, now(), now(), now(), now(), now()
       from generate_series(0, $4::int / 10) n`,
      values,
    )
    await client.query(
      `insert into sales (program_id, id, external_id, referral_id, affiliate_id, campaign_id, customer_id, customer_name,
         amount_cents, currency, attributed_by, refunded_cents, decision, occurred_at, created_at, updated_at)
       select $1::uuid, ${numbered('01990003', 'n')}, 'inv_' || n, ${numbered('01990002', 'n / 10')}, $2::uuid, $3::uuid,
         ${numbered('01990001', 'n / 10')}, 'Customer ' || n / 10, 1000 + n % 9000, 'usd', 'coupon', 0,
         '{"signals": [{"signal": "coupon", "outcome": "matched"}], "limits": null}', now() - n * interval '1 minute', now(), now()
       from generate_series(1, $4::int) n`,
      values,
    )
    await client.query(
      `insert into commissions (program_id, id, sale_id, referral_id, affiliate_id, campaign_id, currency, amount_cents,
         rule_reward_type, rule_basis_points, rule_days_before_due, occurred_at, due_at, created_at, updated_at)
       select $1::uuid, ${numbered('01990004', 'n')}, ${numbered('01990003', 'n')}, ${numbered('01990002', 'n / 10')}, $2::uuid, $3::uuid,
         'usd', 200 + n % 1800, 'percent', 2000, 30, now(), now() + interval '30 days', now(), now()
       from generate_series(1, $4::int) n`,
      values,
    )
  })
  return { id: program.id, secret }
}

type Cost = { rows: number; ms: number; peakMb: number }

/** Reads a whole export, and samples the server's memory meanwhile. */
async function download(from: { address: string; pid: number }, secret: string, accept: string): Promise<Cost> {
  let peakMb = 0
  const sample = async () => {
    peakMb = Math.max(peakMb, await residentMbOf(from.pid))
  }
  await sample()
  const sampling = setInterval(sample, 100)
  const startedAt = performance.now()
  const headers = { Authorization: `Bearer ${secret}`, Accept: accept }
  const response = await fetch(`${from.address}/v1/exports/sales`, { headers })
  let rows = accept === 'text/csv' ? -1 : 0
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) rows += 1
  }
  const ms = performance.now() - startedAt
  clearInterval(sampling)
  await sample()
  return { rows, ms, peakMb }
}

const soldIn = (programId: string) => `
  select s.id, s.created_at, s.updated_at, s.occurred_at, s.external_id, s.amount_cents, s.currency, s.refunded_cents,
    s.affiliate_id, s.campaign_id, s.referral_id, c.email, s.customer_name, s.attributed_by, s.no_commission_reason,
    earned.amount_cents as commission_amount_cents, earned.currency as commission_currency
  from sales s left join customers c on c.program_id = s.program_id and c.id = s.customer_id
    left join lateral (
    select sum(amount_cents) as amount_cents, min(currency) as currency from commissions
    where program_id = s.program_id and sale_id = s.id and voided_at is null
    ) earned on true
  where s.program_id = '${programId}' order by s.id`

/** The same columns in the simplest way: a cursor in one transaction that stays open. */
async function selectByCursor(databaseUrl: string, programId: string): Promise<Cost> {
  return withClient(databaseUrl, async (client) => {
    const startedAt = performance.now()
    await client.query('begin')
    await client.query(`declare sold no scroll cursor for ${soldIn(programId)}`)
    let rows = 0
    for (;;) {
      const batch = await client.query({ text: 'fetch 1000 from sold', rowMode: 'array' })
      if (batch.rows.length === 0) break
      stringify(batch.rows, { cast: { date: (value) => value.toISOString() } })
      rows += batch.rows.length
    }
    await client.query('commit')
    return { rows, ms: performance.now() - startedAt, peakMb: process.memoryUsage().rss / 1024 / 1024 }
  })
}

/** The fastest way out of PostgreSQL: its own CSV, which only passes through this process. */
async function copyOut(databaseUrl: string, programId: string): Promise<Cost> {
  return withClient(databaseUrl, async (client) => {
    let rows = 0
    // The types of pg do not declare the connection, which receives what COPY sends.
    const { connection } = client as pg.Client & { connection: EventEmitter }
    connection.on('copyData', () => {
      rows += 1
    })
    const startedAt = performance.now()
    await client.query(`copy (${soldIn(programId)}) to stdout with (format csv)`)
    return { rows, ms: performance.now() - startedAt, peakMb: process.memoryUsage().rss / 1024 / 1024 }
  })
}

function show(what: string, cost: Cost): Cost {
  const perSecond = Math.round(cost.rows / (cost.ms / 1000))
  console.log(
    `${what}: ${cost.rows} rows in ${(cost.ms / 1000).toFixed(1)} s, ${perSecond} a second, ${Math.round(cost.peakMb)} MB`,
  )
  return cost
}
