import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { foldDeltas } from '../../../src/modules/analytics/fold.ts'
import { makeDemoProgram } from '../../../src/modules/demo/service.ts'
import { createTestApp, type GraphQLClient, graphqlClient } from '../../support/app.ts'
import { createSeller, made, reportSale } from '../../support/factories.ts'

// Compares reports with SQL on the views for other tools, which read the single rows.

const app = await createTestApp()
const { db } = app.database
let query: GraphQLClient
let programId: string

async function shiftDueDates(sign: number): Promise<void> {
  await db.$executeRaw`
    update commissions set due_at = due_at - ${sign}::int * (row % 5) * interval '40 days'
    from (select id, row_number() over (order by id) as row from commissions) numbered
    where commissions.id = numbered.id and payout_id is null and paid_at is null and voided_at is null`
}

beforeAll(async () => {
  const demo = await makeDemoProgram(db, { now: app.clock.now, months: 10 })
  query = graphqlClient(app.app.fetch, { Authorization: `Bearer ${demo?.secret}` })
  programId = demo?.program.id ?? ''
  // The demo pays what is due, so something has to have been due for long.
  await shiftDueDates(1)
})
// Before the doctor examines the database.
afterAll(() => shiftDueDates(-1))

const report = async (fields: string, args: string): Promise<any> =>
  (await query(`{ analytics(${args}) { ${fields} } }`)).analytics

/** The rows of a query, in which $1 is the program and $2 the time of now. Numbers are exact enough to compare. */
async function sql(text: string): Promise<any[]> {
  const rows = await db.$queryRawUnsafe<Record<string, unknown>[]>(text, programId, app.clock.now.toISOString())
  const plain = (value: unknown) => (typeof value === 'bigint' ? Number(value) : value)
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])))
}

const cents = (money: { amountCents: number } | null) => money?.amountCents ?? null

