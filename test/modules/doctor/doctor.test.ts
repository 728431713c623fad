import { expect, it } from 'vitest'
import { foldDeltas } from '../../../src/modules/analytics/fold.ts'
import { invariants } from '../../../src/modules/doctor/invariants.ts'
import { examine } from '../../../src/modules/doctor/service.ts'
import { createTestApp, graphqlClient } from '../../support/app.ts'
import { createTestDatabase } from '../../support/database.ts'
import { createSeller, listed, recordVisit, reportSale } from '../../support/factories.ts'
import { createPage } from '../../support/tracking.ts'

const app = await createTestApp()
const program = await app.createProgram()
const { coupon, affiliate, link } = await createSeller(program, { days_before_commissions_are_due: 0 })
const other = await createSeller(program, { days_before_commissions_are_due: 0 })
const paid = (await reportSale(program, { coupon, email: 'grace@example.com' })).commission
const [payout] = await listed(program, '/payouts')
await program.post(`/payouts/${payout.id}/pay`)
const open = (await reportSale(program, { coupon })).commission
const voided = (await reportSale(program, { coupon })).commission
await program.delete(`/commissions/${voided.id}`)
const alone = (await reportSale(program, { coupon })).commission
await program.put(`/commissions/${alone.id}`, { paid_at: '2026-03-09' })
const takenBack = (await reportSale(program, { coupon })).commission
await program.put(`/commissions/${takenBack.id}`, { paid_at: '2026-03-09' })
await program.put(`/commissions/${takenBack.id}`, { paid_at: null })
const refunded = await reportSale(program, { coupon, external_id: 'inv_refunded' })
for (const [id, amount] of [
  ['re_1', 2_000],
  ['re_2', 3_000],
])
  await program.post('/conversions/refund', {
    ...{ external_id: 'inv_refunded', refund_external_id: id, amount_cents: amount },
  })
for (const id of ['re_1', 're_2']) await program.post('/conversions/refund/reverse', { external_id: id })
const ruled = await createSeller(program)
const deal = { campaignId: ruled.campaign.id, name: 'Deal', appliesTo: 'ALL_SALES', reward: { percent: 25 } }
await program.graphql(
  'mutation ($input: CreateCommissionRuleInput!) { createCommissionRule(input: $input) { __typename } }',
  { input: deal },
)
await program.graphql(
  'mutation ($input: CreateCommissionRuleInput!) { createCommissionRule(input: $input) { __typename } }',
  { input: { ...deal, name: 'Pro', conditions: { productIds: ['pro'] }, reward: { percent: 50 } } },
)
const itemised = await program.post('/conversions', {
  ...{ coupon: ruled.coupon, amount_cents: 10_000, items: [{ product_id: 'pro', amount_cents: 4_000 }] },
})
const lined = itemised.body.commission
const grouped = await createSeller(program)
const group = await program.graphql(
  `mutation ($input: CreateAffiliateGroupInput!) { createAffiliateGroup(input: $input) { affiliateGroup { id } } }`,
  { input: { name: 'Partners', affiliateIds: [grouped.affiliate.id] } },
)
const groupIds = [group.createAffiliateGroup.affiliateGroup.id]
await program.graphql(
  'mutation ($input: CreateCommissionRuleInput!) { createCommissionRule(input: $input) { __typename } }',
  { input: { ...deal, campaignId: grouped.campaign.id, conditions: { groupIds } } },
)
await reportSale(program, { coupon: grouped.coupon })
const byRule = (await reportSale(program, { coupon: ruled.coupon })).commission
const moved = (await reportSale(program, { coupon })).commission
await program.put(`/commissions/${moved.id}`, { due_at: '2026-05-01' })
const [{ id: voidedReferral } = { id: '' }] = await listed(program, '/referrals')
await recordVisit(program, link.token)
await createPage(app.app, program).visit(link.token)
await app.app.flush()
await listed(program, '/payouts')
const { db } = app.database
await foldDeltas(db)

/** Breaks a promise in a transaction that is rolled back, and says how many violations of an invariant are found. */
async function violationsAfter(name: string, statements: string[]): Promise<number> {
  let count = 0
  const undo = new Error('undo')
  const attempt = db.$transaction(async (tx) => {
    for (const statement of statements) await tx.$executeRawUnsafe(statement)
    count = (await examine(db.within(tx), { only: [name] })).length
    throw undo
  })
  await expect(attempt).rejects.toThrow(undo)
  return count
}

const commission = (id: string, change: string) => `update commissions set ${change} where id = '${id}'`

