import { expect, it } from 'vitest'
import { createTestApp } from '../../../support/app.ts'
import { createSeller, reportSale } from '../../../support/factories.ts'

// Lives of eight sales of two customers are reported in many orders. The expected amounts come from a calculation that
// knows only the sales and the rules, and calls nothing from `src`.

const app = await createTestApp()
const program = await app.createProgram()
const begin = new Date(Date.UTC(app.clock.now.getUTCFullYear() + 1, 0, 1))
app.clock.advanceMinutes((begin.getTime() - app.clock.now.getTime()) / 60_000)

type Sale = { id: string; customer: string; day: number; cents: number }

/** Those of days 3 and 40 are ties, which the ids decide. */
const sales: Sale[] = [
  { id: 'a', customer: 'grace', day: 3, cents: 10_001 },
  { id: 'b', customer: 'grace', day: 3, cents: 20_033 },
  { id: 'c', customer: 'alan', day: 12, cents: 15_555 },
  { id: 'd', customer: 'grace', day: 25, cents: 7_777 },
  { id: 'e', customer: 'alan', day: 40, cents: 30_003 },
  { id: 'f', customer: 'alan', day: 40, cents: 4_999 },
  { id: 'g', customer: 'grace', day: 75, cents: 12_345 },
  { id: 'h', customer: 'alan', day: 95, cents: 60_001 },
]
const timeOf = ({ day }: Sale) => new Date(begin.getTime() + day * 86_400_000)
const monthOf = (sale: Sale) => timeOf(sale).getUTCMonth()
const share = (cents: number, percent: number) => Math.floor((cents * percent + 50) / 100)
const half = (cents: number) => Math.floor(cents / 2)

/** What a sale earns, by those before it in the order of occurrence and what they earned. */
type Before = { sale: Sale; earned: number }[]
type Life = { name: string; campaign?: object; rule?: object; earns(sale: Sale, before: Before): number }

const isFirst = (sale: Sale, before: Before) => !before.some((one) => one.sale.customer === sale.customer)
const ofCustomer = (sale: Sale, before: Before) => before.filter((one) => one.sale.customer === sale.customer)
const ofMonth = (sale: Sale, before: Before) => before.filter((one) => monthOf(one.sale) === monthOf(sale))
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)

/** Parts between thresholds, each rounded by itself. */
function above(cents: number, reached: number): number {
  const steps = [
    { from: 0, percent: 10 },
    { from: 20_000, percent: 20 },
    { from: 50_000, percent: 50 },
  ]
  return sum(
    steps.map(({ from, percent }, index) => {
      const to = steps[index + 1]?.from ?? Number.POSITIVE_INFINITY
      const part = Math.min(reached + cents, to) - Math.max(reached, from)
      return part > 0 ? share(part, percent) : 0
    }),
  )
}

const lives: Life[] = [
  {
    name: 'the first payment',
    rule: { conditions: { payment: 'FIRST' }, reward: { percent: 50 } },
    earns: (sale, before) => share(sale.cents, isFirst(sale, before) ? 50 : 20),
  },
  {
    name: 'a limit in number',
    campaign: { max_commissions: 2 },
    earns: (sale, before) =>
      ofCustomer(sale, before).filter(({ earned }) => earned > 0).length >= 2 ? 0 : share(sale.cents, 20),
  },
  {
    name: 'a limit in months',
    campaign: { max_commission_period_in_months: 2 },
    earns: (sale, before) => {
      const [first] = ofCustomer(sale, before)
      if (!first) return share(sale.cents, 20)
      const end = timeOf(first.sale)
      end.setUTCMonth(end.getUTCMonth() + 2)
      return timeOf(sale) >= end ? 0 : share(sale.cents, 20)
    },
  },
  {
    name: 'caps of a sale and of a month',
    rule: { reward: { percent: 50 }, cap: { perSaleCents: 8_000, perMonthCents: 15_000 } },
    earns: (sale, before) => {
      const left = 15_000 - sum(ofMonth(sale, before).map(({ earned }) => earned))
      return Math.min(share(sale.cents, 50), 8_000, left)
    },
  },
  {
    name: 'tiers for what is above',
    rule: {
      reward: {
        tiers: {
          measure: 'REVENUE',
          period: 'MONTH',
          appliesTo: 'ABOVE',
          steps: [
            { from: 0, percent: 10 },
            { from: 20_000, percent: 20 },
            { from: 50_000, percent: 50 },
          ],
        },
      },
    },
    earns: (sale, before) => above(sale.cents, sum(ofMonth(sale, before).map((one) => one.sale.cents))),
  },
  {
    name: 'tiers for the whole period',
    rule: {
      reward: {
        tiers: {
          measure: 'CONVERSIONS',
          period: 'MONTH',
          appliesTo: 'WHOLE_PERIOD',
          steps: [
            { from: 0, percent: 10 },
            { from: 3, percent: 30 },
          ],
        },
      },
    },
    earns: (sale) => share(sale.cents, sales.filter((one) => monthOf(one) === monthOf(sale)).length >= 3 ? 30 : 10),
  },
  {
    name: 'a rule for a product of the first payment',
    rule: { conditions: { productIds: ['pro'], payment: 'FIRST' }, reward: { percent: 50 } },
    earns: (sale, before) =>
      share(half(sale.cents), isFirst(sale, before) ? 50 : 20) + share(sale.cents - half(sale.cents), 20),
  },
  {
    name: 'a rule for new customers, from day 10 on',
    rule: {
      appliesTo: 'NEW_CUSTOMERS',
      startsAt: new Date(begin.getTime() + 10 * 86_400_000),
      reward: { percent: 40 },
    },
    earns: (sale) => share(sale.cents, sale.customer === 'alan' ? 40 : 20),
  },
]

