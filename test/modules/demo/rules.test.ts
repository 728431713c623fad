import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Commission } from '../../../src/generated/prisma/client.ts'
import type { ProgramCtx } from '../../../src/kernel/context.ts'
import { addDays } from '../../../src/kernel/dates.ts'
import { calculateCommission } from '../../../src/modules/commissions/calculate.ts'
import { type Demo, makeDemoProgram } from '../../../src/modules/demo/service.ts'
import { examine } from '../../../src/modules/doctor/service.ts'
import { collectDueCommissions } from '../../../src/modules/payouts/service.ts'
import { createTestDatabase, silentLog, type TestDatabase } from '../../support/database.ts'
import { digest, now, tables } from './rows.ts'

let database: TestDatabase
let demo: Demo

beforeAll(async () => {
  database = await createTestDatabase()
  demo = (await makeDemoProgram(database.db, { now })) as Demo
})
afterAll(() => database.drop())

/** Runs a query that selects the rows that violate a rule. */
const violations = (sql: string) => database.db.$queryRawUnsafe<unknown[]>(sql)

const at = `'${now.toISOString()}'::timestamptz`

it('the counters equal the numbers of referrals', async () => {
  for (const [table, column] of [
    ['affiliates', 'affiliate_id'],
    ['affiliate_links', 'link_id'],
  ]) {
    const wrong = await violations(`
      select o.id from ${table} o left join referrals r on r.program_id = o.program_id and r.${column} = o.id
      group by o.program_id, o.id
      having o.visitors <> count(r.id) or o.leads <> count(r.became_lead_at) or o.conversions <> count(r.became_conversion_at)`)
    expect(wrong, table).toEqual([])
  }
})

it("referrals expire after their campaign's days, and do not become leads or conversions later", async () => {
  expect(
    await violations(`
      select 1 from referrals r join campaigns c on c.id = r.campaign_id
      where r.expires_at <> r.created_at + c.days_before_referrals_expire * interval '24 hours'
        or r.became_lead_at >= r.expires_at or r.became_conversion_at >= r.expires_at
        or (r.became_conversion_at is not null and r.became_lead_at is null) or r.became_lead_at > r.became_conversion_at
        or r.became_lead_at < r.created_at or num_nonnulls(r.link_id, r.coupon_id) <> 1`),
  ).toEqual([])
  expect(
    await violations(`
      select 1 from referrals r left join (select referral_id, min(occurred_at) as first from sales group by 1) s on s.referral_id = r.id
      where r.became_conversion_at is distinct from s.first`),
  ).toEqual([])
})

it('the links, coupons, sales and commissions of a referral belong to its affiliate', async () => {
  expect(
    await violations(`
      select 1 from referrals r join affiliates a on a.id = r.affiliate_id
        left join affiliate_links l on l.id = r.link_id left join affiliate_coupons k on k.id = r.coupon_id
      where coalesce(l.affiliate_id, k.affiliate_id) <> r.affiliate_id or coalesce(l.created_at, k.created_at) > r.created_at
        or a.campaign_id <> r.campaign_id`),
  ).toEqual([])
  expect(
    await violations(`
      select 1 from sales s join referrals r on r.id = s.referral_id left join commissions c on c.sale_id = s.id
      where s.affiliate_id <> r.affiliate_id or s.campaign_id <> r.campaign_id or s.customer_id is distinct from r.customer_id
        or (c.affiliate_id, c.referral_id, c.campaign_id) is distinct from
          (case when c.id is not null then s.affiliate_id end, case when c.id is not null then s.referral_id end, case when c.id is not null then s.campaign_id end)
        or (c.id is null) <> (s.no_commission_reason is not null)`),
  ).toEqual([])
})

it('only active affiliates get referrals, sales and commissions', async () => {
  for (const moment of ['r.created_at', 'r.became_lead_at', 'r.became_conversion_at']) {
    expect(
      await violations(`select 1 from referrals r join affiliates a on a.id = r.affiliate_id
        where ${moment} < a.created_at or (a.state <> 'active' and ${moment} >= a.updated_at)`),
    ).toEqual([])
  }
  for (const table of ['sales', 'commissions']) {
    expect(
      await violations(`select 1 from ${table} t join affiliates a on a.id = t.affiliate_id
        where t.created_at < a.created_at or (a.state <> 'active' and t.created_at >= a.updated_at)`),
    ).toEqual([])
  }
})

