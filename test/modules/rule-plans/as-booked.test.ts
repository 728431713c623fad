import { expect, it } from 'vitest'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { createSeller, made, reportSale } from '../../support/factories.ts'

// The same sales are reported to two programs: one where the rules hold from the beginning, and one without rules. A
// plan of the rules, and a simulation beside them, have to give what the first program has booked.

const app = await createTestApp()

const tiers = (measure: string, period: string, appliesTo: string, from: number) => {
  const steps = [
    { from: 0, percent: 10 },
    { from, percent: 30 },
  ]
  return { reward: { tiers: { measure, period, appliesTo, steps } } }
}

type Life = { name: string; campaign?: object; rule?: object }

const lives: Life[] = [
  { name: 'no rule', campaign: { max_commissions: 3 } },
  { name: 'the first payment', rule: { conditions: { payment: 'FIRST' }, reward: { percent: 50 } } },
  { name: 'new customers', rule: { appliesTo: 'NEW_CUSTOMERS', reward: { percent: 40 } } },
  { name: 'a limit in number', rule: { reward: { percent: 50 }, maxCommissions: 2 } },
  { name: 'a limit in months', rule: { reward: { percent: 50 }, maxCommissionPeriodInMonths: 2 } },
  { name: 'caps', rule: { reward: { percent: 50 }, cap: { perMonthCents: 15_000, perYearCents: 40_000 } } },
  { name: 'tiers above', rule: tiers('REVENUE', 'QUARTER', 'ABOVE', 30_000) },
  { name: 'tiers above, by number', rule: tiers('CONVERSIONS', 'MONTH', 'ABOVE', 2) },
  { name: 'tiers of the period', rule: tiers('CONVERSIONS', 'MONTH', 'WHOLE_PERIOD', 3) },
  { name: 'tiers of the period, by commissions', rule: tiers('COMMISSIONS', 'EVER', 'WHOLE_PERIOD', 4_000) },
  {
    name: 'a product with tiers of the period',
    rule: { conditions: { productIds: ['pro'] }, ...tiers('REVENUE', 'YEAR', 'WHOLE_PERIOD', 40_000) },
  },
  {
    name: 'a product with a cap',
    rule: { conditions: { productIds: ['pro'] }, reward: { percent: 60 }, cap: { perMonthCents: 9_000 } },
  },
]

type Event = {
  customer: string
  /** Before it. */
  days: number
  cents: number
  refundCents?: number
  /** How long ago it occurred. */
  lateDays?: number
  currency?: string
}

const events: Event[] = [
  { customer: 'grace', days: 0, cents: 10_001 },
  { customer: 'alan', days: 3, cents: 20_033, refundCents: 5_000 },
  { customer: 'grace', days: 4, cents: 15_555, refundCents: 15_555 },
  { customer: 'grace', days: 9, cents: 7_777 },
  { customer: 'alan', days: 2, cents: 9_000, currency: 'eur' },
  { customer: 'alan', days: 20, cents: 30_003 },
  { customer: 'joan', days: 1, cents: 4_999, currency: 'eur' },
  { customer: 'grace', days: 30, cents: 12_345, lateDays: 55 },
  { customer: 'alan', days: 12, cents: 60_001, refundCents: 1 },
  { customer: 'grace', days: 15, cents: 25_000 },
]

const [booked, bare] = [await app.createProgram(), await app.createProgram()]
const sellersOf = async (program: TestProgram) => {
  const sellers = []
  for (const { campaign } of lives) sellers.push(await createSeller(program, { commission_percent: 20, ...campaign }))
  return sellers
}
const sellers = { booked: await sellersOf(booked), bare: await sellersOf(bare) }
const rulesOf = (side: 'booked' | 'bare') =>
  lives.flatMap(({ name, rule }, index) => {
    const campaignId = sellers[side][index]?.campaign.id
    return rule ? [{ campaignId, name, appliesTo: 'ALL_SALES', ...rule }] : []
  })
