import { afterAll, beforeAll, expect, it } from 'vitest'
import { addDays } from '../../../src/kernel/dates.ts'
import { type Demo, makeDemoProgram } from '../../../src/modules/demo/service.ts'
import { findSelfReferral } from '../../../src/modules/referrals/self-referral.ts'
import { reconcileWith } from '../../../src/modules/statements/reconcile.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'
import { now } from './rows.ts'

let database: TestDatabase
let demo: Demo

beforeAll(async () => {
  database = await createTestDatabase()
  demo = (await makeDemoProgram(database.db, { now })) as Demo
})
afterAll(() => database.drop())

const countsBy = async (expression: string, table: string) => {
  const rows = await database.db.$queryRawUnsafe<{ key: string | null; count: number }[]>(
    `select (${expression})::text as key, count(*)::int as count from ${table} group by 1`,
  )
  return Object.fromEntries(rows.map(({ key, count }) => [key ?? 'none', count]))
}

const at = `'${now.toISOString()}'::timestamptz`

it('has three campaigns, one of them the default', async () => {
  const campaigns = await database.db.campaign.findMany({ orderBy: { id: 'asc' } })
  expect(campaigns.map(({ name, isDefault, rewardType }) => [name, isDefault, rewardType])).toEqual([
    ['Partners', true, 'percent'],
    ['Creators', false, 'percent'],
    ['Enterprise', false, 'amount'],
  ])
  expect(await countsBy('programs.id', 'programs')).toEqual({ [demo.program.id]: 1 })
})

it('has affiliates in every state, links, and coupons for about half of them', async () => {
  const states = await countsBy('state', 'affiliates')
  expect(states.active).toBeGreaterThan(150)
  expect(states.disabled).toBeGreaterThan(3)
  expect(states.suspicious).toBeGreaterThan(3)
  expect(await database.db.affiliate.count()).toBe(200)
  expect(await database.db.affiliateLink.count()).toBeGreaterThan(230)
  const coupons = await database.db.affiliateCoupon.count()
  expect(coupons).toBeGreaterThan(80)
  expect(coupons).toBeLessThan(120)
})

it('has referrals in every state, some of them expired', async () => {
  const states = await countsBy(
    "case when became_conversion_at is not null then 'conversion' when became_lead_at is not null then 'lead' else 'visitor' end",
    'referrals',
  )
  expect(states.visitor).toBeGreaterThan(1000)
  expect(states.lead).toBeGreaterThan(250)
  expect(states.conversion).toBeGreaterThan(400)
  const expired = await countsBy(`became_conversion_at is null and expires_at <= ${at}`, 'referrals')
  expect(expired.true).toBeGreaterThan(500)
})

it('has thousands of sales in two currencies, some without a commission, for every reason', async () => {
  expect(Object.keys(await countsBy('currency', 'sales')).sort()).toEqual(['eur', 'usd'])
  expect(await database.db.sale.count()).toBeGreaterThan(2500)
  const reasons = await countsBy('no_commission_reason', 'sales')
  expect(Object.keys(reasons).sort()).toEqual([
    'amount_rounds_to_zero',
    'commission_period_over',
    'max_commissions_reached',
    'none',
  ])
  expect(Object.keys(await countsBy('attributed_by', 'sales')).sort()).toEqual(['coupon', 'email', 'referral_id'])
})

it('has commissions in every state, open payouts, and paid payouts in every month', async () => {
  const states = await countsBy(
    `case when voided_at is not null then 'void' when paid_at is not null then 'paid' when due_at <= ${at} then 'due' else 'pending' end`,
    'commissions',
  )
  for (const state of ['pending', 'due', 'paid', 'void']) expect(states[state], state).toBeGreaterThan(50)
  const payouts = await countsBy("to_char(paid_at, 'YYYY-MM')", 'payouts')
  expect(payouts.none).toBeGreaterThan(50)
  expect(Object.keys(payouts).length).toBeGreaterThanOrEqual(12)
  expect((await countsBy('paid_at is not null and paid_at >= updated_at', 'payouts')).true).toBeGreaterThan(200)
})

it('has a payment of each paid payout, so its months can be closed', async () => {
  const { sql } = database.db.ofProgram(demo.program.id)
  const span = { month: '2024-01', fromAt: new Date(0), untilAt: now }
  const { currencies, differences } = await reconcileWith(sql, demo.program.id, span)
  expect(differences).toEqual([])
  expect(currencies.map(({ currency }) => currency)).toEqual(['eur', 'usd'])
  for (const { ledgerPaidCents, servicePaidCents } of currencies) {
    expect(servicePaidCents).toBeGreaterThan(100_000n)
    expect(ledgerPaidCents).toBe(servicePaidCents)
  }
})

it('has one of everything that can wait for a person', async () => {
  const { db } = database
  expect(await db.application.count({ where: { state: 'applied', confirmedAt: { not: null } } })).toBe(1)
  expect(await db.unattributedSale.count({ where: { needsAttention: true, dismissedAt: null } })).toBe(1)
  const since = addDays(now, -30)
  const cameBack = { updatedAt: { gte: since }, state: 'failed' as const }
  const items = await db.payoutRunItem.findMany({ where: cameBack, include: { run: true } })
  expect(items).toMatchObject([{ state: 'failed', reason: expect.stringContaining('closed'), run: { state: 'paid' } }])
  const held = { heldReason: { not: null }, dueAt: { gt: now } }
  const [commission, ...others] = await db.commission.findMany({
    where: held,
    include: { affiliate: true, sale: { include: { customer: true } } },
  })
  expect(others).toEqual([])
  const email = commission?.sale?.customer?.email ?? ''
  expect(findSelfReferral(commission?.affiliate as never, email)).toBe(commission?.heldReason)
  expect(commission?.sale?.decision).toMatchObject({ selfReferral: commission?.heldReason })
})

it('has more sales in later months, and more referrals on weekdays', async () => {
  const months = await countsBy("to_char(created_at, 'YYYY-MM')", 'sales')
  expect(months['2026-02']).toBeGreaterThan(2 * (months['2024-04'] ?? 0))
  // 25 months, and enough in each that a comparison with the year before shows something.
  expect(Object.keys(months)).toHaveLength(26)
  // The first month has only a part.
  const [, ...whole] = Object.entries(months).sort()
  for (const [month, sales] of whole) expect(sales, month).toBeGreaterThan(10)
  const days = await countsBy('extract(isodow from created_at) >= 6', 'referrals')
  expect((days.false ?? 0) / 5).toBeGreaterThan(1.3 * ((days.true ?? 0) / 2))
})

it('has no time in the future', async () => {
  const columns = await database.db.$queryRaw<{ table_name: string; column_name: string }[]>`
    select table_name::text, column_name::text from information_schema.columns
    where table_schema = 'public' and data_type = 'timestamp with time zone'
      and column_name not in ('expires_at', 'due_at') and table_name not like '\\_%'
      and table_name not like 'analytics%'`
  expect(columns.length).toBeGreaterThan(15)
  for (const { table_name: table, column_name: column } of columns) {
    expect(
      await database.db.$queryRawUnsafe(`select 1 from ${table} where ${column} > ${at} limit 1`),
      `${table}.${column}`,
    ).toEqual([])
  }
})