describe.each(['not folded', 'folded'])('%s', (state) => {
  beforeAll(async () => {
    if (state === 'folded') await foldDeltas(db)
  })

  it('movers are those with the largest change from the month before, also those that fell to 0', async () => {
    for (const currency of ['usd', 'eur']) {
      const { movers } = await report(
        'movers(by: SALES_AMOUNT, dimension: AFFILIATE, interval: MONTH, limit: 100) { subjectId label affiliate { id } money { amountCents } comparisonMoney { amountCents } changeMoney { amountCents } changeRate }',
        `range: { preset: LAST_MONTH }, currency: "${currency}"`,
      )
      const rows = await sql(`
        select affiliate_id::text as id,
          coalesce(sum(amount_cents) filter (where occurred_at >= '2026-02-01Z'), 0)::bigint as now,
          coalesce(sum(amount_cents) filter (where occurred_at < '2026-02-01Z'), 0)::bigint as before
        from reports.sales
        where program_id = $1::uuid and $2 <> '' and currency = '${currency}' and occurred_at >= '2026-01-01Z' and occurred_at < '2026-03-01Z'
        group by 1`)
      const expected = rows
        .filter(({ now, before }) => now !== before)
        .sort((a, b) => Math.abs(b.now - b.before) - Math.abs(a.now - a.before) || (a.id < b.id ? -1 : 1))
        .slice(0, 100)
      expect(expected.length).toBeGreaterThan(3)
      expect(
        movers.map((mover: any) => [
          mover.subjectId,
          cents(mover.money),
          cents(mover.comparisonMoney),
          cents(mover.changeMoney),
        ]),
      ).toEqual(expected.map(({ id, now, before }) => [id, now, before, now - before]))
      expect(movers.some(({ money, changeRate }: any) => cents(money) === 0 && changeRate === -1)).toBe(true)
      expect(movers.every(({ subjectId, affiliate }: any) => affiliate.id === subjectId)).toBe(true)
    }
  })

  it('the time from visit to sale has the median and the quartiles, of all and by link', async () => {
    const fields = 'subjectId label conversions lowerQuartileSeconds medianSeconds upperQuartileSeconds'
    const { all, bySource } = await report(
      `all: timeToSale { ${fields} } bySource: timeToSale(by: SOURCE, limit: 100) { ${fields} }`,
      'range: { preset: LAST_90_DAYS }',
    )
    const rows = await sql(`
      select coalesce(link, 'all') as label, count(*) as conversions,
        percentile_cont(array[0.25, 0.5, 0.75]) within group (order by extract(epoch from became_conversion_at - created_at)::float8) as quartiles
      from reports.referrals
      where program_id = $1::uuid and source = 'link' and became_conversion_at >= date_trunc('day', $2::timestamptz, 'UTC') - interval '89 days'
      group by grouping sets ((), (link))`)
    const inOrder = (found: any[]) =>
      found
        .map((row) => [
          row.label,
          row.conversions,
          row.lowerQuartileSeconds,
          row.medianSeconds,
          row.upperQuartileSeconds,
        ])
        .sort((a, b) => (a[0] < b[0] ? -1 : 1))
    const expected = (wanted: any[]) =>
      wanted
        .map(({ label, conversions, quartiles }) => [label, conversions, ...quartiles])
        .sort((a, b) => (a[0] < b[0] ? -1 : 1))
    expect(inOrder(all)).toEqual(expected(rows.filter(({ label }) => label === 'all')))
    expect(all[0].medianSeconds).toBeGreaterThan(86_400)
    expect(inOrder(bySource)).toEqual(expected(rows.filter(({ label }) => label !== 'all')))
  })

  it('the lifetime value of customers is what they bought until now, by what brought their first sale', async () => {
    const { lifetimeValue, all } = await report(
      'lifetimeValue(by: AFFILIATE, limit: 100) { subjectId customers sales netAmount { amountCents } perCustomer { amountCents } } all: lifetimeValue { customers netAmount { amountCents } }',
      'range: { from: "2025-09-01T00:00:00Z", to: "2026-01-01T00:00:00Z" }',
    )
    const rows = await sql(`
      select first.affiliate_id::text as id, count(*) as customers, sum(life.sales)::bigint as sales, sum(life.net)::bigint as net
      from (select coalesce(customer_id, referral_id) as customer, min((occurred_at, sale_id)::text) as first, count(*) as sales,
          sum(net_cents) as net, (array_agg(sale_id order by occurred_at, sale_id))[1] as first_id
        from reports.sales where program_id = $1::uuid and currency = 'usd' and occurred_at <= $2::timestamptz group by 1) life
        join reports.sales first on first.program_id = $1::uuid and first.sale_id = life.first_id
      where first.occurred_at >= '2025-09-01Z' and first.occurred_at < '2026-01-01Z'
      group by 1 order by 4 desc, 1 limit 100`)
    expect(rows.length).toBeGreaterThan(3)
    expect(
      lifetimeValue.map((row: any) => [
        row.subjectId,
        row.customers,
        row.sales,
        cents(row.netAmount),
        cents(row.perCustomer),
      ]),
    ).toEqual(
      rows.map(({ id, customers, sales, net }) => [id, customers, sales, net, Math.floor(net / customers + 0.5)]),
    )
    const sum = (name: 'customers' | 'net') => rows.reduce((total, row) => total + row[name], 0)
    expect([all[0].customers, cents(all[0].netAmount)]).toEqual([sum('customers'), sum('net')])
  })

  it('aging is what is owed by how long it has been due, of all and of each affiliate', async () => {
    const names = ['owed', 'notDue', 'days0To30', 'days31To60', 'days61To90', 'over90']
    const amounts = names.map((name) => `${name} { amountCents }`).join(' ')
    for (const currency of ['usd', 'eur']) {
      const { aging } = await report(
        `aging(limit: 100) { ${amounts} affiliates { subjectId affiliate { id } ${amounts} } }`,
        `range: { preset: TODAY }, currency: "${currency}"`,
      )
      const rows = await sql(`
        select coalesce(affiliate_id::text, 'all') as id, sum(amount_cents)::bigint as owed,
          coalesce(sum(amount_cents) filter (where age < interval '0'), 0)::bigint as "notDue",
          coalesce(sum(amount_cents) filter (where age >= interval '0' and age < interval '30 days'), 0)::bigint as "days0To30",
          coalesce(sum(amount_cents) filter (where age >= interval '30 days' and age < interval '60 days'), 0)::bigint as "days31To60",
          coalesce(sum(amount_cents) filter (where age >= interval '60 days' and age < interval '90 days'), 0)::bigint as "days61To90",
          coalesce(sum(amount_cents) filter (where age >= interval '90 days'), 0)::bigint as over90
        from (select *, $2::timestamptz - due_at as age from reports.commissions
          where program_id = $1::uuid and currency = '${currency}' and paid_at is null and voided_at is null and held_reason is null) owed
        group by grouping sets ((), (affiliate_id))`)
      const valuesOf = (row: any, read = (value: any) => value) => names.map((name) => read(row[name]))
      const all = rows.find(({ id }) => id === 'all')
      expect(valuesOf(aging, cents)).toEqual(valuesOf(all))
      expect(all.over90).toBeGreaterThan(0)
      const owed = rows
        .filter(({ id, owed }) => id !== 'all' && owed !== 0)
        .sort((a, b) => b.owed - a.owed || (a.id < b.id ? -1 : 1))
        .slice(0, 100)
      expect(aging.affiliates.map((row: any) => [row.affiliate.id, ...valuesOf(row, cents)])).toEqual(
        owed.map((row) => [row.id, ...valuesOf(row)]),
      )
    }
  })
})