it.each([
  ['commission-is-sum-of-facts', [commission(open.id, 'amount_cents = 1')]],
  ['commission-is-by-its-rule', [commission(byRule.id, 'rule_basis_points = 1')]],
  [
    'sale-has-rules-of-its-time',
    [
      `update sales set decision = jsonb_set(decision, '{rule,applied,version}', '7') where campaign_id = '${ruled.campaign.id}'`,
    ],
  ],
  ['lines-are-the-sale', [commission(lined.id, `rule_lines = rule_lines - 1`)]],
  ['line-is-by-its-rule', [commission(lined.id, `rule_lines = jsonb_set(rule_lines, '{0,basisPoints}', '1')`)]],
  [
    'items-are-within-their-cap',
    [commission(lined.id, `rule_lines = jsonb_set(rule_lines, '{0,capLeftCents}', '"1"')`)],
  ],
  ['commission-names-its-rule', [commission(byRule.id, 'rule_id = null')]],
  [
    'commission-is-within-its-cap',
    [
      `update sales set decision = jsonb_set(decision, '{rule,cap}', '[{"per": "sale", "atMostCents": "1", "usedCents": "0"}]')
       where campaign_id = '${ruled.campaign.id}'`,
    ],
  ],
  ['measures-are-the-facts', ['delete from affiliate_measure_deltas', 'delete from affiliate_measures']],
  ['rule-of-group-has-member', ["update affiliate_group_memberships set until_at = '2020-01-01'"]],
  ['present-members-have-a-group', ['delete from affiliate_groups']],
  [
    'commission-is-earned-once',
    [
      `insert into money_events (program_id, id, commission_id, kind, delta_cents, currency, actor_kind, actor_id, request_id, reason, at)
       select program_id, gen_random_uuid(), commission_id, kind, 0, currency, actor_kind, actor_id, request_id, reason, at
       from money_events where commission_id = '${open.id}' and kind = 'earned'`,
    ],
  ],
  ['void-and-paid-are-facts', [commission(voided.id, 'voided_at = null')]],
  ['void-and-paid-are-facts', [commission(alone.id, 'paid_at = null')]],
  ['void-and-paid-are-facts', [commission(takenBack.id, "paid_at = '2026-03-09', payout_id = null")]],
  ['facts-keep-the-currency', [commission(open.id, "currency = 'eur'")]],
  ['paid-in-a-paid-payout', [commission(paid.id, "paid_at = paid_at + interval '1 second'")]],
  ['paid-in-a-paid-payout', [commission(paid.id, 'payout_id = null')]],
  ['paid-in-a-paid-payout', [commission(alone.id, `payout_id = '${payout.id}'`)]],
  ['affiliate-money-is-that-of-the-rollup', ['update affiliates set revenue_cents = revenue_cents + 1']],
  ['affiliate-money-is-that-of-the-rollup', ['update affiliates set due_cents = due_cents + 1']],
  [
    'payable-payouts-reach-their-minimum',
    ['alter table payouts disable trigger payable_written', 'update payouts set is_payable = not is_payable'],
  ],
  [
    'run-keeps-its-file',
    [
      "update payout_runs set file_name = 'payouts.csv' where id = (select id from payout_runs where file_name is null limit 1)",
    ],
  ],
  ['payout-of-one-affiliate-and-currency', [`update payouts set currency = 'eur' where id = '${payout.id}'`]],
  ['payout-is-sum-of-commissions', [`update payouts set amount_cents = amount_cents + 1 where id = '${payout.id}'`]],
  ['payout-history-adds-up', [`update payouts set amount_cents = amount_cents + 1 where id = '${payout.id}'`]],
  ['payout-is-not-empty', [open, takenBack, refunded.commission].map(({ id }) => commission(id, 'payout_id = null'))],
  ['paid-payout-is-paid-whole', [commission(paid.id, 'paid_at = null')]],
  ['void-is-in-no-payout', [commission(voided.id, `payout_id = '${payout.id}'`)]],
  ['held-is-in-no-payout', [commission(open.id, "held_reason = 'self_referral_email'")]],
  ['payment-is-a-fact-of-its-moment', [commission(paid.id, "paid_at = paid_at + interval '1 second'")]],
  ['payment-is-a-fact-of-its-moment', [commission(alone.id, "paid_at = paid_at + interval '1 second'")]],
  ['reference-means-paid', ["update payouts set reference = 'x' where paid_at is null"]],
  ['due-follows-from-the-sale', [commission(open.id, "due_at = due_at + interval '1 day'")]],
  ['due-follows-from-the-sale', [commission(moved.id, "due_at = due_at + interval '1 day'")]],
  ['commission-belongs-to-its-sale', [commission(open.id, `affiliate_id = '${other.affiliate.id}'`)]],
  ['sale-earns-or-says-why-not', [`update sales set no_commission_reason = 'max_commissions_reached'`]],
  ['refunds-are-of-the-sale', ['update sales set refunded_cents = 1']],
  [
    'refunds-are-of-the-sale',
    [
      `insert into refunds (program_id, id, sale_id, amount_cents, created_at)
    select program_id, gen_random_uuid(), sale_id, 1, created_at from refunds limit 1`,
    ],
  ],
  ['reversed-refunds-count-for-nothing', [commission(refunded.commission.id, 'amount_cents = 1')]],
  [
    'reversals-undo-their-refund',
    [
      `insert into money_events (program_id, id, commission_id, kind, delta_cents, currency, actor_kind, actor_id, request_id, reason, at)
       select program_id, gen_random_uuid(), commission_id, 'refund_reversed', 0, currency, actor_kind, actor_id, request_id, reason, at
       from money_events where commission_id = '${open.id}' and kind = 'earned'`,
    ],
  ],
  [
    'no-refund-waits-for-a-known-sale',
    [
      `insert into waiting_refunds (program_id, id, sale_external_id, created_at)
       select program_id, gen_random_uuid(), external_id, created_at from sales where external_id = 'inv_refunded'`,
    ],
  ],
  [
    'refunds-take-back-what-was-earned',
    [
      `update sales set refunded_cents = amount_cents where id = (select sale_id from commissions where id = '${open.id}')`,
    ],
  ],
  [
    'most-commissions-are-kept',
    [`update commissions set referral_id = '${voidedReferral}', rule_max_commissions = 1 where voided_at is null`],
  ],
  [
    'commission-period-is-kept',
    [
      `update commissions set referral_id = '${voidedReferral}', rule_max_period_in_months = 1`,
      commission(open.id, "occurred_at = occurred_at + interval '2 months'"),
    ],
  ],
  ['conversion-means-a-sale', ['update referrals set became_conversion_at = null']],
  ['one-default-campaign', ['update campaigns set is_default = false']],
  ['referral-came-through-its-affiliate', [`update affiliate_links set affiliate_id = '${other.affiliate.id}'`]],
  ['visit-is-of-its-referral', [`update visits set at = at + interval '1 second'`]],
  ['affiliate-visitors', [`update affiliates set visitors = visitors + 1 where id = '${affiliate.id}'`]],
  ['affiliate-leads', [`update affiliates set leads = leads + 1 where id = '${affiliate.id}'`]],
  ['affiliate-conversions', [`update affiliates set conversions = 0 where id = '${affiliate.id}'`]],
  ['link-visitors', ['update affiliate_links set visitors = 0']],
  ['link-leads', ['update affiliate_links set leads = 7']],
  ['link-conversions', ['update affiliate_links set conversions = 7']],
  ['analytics-by-campaign-are-the-facts', ["delete from analytics_by_campaign where kind = 'sale'"]],
  ['analytics-by-source-are-the-facts', ['update analytics_by_source set amount = amount + 1']],
  ['analytics-grains-agree', ["update analytics_by_campaign set count = count + 1 where grain = 'month'"]],
  ['analytics-grains-agree', ["delete from analytics_by_source where grain = 'month'"]],
  ['analytics-cohorts-are-the-sales', ["update analytics_cohorts set customers = customers + 1 where grain = 'day'"]],
  ['analytics-cohorts-are-the-sales', ["delete from analytics_cohorts where cohort_grain = 'month'"]],
] as [string, string[]][])('%s is noticed', async (name, statements) => {
  expect(await violationsAfter(name, statements)).toBeGreaterThan(0)
})