it('each sale earned the commission of the rule, given the earlier commissions at its time', async () => {
  const sales = await database.db.sale.findMany({
    include: { campaign: true, commissions: true },
    orderBy: [{ createdAt: 'asc' }],
  })
  const earlier = new Map<string, Commission[]>()
  let amended = 0
  for (const { campaign, commissions, ...sale } of sales) {
    const [commission] = commissions
    const before = earlier.get(sale.referralId) ?? []
    const history = {
      commissions: before.filter(({ voidedAt }) => !voidedAt || voidedAt > sale.createdAt).length,
      firstOccurredAt: before[0]?.occurredAt ?? null,
    }
    const earned = calculateCommission(campaign, { ...sale, items: [] }, history)
    expect('reason' in earned ? earned.reason : null).toBe(sale.noCommissionReason)
    if ('reason' in earned || !commission) continue
    expect(commission).toMatchObject({
      currency: earned.currency,
      occurredAt: sale.occurredAt,
      createdAt: sale.createdAt,
      dueAt: addDays(sale.occurredAt, campaign.daysBeforeCommissionsAreDue),
      ruleRewardType: campaign.rewardType,
      ruleBasisPoints: campaign.commissionBasisPoints,
      ruleAmountCents: campaign.commissionAmountCents,
      ruleDaysBeforeDue: campaign.daysBeforeCommissionsAreDue,
      ruleMaxCommissions: campaign.maxCommissions,
      ruleMaxPeriodInMonths: campaign.maxCommissionPeriodInMonths,
    })
    if (commission.amountCents !== earned.amountCents) {
      amended += 1
      expect(commission.updatedAt.getTime()).toBeGreaterThan(commission.createdAt.getTime())
    }
    earlier.set(sale.referralId, [...before, commission])
  }
  expect(amended).toBeGreaterThan(10)
  expect(amended).toBeLessThan(sales.length / 30)
})

it('a payout is the sum of its commissions, which were due at its last change and are paid with it', async () => {
  expect(
    await violations(`
      select p.id from payouts p left join commissions c on c.program_id = p.program_id and c.payout_id = p.id
      where p.failed_at is null group by p.program_id, p.id
      having p.amount_cents is distinct from sum(c.amount_cents) or bool_or(c.paid_at is distinct from p.paid_at)
        or bool_or(c.due_at > p.updated_at) or bool_or(c.voided_at is not null) or bool_or(c.currency <> p.currency)
        or bool_or(c.affiliate_id <> p.affiliate_id)`),
  ).toEqual([])
  expect(await violations('select 1 from commissions where paid_at is not null and payout_id is null')).toEqual([])
  expect(await violations('select 1 from commissions where paid_at is not null and voided_at is not null')).toEqual([])
})

it('an affiliate has at most one open payout per currency, and paid payouts reach the minimum', async () => {
  expect(
    await violations(`
      select 1 from payouts p join payouts q on q.affiliate_id = p.affiliate_id and q.currency = p.currency and q.id <> p.id
      where q.created_at >= p.created_at and q.created_at < coalesce(p.paid_at, p.failed_at, 'infinity')`),
  ).toEqual([])
  expect(
    await violations(`
      select 1 from payouts p join affiliates a on a.id = p.affiliate_id join campaigns c on c.id = a.campaign_id
      where p.paid_at is not null and p.amount_cents < minimum_payout(c, p.currency)`),
  ).toEqual([])
})

it('due commissions are already in open payouts, so that reading payouts changes nothing', async () => {
  const before = await digest(database)
  const ctx = { db: database.db, now: () => now, log: silentLog, program: demo.program } as unknown as ProgramCtx
  await collectDueCommissions(ctx)
  expect(await digest(database)).toBe(before)
  expect(
    await violations(`select 1 from commissions where payout_id is null and voided_at is null and due_at <= ${at}`),
  ).toEqual([])
})

it("ids contain the time of the row's creation", async () => {
  for (const table of [...tables, 'api_keys']) {
    const moment = table === 'money_events' ? 'at' : table === 'payment_facts' ? 'recorded_at' : 'created_at'
    const wrong = await violations(
      `select 1 from ${table} where ('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint <> round(extract(epoch from ${moment}) * 1000) limit 1`,
    )
    expect(wrong, table).toEqual([])
  }
})

it('the doctor finds nothing', async () => {
  expect(await examine(database)).toEqual([])
})