it('sales without an affiliate are counted by reason', async () => {
  const program = await app.createProgram()
  const { coupon } = await createSeller(program)
  await made(reportSale(program, { coupon }))
  for (const [sale, amount_cents] of [
    [{ coupon: 'GONE' }, 100],
    [{ coupon: 'GONE', email: 'a@example.com' }, 200],
    [{ email: 'b@example.com' }, 400],
    [{ coupon: 'GONE', currency: 'eur' }, 800],
  ] as const)
    await program.post('/conversions', { external_id: `inv_${amount_cents}`, amount_cents, ...sale })
  const read = async (args: string) =>
    (
      await program.graphql(
        `{ analytics(${args}) { unattributedReasons { reason sales toDecide salesAmount { amountCents } } } }`,
      )
    ).analytics.unattributedReasons
  expect(await read('range: { preset: TODAY }')).toEqual([
    { reason: 'coupon_not_found', sales: 2, toDecide: 2, salesAmount: { amountCents: 300 } },
    { reason: 'email_not_found', sales: 1, toDecide: 1, salesAmount: { amountCents: 400 } },
  ])
  expect(await read('range: { preset: YESTERDAY }')).toEqual([])
  const seen = await db.$queryRaw`
    select reason, count(*)::int as sales from reports.unattributed_sales
    where program_id = ${program.id}::uuid and currency = 'usd' group by 1 order by 2 desc`
  expect(seen).toEqual([
    { reason: 'coupon_not_found', sales: 2 },
    { reason: 'email_not_found', sales: 1 },
  ])
})

it('a ranking by a rate has it beside the value, and a ranking by a count has none', async () => {
  const { rates, counts } = await report(
    'rates: top(by: REFUND_RATE, dimension: AFFILIATE) { value rate } counts: top(by: SALES, dimension: AFFILIATE) { value rate }',
    'range: { preset: LAST_12_MONTHS }',
  )
  expect(rates.length).toBeGreaterThan(0)
  expect(rates.every(({ value, rate }: any) => value > 0 && rate === value)).toBe(true)
  expect(counts.every(({ value, rate }: any) => value > 0 && rate === null)).toBe(true)
})

it('what cannot be ranked is rejected', async () => {
  for (const [fields, message] of [
    ['movers(by: REFUND_RATE, dimension: AFFILIATE) { rank }', 'rate or an average'],
    ['movers(by: SALES, dimension: CURRENCY) { rank }', "can't be currency"],
    ['movers(by: SALES, dimension: AFFILIATE, limit: 101) { rank }', 'from 1 to 100'],
    ['timeToSale(by: COUPON) { label }', 'must be AFFILIATE, CAMPAIGN or SOURCE'],
    ['lifetimeValue(by: CURRENCY) { label }', 'must be AFFILIATE'],
    ['aging(limit: 0) { owed { amountCents } }', 'from 1 to 100'],
  ])
    await expect(report(fields as string, 'range: { preset: TODAY }')).rejects.toThrow(message)
})