it.each([
  ['a negative payout', `update payouts set amount_cents = -1 where id = '${payout.id}'`],
  ['an advanced clock of a program that is no sandbox', 'update programs set clock_advanced_by_days = 1'],
])('%s can not even be written', async (_name, statement) => {
  await expect(violationsAfter('payout-history-adds-up', [statement])).rejects.toThrow()
})

it('there are at least 15 invariants with unique names, and all hold', async () => {
  expect(new Set(invariants.map(({ name }) => name)).size).toBe(invariants.length)
  expect(invariants.length).toBeGreaterThanOrEqual(15)
  expect(await examine(app.database)).toEqual([])
  const empty = await createTestDatabase()
  expect(await examine(empty)).toEqual([])
  await empty.drop()
})

it('an operator checks one invariant after another, by their names', async () => {
  const { doctor } = await app.operator('{ doctor(only: []) { invariants names } }')
  expect(doctor).toEqual({ invariants: 0, names: invariants.map(({ name }) => name) })
  const query = 'query ($only: [String!]) { doctor(only: $only) { invariants findings { rowId } } }'
  expect(await app.operator(query, { only: doctor.names.slice(0, 2) })).toEqual({
    doctor: { invariants: 2, findings: [] },
  })
  await expect(app.operator(query, { only: ['nonsense'] })).rejects.toThrow('only names no invariant: nonsense.')
})

it('is only for the operator', async () => {
  const query = '{ doctor { invariants findings { rowId } } }'
  expect(await app.operator(query)).toEqual({ doctor: { invariants: invariants.length, findings: [] } })
  await expect(program.graphql(query)).rejects.toThrow('Only an operator can do this')
  await expect(graphqlClient(app.app.fetch, {})(query)).rejects.toThrow('Invalid API key.')
})