for (const input of rulesOf('booked'))
  await booked.graphql(
    'mutation ($input: CreateCommissionRuleInput!) { createCommissionRule(input: $input) { __typename } }',
    { input },
  )
for (const [number, { customer, days, cents, refundCents, lateDays = 0, currency = 'usd' }] of events.entries()) {
  app.clock.advanceDays(days)
  const occurredAt = new Date(app.clock.now.getTime() - lateDays * 86_400_000).toISOString()
  for (const side of ['booked', 'bare'] as const)
    for (const [index, { coupon }] of sellers[side].entries()) {
      const program = side === 'booked' ? booked : bare
      const { sale_id } = await reportSale(program, {
        coupon,
        email: `${customer}-${index}@example.com`,
        external_id: `${index}-${number}`,
        amount_cents: cents,
        currency,
        occurred_at: occurredAt,
        items: [{ product_id: 'pro', amount_cents: Math.floor(cents / 2) }],
      })
      if (refundCents) await made(program.post('/conversions/refund', { sale_id, amount_cents: refundCents }))
    }
}

/** What each affiliate has earned, by currency and by its place among the sellers. */
async function ledgerOf(side: 'booked' | 'bare') {
  const program = side === 'booked' ? booked : bare
  const rows = await app.database.db.commission.findMany({ where: { programId: program.id, voidedAt: null } })
  return (currency: string) =>
    sellers[side].map(({ affiliate }) =>
      rows.reduce(
        (sum, row) =>
          row.currency === currency && row.affiliateId === affiliate.id ? sum + Number(row.amountCents) : sum,
        0,
      ),
    )
}

const planOf = async (program: TestProgram, rules: object[]) => {
  const { planRules } = await program.graphql(
    `query ($input: PlanRulesInput!) { planRules(input: $input) { sales changedSales currencies { currency
      before { amount { cents } } after { amount { cents } }
      affiliates(limit: 100) { affiliate { id } difference { cents } } } } }`,
    { input: { rules } },
  )
  return planRules
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)

it('a plan of rules costs what has been booked where they held', async () => {
  const [held, without] = [await ledgerOf('booked'), await ledgerOf('bare')]
  const { currencies } = await planOf(bare, rulesOf('bare'))
  expect(currencies.map(({ currency }: any) => currency)).toEqual(['eur', 'usd'])
  for (const { currency, before, affiliates } of currencies) {
    expect([currency, before.amount.cents]).toEqual([currency, sum(without(currency))])
    const planned = sellers.bare.map(({ affiliate }, index) => {
      const changed = affiliates.find((one: any) => one.affiliate.id === affiliate.id)
      return (without(currency)[index] as number) + (changed?.difference.cents ?? 0)
    })
    expect(named(planned)).toEqual(named(held(currency)))
  }
})

it('a plan of the rules that hold changes nothing', async () => {
  const held = await ledgerOf('booked')
  const { changedSales, currencies } = await planOf(booked, rulesOf('booked'))
  expect(changedSales).toBe(0)
  for (const { currency, before, after } of currencies) {
    const cents = sum(held(currency))
    expect([currency, before.amount.cents, after.amount.cents]).toEqual([currency, cents, cents])
  }
})

it.each(lives)('a simulation of the same campaign costs what has been booked: $name', async ({ name }) => {
  const index = lives.findIndex((life) => life.name === name)
  const held = await ledgerOf('booked')
  const { simulateCampaign } = await booked.graphql(
    `query ($input: SimulateCampaignInput!) { simulateCampaign(input: $input) { currencies { currency
      before { amount { cents } commissions } after { amount { cents } commissions } } } }`,
    { input: { rules: {}, range: { preset: 'LAST_12_MONTHS' }, campaignId: sellers.booked[index]?.campaign.id } },
  )
  for (const { currency, before, after } of simulateCampaign.currencies) {
    expect([currency, before.amount.cents]).toEqual([currency, held(currency)[index]])
    expect([currency, after]).toEqual([currency, before])
  }
})

const named = (cents: number[]) => Object.fromEntries(lives.map(({ name }, index) => [name, cents[index]]))
