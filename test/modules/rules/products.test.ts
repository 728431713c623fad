import { describe, expect, it } from 'vitest'
import { examine } from '../../../src/modules/doctor/service.ts'
import { createTestApp } from '../../support/app.ts'
import { advanceTo, createRuler } from './ruler.ts'

const app = await createTestApp()

const forPro = { name: 'Pro', conditions: { productIds: ['pro*'] } }
const pro = (amountCents: number, quantity = 1) => ({ productId: 'pro_1', amountCents, quantity })
const other = (amountCents: number) => ({ productId: 'other', amountCents })
const tiers = (more: object) => ({
  reward: {
    tiers: {
      ...{ measure: 'CONVERSIONS', period: 'MONTH', appliesTo: 'ABOVE' },
      steps: [
        { from: 0, percent: 20 },
        { from: 2, percent: 50 },
      ],
      ...more,
    },
  },
})

async function createShop() {
  const ruler = await createRuler(app)
  advanceTo(app, 5, 10)
  const { program } = ruler
  const amountOf = async (id: string) =>
    (await program.graphql('query ($id: ID!) { commission(id: $id) { amountCents } }', { id })).commission.amountCents
  const corrections = async () => {
    const { commissions } = await program.graphql(
      '{ commissions(first: 50, where: { kind: { equals: CORRECTION } }) { nodes { amountCents reason } } }',
    )
    return commissions.nodes.map(({ amountCents }: { amountCents: number }) => amountCents).reverse()
  }
  const refund = (externalId: string, amountCents: number, items?: object[]) =>
    program.post('/conversions/refund', { external_id: externalId, amount_cents: amountCents, items })
  return { ...ruler, amountOf, corrections, refund }
}

describe('the rule that came nearest', () => {
  it('is none by which an item earns', async () => {
    const { coupon, createRule, report } = await createShop()
    await createRule({ ...forPro, reward: { percent: 50 } })
    const { summary } = await report({ coupon, items: [pro(4_000)] })
    expect(summary.join(' ')).toContain('by the rule "Pro"')
    expect(summary.join(' ')).not.toContain('The rule "Pro" does not')
    const { summary: without } = await report({ coupon, items: [other(4_000)] })
    expect(without).toContain('The rule "Pro" does not: it is for other products.')
  })
})

