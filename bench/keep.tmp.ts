// What analytics cost for a program with a million sales in a year, against plain SQL over the rows in the same run, and
// against a program with ten thousand: through the service, as a client asks. `npm run bench:analytics -- SALES` takes
// another number. On PostgreSQL alone, with BENCH_DATABASE_URL or TEST_DATABASE_URL.
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import pg from 'pg'
import { pino } from 'pino'
import { createApiKey } from '../src/api-keys/service.ts'
import { openDatabase } from '../src/database/open.ts'
import { createProgram } from '../src/programs/service.ts'
import { createApp } from '../src/server/app.ts'

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

/** Affiliates of five campaigns, each with a link; referrals, some without a sale; a commission of each sale, half paid. */
const fill = (programId: string, count: number, affiliates: number) => `
  set session_replication_role = replica;
  create temp table seed as select '${programId}'::uuid as p, ${count} as sales, ${affiliates} as affiliates;
  create function pg_temp.id(kind text, n bigint) returns uuid language sql immutable as
    $$ select ('0000000' || kind || '-0000-7000-a000-' || lpad(to_hex(n), 12, '0'))::uuid $$;
  create function pg_temp.at(n bigint) returns timestamptz language sql immutable as
    $$ select timestamptz '${year}-01-01Z' + (n::float8 / ${count}) * interval '365 days' $$;
  insert into campaigns (program_id, id, name, url, private, is_default, reward_type, commission_basis_points, commission_currency,
      minimum_payout_cents, days_before_referrals_expire, days_before_commissions_are_due, created_at, updated_at)
    select p, pg_temp.id('c', n), 'Campaign ' || n, 'https://acme.test', false, false, 'percent', 2000, 'usd', 0, 60, 30,
      pg_temp.at(0), pg_temp.at(0) from seed, generate_series(0, 4) n;
  insert into affiliates (program_id, id, campaign_id, email, email_key, state, created_at, updated_at)
    select p, pg_temp.id('a', n), pg_temp.id('c', n % 5), n || '@example.com', n || '@example.com', 'active',
      pg_temp.at(0), pg_temp.at(0) from seed, generate_series(0, affiliates - 1) n;
  insert into affiliate_links (program_id, id, affiliate_id, token, token_key, created_at, updated_at)
    select p, pg_temp.id('1', n), pg_temp.id('a', n), 't' || n, 't' || n, pg_temp.at(0), pg_temp.at(0)
    from seed, generate_series(0, affiliates - 1) n;
  create temp table made as
    select p, n, pg_temp.at(n) as at, pg_temp.id('a', a) as affiliate, pg_temp.id('c', a % 5) as campaign,
      pg_temp.id('1', a) as link, pg_temp.id('2', n) as referral, pg_temp.id('4', n) as sale, 1000 + n % 9000 as cents
    from seed, generate_series(0, sales - 1) n, lateral (select (affiliates * power(random(), 2))::int % affiliates as a where n is not null) picked;
  insert into referrals (program_id, id, affiliate_id, campaign_id, link_id, became_lead_at, became_conversion_at, expires_at, created_at, updated_at)
    select p, referral, affiliate, campaign, link, at, at, at + interval '60 days', at - interval '1 hour', at from made
    union all
    select p, pg_temp.id('3', n), affiliate, campaign, link, null, null, at + interval '60 days', at, at from made;
  insert into sales (program_id, id, external_id, referral_id, affiliate_id, campaign_id, amount_cents, currency, attributed_by, occurred_at, created_at, updated_at)
    select p, sale, n::text, referral, affiliate, campaign, cents, 'usd', 'referral_id', at, at, at from made;
  insert into commissions (program_id, id, sale_id, referral_id, affiliate_id, campaign_id, currency, amount_cents, rule_reward_type,
      rule_basis_points, rule_days_before_due, occurred_at, due_at, paid_at, voided_at, created_at, updated_at)
    select p, pg_temp.id('5', n), sale, referral, affiliate, campaign, 'usd', cents / 5, 'percent', 2000, 30, at,
      at + interval '30 days', case when n % 2 = 0 then at + interval '40 days' end, case when n % 20 = 1 then at + interval '1 day' end, at, at
    from made;
  drop table seed, made;
  set session_replication_role = origin`

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
    await onServer(fill(program.id, count, Math.max(100, count / 1_000)), name)
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
  {
    const t = performance.now()
    await answer(
      large.secret,
      '{ simulateCampaign(input: { rules: { commissionPercent: 10, maxCommissions: 3 }, range: { from: "2025-01-01T00:00:00Z", to: "2026-01-01T00:00:00Z" } }) { sales currencies { simulated { amount { formatted } } affiliates { difference { formatted } } } } }',
    )
    console.log('simulate', performance.now() - t)
    const t2 = performance.now()
    await answer(
      large.secret,
      `{ analytics(${range}) { cohorts { customers } liability { owed { formatted } weeks { week } } } }`,
    )
    console.log('cohorts+liability', performance.now() - t2)
  }
  await client.end()
  console.table(rows)
} finally {
  app.stop()
  await close()
  console.log(name)
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