/** An order by a number, so that a failure can be seen again. */
function shuffled<T>(items: readonly T[], seed: number): T[] {
  let state = seed * 2_654_435_761 + 1
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state
  }
  return items
    .map((item) => ({ item, at: next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

const isDeep = process.env.EXAMPLES === '10'
const orders = [
  sales,
  sales.toReversed(),
  ...Array.from({ length: isDeep ? 60 : 3 }, (_, index) => shuffled(sales, index + 1)),
]

/** The rules hold from before the first sale, so all sellers are created before the clock advances. */
const runs = await Promise.all(
  lives.flatMap((life) =>
    orders.map(async (order, number) => {
      const seller = await createSeller(program, { commission_percent: 20, ...life.campaign })
      if (life.rule)
        await program.graphql(
          'mutation ($input: CreateCommissionRuleInput!) { createCommissionRule(input: $input) { commissionRule { id } } }',
          { input: { campaignId: seller.campaign.id, name: 'Rule', appliesTo: 'ALL_SALES', ...life.rule } },
        )
      return { life, order, number, seller }
    }),
  ),
)
app.clock.advanceDays(400)

it.each(lives)('eight sales earn the same in every order: $name', async (life) => {
  const isWhole = life.name.includes('whole period')
  const isProduct = life.name.includes('product')
  const before: Before = []
  for (const sale of sales) before.push({ sale, earned: life.earns(sale, before) })
  const expected = Object.fromEntries(before.map(({ sale, earned }) => [sale.id, earned]))
  for (const run of runs.filter((one) => one.life === life)) {
    const prefix = `${lives.indexOf(life)}-${run.number}`
    for (const { id, customer, cents, ...sale } of run.order)
      await reportSale(program, {
        coupon: run.seller.coupon,
        email: `${customer}-${prefix}@example.com`,
        external_id: `${prefix}-${id}`,
        amount_cents: cents,
        occurred_at: timeOf({ id, customer, cents, ...sale }).toISOString(),
        ...(isProduct && { items: [{ product_id: 'pro', amount_cents: half(cents) }] }),
      })
    const where = { programId: program.id, affiliateId: run.seller.affiliate.id, voidedAt: null }
    const include = { sale: true, corrects: true }
    const rows = await app.database.db.commission.findMany({ where, include })
    const total = sum(rows.map(({ amountCents }) => Number(amountCents)))
    expect([run.number, total]).toEqual([run.number, sum(Object.values(expected))])
    if (isWhole) continue
    const earned = Object.fromEntries(sales.map(({ id }) => [id, 0]))
    for (const { sale, corrects, amountCents } of rows) {
      const id = (sale ?? corrects)?.externalId?.split('-')[2] as string
      earned[id] = (earned[id] ?? 0) + Number(amountCents)
    }
    expect([run.number, earned]).toEqual([run.number, expected])
  }
})