describe('a cap of a rule for products', () => {
  it('limits the sum of its items in a sale, and the rest earns by itself', async () => {
    const { coupon, createRule, report } = await createShop()
    await createRule({ ...forPro, reward: { percent: 50 }, cap: { perSaleCents: 3_000 } })
    const items = [pro(4_000), { ...pro(4_000), productId: 'pro_2' }, other(1_000)]
    const { amountCents, summary } = await report({ coupon, items })
    // 20.00, then 10.00 of 20.00; 10 percent of the other item and of the rest.
    expect(amountCents).toBe(2_000 + 1_000 + 100 + 100)
    expect(summary).toEqual(
      expect.arrayContaining([
        'pro_1, by the rule "Pro": 50 percent of 40.00 USD is 20.00 USD.',
        'pro_2, by the rule "Pro": 50 percent of 40.00 USD is 20.00 USD, of which 10.00 USD is paid.',
        'The rule "Pro" pays at most 30.00 USD for a sale: 30.00 USD is left, so 10.00 USD is not paid.',
      ]),
    )
    expect(summary.join(' ')).not.toContain('by hand')
  })

  it('keeps what is left after a refund of one of its items, and takes the other ones back', async () => {
    const { coupon, createRule, report, refund, amountOf } = await createShop()
    await createRule({ ...forPro, reward: { percent: 50 }, cap: { perSaleCents: 3_000 } })
    const items = [pro(4_000), { ...pro(4_000), productId: 'pro_2' }, other(2_000)]
    const { commissionId, amountCents } = await report({ coupon, items, externalId: 'p_1' })
    expect(amountCents).toBe(3_200)
    await refund('p_1', 2_000, [{ product_id: 'other', amount_cents: 2_000 }])
    expect(await amountOf(commissionId)).toBe(3_000)
    await refund('p_1', 4_000, [{ product_id: 'pro_1', amount_cents: 4_000 }])
    expect(await amountOf(commissionId)).toBe(2_000)
  })

  it('counts what its items have earned in the month, after refunds and without other items', async () => {
    const { coupon, createRule, report, refund } = await createShop()
    const late = app.clock.now.toISOString()
    await createRule({ ...forPro, reward: { percent: 50 }, cap: { perMonthCents: 5_000 } })
    app.clock.advanceDays(31)
    const sell = (externalId: string) => report({ coupon, externalId, items: [pro(8_000), other(2_000)] })
    expect((await sell('m_1')).amountCents).toBe(4_000 + 200)
    const second = await sell('m_2')
    expect(second.amountCents).toBe(1_000 + 200)
    expect(second.summary).toContain(
      'The rule "Pro" pays at most 50.00 USD for a month, of which 40.00 USD were earned before: 10.00 USD is left, so 30.00 USD is not paid.',
    )
    expect((await sell('m_3')).amountCents).toBe(200)
    await refund('m_1', 4_000, [{ product_id: 'pro_1', amount_cents: 4_000 }])
    expect((await sell('m_4')).amountCents).toBe(2_000 + 200)
    const none = await report({ coupon, items: [pro(10_000)] })
    expect([none.noCommissionReason, none.amountCents]).toEqual(['CAP_REACHED', undefined])
    expect(none.summary.at(-1)).toBe(
      'No commission: the rule pays at most 50.00 USD for a month, and 50.00 USD were earned before.',
    )
    // A late sale counts in its month.
    expect((await report({ coupon, items: [pro(10_000)], occurredAt: late })).amountCents).toBe(5_000)
  })

  it('counts what its items earn, also if a cap of the whole sale leaves less of it', async () => {
    const { coupon, createRule, report } = await createShop()
    await createRule({ ...forPro, reward: { percent: 50 }, cap: { perMonthCents: 4_500 } })
    await createRule({ name: 'All', reward: { percent: 10 }, cap: { perSaleCents: 1_000 } })
    const sell = async () => (await report({ coupon, items: [pro(8_000), other(2_000)] })).amountCents
    expect(await sell()).toBe(1_000)
    // Of 45.00, the items of the first sale have earned 40.00, although 10.00 were paid for all of it.
    expect(await sell()).toBe(500 + 200)
  })
})

describe('tiers of a rule for products', () => {
  it('take the step at which the affiliate stands, and do not divide an item', async () => {
    const { coupon, createRule, report } = await createShop()
    const steps = [
      { from: 0, percent: 20 },
      { from: 15_000, percent: 50 },
    ]
    await createRule({ ...forPro, ...tiers({ measure: 'REVENUE', steps }) })
    const items = [pro(4_000), other(1_000)]
    expect((await report({ coupon, items })).amountCents).toBe(800 + 100 + 500)
    const second = await report({ coupon, items })
    expect(second.amountCents).toBe(800 + 100 + 500)
    const third = await report({ coupon, items })
    expect(third.amountCents).toBe(2_000 + 100 + 500)
    expect(third.summary).toContain(
      'By the rule "Pro", its items earn by the step from 150.00 USD of revenue in the month: 50 percent. Before it, the affiliate had 200.00 USD of revenue in the month.',
    )
  })

  it('pay a fixed amount for each unit, within a cap', async () => {
    const { coupon, createRule, report } = await createShop()
    const steps = [
      { from: 0, amountCents: 500 },
      { from: 1, amountCents: 900 },
    ]
    await createRule({ ...forPro, ...tiers({ steps }), cap: { perSaleCents: 2_000 } })
    const sell = async () => (await report({ coupon, amountCents: 4_000, items: [pro(4_000, 3)] })).amountCents
    expect([await sell(), await sell()]).toEqual([1_500, 2_000])
  })

  it('of the whole period correct the items of earlier sales, and follow refunds of items', async () => {
    const { program, coupon, createRule, report, refund, corrections } = await createShop()
    await createRule({ ...forPro, ...tiers({ appliesTo: 'WHOLE_PERIOD' }) })
    const sell = (externalId: string) => report({ coupon, externalId, items: [pro(4_000), other(1_000)] })
    expect((await sell('w_1')).amountCents).toBe(800 + 600)
    const second = await sell('w_2')
    expect(second.amountCents).toBe(2_000 + 600)
    expect(second.summary.join(' ')).toContain('its items earn by the step from 2 sales in the month, with this one')
    expect(await corrections()).toEqual([1_200])
    // A refund of another item changes nothing; one of the item takes back its part of the correction.
    await refund('w_1', 1_000, [{ product_id: 'other', amount_cents: 1_000 }])
    expect(await corrections()).toEqual([1_200])
    await refund('w_1', 2_000, [{ product_id: 'pro_1', amount_cents: 2_000 }])
    expect(await corrections()).toEqual([1_200, -600])
    // Below the threshold, the second sale earns 20 percent.
    await refund('w_1', 7_000)
    expect(await corrections()).toEqual([1_200, -600, -1_800])
    const { commissions } = await program.graphql(
      '{ commissions(first: 1, where: { kind: { equals: CORRECTION } }) { nodes { reason } } }',
    )
    expect(commissions.nodes[0].reason).toContain('the rule "Pro" gives 20 percent')
  })

  it('of the whole period stand beside those of the rule for the sale', async () => {
    const { coupon, createRule, report, corrections, refund } = await createShop()
    await createRule({ name: 'All', ...tiers({ appliesTo: 'WHOLE_PERIOD' }) })
    await createRule({
      ...forPro,
      ...tiers({
        appliesTo: 'WHOLE_PERIOD',
        steps: [
          { from: 0, percent: 10 },
          { from: 2, percent: 30 },
        ],
      }),
    })
    const sell = (externalId: string) => report({ coupon, externalId, items: [pro(4_000), other(1_000)] })
    expect((await sell('b_1')).amountCents).toBe(400 + 1_200)
    expect((await sell('b_2')).amountCents).toBe(1_200 + 3_000)
    expect((await corrections()).sort((a: number, b: number) => a - b)).toEqual([800, 1_800])
    // The refund names the item of the other rule: what is under "All" stays.
    await refund('b_1', 4_000, [{ product_id: 'pro_1', amount_cents: 4_000 }])
    expect((await corrections()).slice(2)).toEqual([-800])
  })

  it('do not correct what a person has set', async () => {
    const { program, coupon, createRule, report, corrections } = await createShop()
    await createRule({ ...forPro, ...tiers({ appliesTo: 'WHOLE_PERIOD' }) })
    const { commissionId } = await report({ coupon, items: [pro(4_000)] })
    await program.graphql(
      'mutation ($input: AmendCommissionInput!) { amendCommission(input: $input) { commission { id } } }',
      { input: { id: commissionId, amountCents: 5_000 } },
    )
    await report({ coupon, items: [pro(4_000)] })
    expect(await corrections()).toEqual([])
  })
})

it('a plan replays them as they are reported', async () => {
  const { program, campaign, coupon, createRule, report } = await createShop()
  const rule = { ...forPro, reward: { percent: 50 }, cap: { perMonthCents: 5_000 } }
  await createRule(rule)
  const whole = { name: 'Plus', conditions: { productIds: ['plus'] }, ...tiers({ appliesTo: 'WHOLE_PERIOD' }) }
  await createRule(whole)
  for (const externalId of ['r_1', 'r_2'])
    await report({ coupon, externalId, items: [pro(4_000), { productId: 'plus', amountCents: 2_000 }] })
  const { planRules } = await program.graphql(
    `query ($input: PlanRulesInput!) { planRules(input: $input) { currencies { before { amount { cents } } after { amount { cents } } } } }`,
    {
      input: {
        rules: [
          { campaignId: campaign.id, appliesTo: 'ALL_SALES', ...rule },
          { campaignId: campaign.id, appliesTo: 'ALL_SALES', ...whole },
        ],
      },
    },
  )
  // 20.00 + 20.00 for each, 4.00 and 10.00, 4.00 of the rest for each, and a correction of 6.00.
  const amount = { cents: 2_000 + 2_000 + 400 + 1_000 + 800 + 600 }
  expect(planRules.currencies).toEqual([{ before: { amount }, after: { amount } }])
})

it('the doctor finds nothing', async () => {
  expect(await examine(app.database)).toEqual([])
})
