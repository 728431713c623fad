import { describe, expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { createSeller } from '../../support/factories.ts'

const app = await createTestApp()
const program = await app.createProgram()

async function createRule(campaignId: string, input: object) {
  const text = `mutation ($input: CreateCommissionRuleInput!) { createCommissionRule(input: $input) { commissionRule { id } } }`
  const given = { campaignId, name: 'Pro', appliesTo: 'ALL_SALES', ...input }
  return (await program.graphql(text, { input: given })).createCommissionRule.commissionRule.id
}

const lines = 'lines { productId name amountCents percent fixedCents commissionCents ruleName reason }'

async function report(input: object) {
  const text = `mutation ($input: ReportConversionInput!) { reportConversion(input: $input) {
    sale { id items { productId name amountCents quantity } noCommissionReason } commission { id amountCents currency dueAt }
    explanation { summary calculatedCents ${lines} } } }`
  return (await program.graphql(text, { input: { amountCents: 10_000, ...input } })).reportConversion
}

async function refund(input: object) {
  const text =
    'mutation ($input: RefundSaleInput!) { refundSale(input: $input) { refund { id items { productId amountCents } } } }'
  return (await program.graphql(text, { input })).refundSale.refund
}

const commissionOf = async (id: string) =>
  (
    await program.graphql(
      `query ($id: ID!) { commission(id: $id) { amountCents state explanation { summary calculatedCents ${lines} } } }`,
      { id },
    )
  ).commission

const pro = (amountCents: number, more = {}) => ({ productId: 'plan_pro', amountCents, ...more })
const help = (amountCents: number, more = {}) => ({ productId: 'support', amountCents, ...more })

describe('a sale with items', () => {
  it('keeps them, and each is rounded by itself', async () => {
    const { coupon } = await createSeller(program, { commission_percent: 15 })
    const { sale, commission, explanation } = await report({
      coupon,
      amountCents: 1_000,
      items: [pro(333, { name: 'Pro plan' }), help(333, { quantity: 3 })],
    })
    expect(sale.items).toEqual([
      { productId: 'plan_pro', name: 'Pro plan', amountCents: 333, quantity: 1 },
      { productId: 'support', name: null, amountCents: 333, quantity: 3 },
    ])
    // 49.95, 49.95 and 50.1 are 50 each.
    expect(commission.amountCents).toBe(150)
    expect(explanation.lines.map((line: any) => [line.productId, line.amountCents, line.commissionCents])).toEqual([
      ['plan_pro', 333, 50],
      ['support', 333, 50],
      [null, 334, 50],
    ])
    expect(explanation.summary).toContain('Pro plan: 15 percent of 3.33 USD is 0.50 USD.')
  })

  it('earns a fixed amount of the campaign once', async () => {
    const { coupon } = await createSeller(program, {
      ...{ reward_type: 'amount', commission_amount_cents: 700, commission_currency: 'USD' },
    })
    const { commission, explanation } = await report({ coupon, items: [pro(4_000), help(6_000)] })
    expect([commission.amountCents, explanation.lines]).toEqual([700, []])
  })

  it('a rule for products is for these items, and the others earn as before', async () => {
    const { campaign, coupon } = await createSeller(program, { commission_percent: 20 })
    await createRule(campaign.id, { conditions: { productIds: ['plan_*'] }, reward: { percent: 50 } })
    await createRule(campaign.id, { name: 'Help', conditions: { productIds: ['support'] }, reward: { none: true } })
    const { commission, explanation } = await report({ coupon, items: [pro(4_000), help(1_000)] })
    expect(commission.amountCents).toBe(2_000 + 1_000)
    expect(explanation.lines).toMatchObject([
      { productId: 'plan_pro', percent: 50, commissionCents: 2_000, ruleName: 'Pro', reason: null },
      { productId: 'support', commissionCents: 0, ruleName: 'Help', reason: 'RULE_EARNS_NOTHING' },
      { productId: null, amountCents: 5_000, percent: 20, commissionCents: 1_000, ruleName: null },
    ])
    expect((await report({ coupon })).commission.amountCents).toBe(2_000)
  })

  it('a fixed amount of a rule for products is for each unit', async () => {
    const { campaign, coupon } = await createSeller(program, { commission_percent: 20 })
    await createRule(campaign.id, { conditions: { productIds: ['support'] }, reward: { amountCents: 150 } })
    const { commission, explanation } = await report({ coupon, items: [help(3_000, { quantity: 3 })] })
    expect(commission.amountCents).toBe(450 + 1_400)
    expect(explanation.summary).toContain('support, by the rule "Pro": a fixed 4.50 USD for 3 units.')
  })

  it('is due when the last of its lines is', async () => {
    const { campaign, coupon } = await createSeller(program, { days_before_commissions_are_due: 30 })
    const long = { conditions: { productIds: ['plan_pro'] }, reward: { percent: 5 }, daysBeforeCommissionsAreDue: 60 }
    await createRule(campaign.id, long)
    const { commission } = await report({ coupon, items: [pro(5_000)] })
    expect(Date.parse(commission.dueAt) - app.clock.now.getTime()).toBe(60 * 86_400_000)
  })

  it('a rule for the affiliate comes before one for products', async () => {
    const { campaign, affiliate, coupon } = await createSeller(program)
    await createRule(campaign.id, { conditions: { productIds: ['plan_pro'] }, reward: { percent: 50 } })
    await createRule(campaign.id, { name: 'own', conditions: { affiliateIds: [affiliate.id] }, reward: { percent: 7 } })
    expect((await report({ coupon, items: [pro(10_000)] })).commission.amountCents).toBe(700)
  })

  it('is refused with items that are not valid, and says what is wrong with each', async () => {
    const { coupon } = await createSeller(program)
    const more = report({ coupon, amountCents: 1_000, items: [pro(600), help(500)] })
    await expect(more).rejects.toThrow(
      'Items must add up to at most the amount of the sale: they are 1100, and it is 1000',
    )
    const answer = await program.post('/conversions', {
      ...{ coupon, amount_cents: 1_000, items: [{ product_id: '', amount_cents: -1 }] },
    })
    expect(answer.status).toBe(422)
  })

  it('is taken over REST, and by hand', async () => {
    const { campaign, affiliate, coupon } = await createSeller(program, { commission_percent: 20 })
    await createRule(campaign.id, { conditions: { productIds: ['plan_pro'] }, reward: { percent: 50 } })
    const sent = { coupon, amount_cents: 10_000, items: [{ product_id: 'plan_pro', amount_cents: 10_000 }] }
    const { body } = await program.post('/conversions', sent)
    expect(body.commission.amount).toBe(5_000)
    const text = `mutation ($input: RecordSaleInput!) { recordSale(input: $input) { sale { items { productId } } } }`
    const byHand = { affiliateId: affiliate.id, amountCents: 10_000, items: [pro(2_000)] }
    expect((await program.graphql(text, { input: byHand })).recordSale.sale.items).toEqual([{ productId: 'plan_pro' }])
  })
})

describe('a refund', () => {
  const twoLines = async () => {
    const { campaign, coupon } = await createSeller(program, { commission_percent: 20 })
    await createRule(campaign.id, { conditions: { productIds: ['plan_pro'] }, reward: { percent: 50 } })
    const { sale, commission } = await report({ coupon, items: [pro(4_000), help(6_000)] })
    expect(commission.amountCents).toBe(2_000 + 1_200)
    return { saleId: sale.id, commissionId: commission.id }
  }

  it('that names an item takes it from the line of this item', async () => {
    const { saleId, commissionId } = await twoLines()
    const made = await refund({ saleId, amountCents: 1_000, items: [pro(1_000)] })
    expect(made.items).toEqual([{ productId: 'plan_pro', amountCents: 1_000 }])
    const after = await commissionOf(commissionId)
    expect([after.amountCents, after.explanation.calculatedCents]).toEqual([1_500 + 1_200, 2_700])
    expect(after.explanation.lines[0]).toMatchObject({ amountCents: 3_000, commissionCents: 1_500 })
  })

  it('that names none is divided among all lines, by their size', async () => {
    const { saleId, commissionId } = await twoLines()
    await refund({ saleId, amountCents: 5_000 })
    expect((await commissionOf(commissionId)).amountCents).toBe(1_000 + 600)
    await refund({ saleId })
    expect(await commissionOf(commissionId)).toMatchObject({ state: 'VOID' })
  })

  it('takes the fixed amount of each unit that is given back', async () => {
    const { campaign, coupon } = await createSeller(program, { commission_percent: 20 })
    await createRule(campaign.id, { conditions: { productIds: ['seat'] }, reward: { amountCents: 500 } })
    const sell = async () => (await report({ coupon, amountCents: 3_000, items: [seats(3_000, 3)] })).sale.id
    const earned = async () => (await program.graphql('{ commissions { nodes { amountCents } } }')).commissions.nodes[0]
    const seats = (amountCents: number, quantity?: number) => ({ productId: 'seat', amountCents, quantity })
    const cases: [string, object[], number[]][] = [
      ['by its amount', [{ amountCents: 1_000, items: [seats(1_000)] }], [1_000]],
      ['by the amount of the refund', [{ amountCents: 1_000 }], [1_000]],
      ['not for a discount', [{ amountCents: 999, items: [seats(999)] }], [1_500]],
      ['when two parts make a unit', [{ amountCents: 500, items: [seats(500)] }, { amountCents: 500 }], [1_500, 1_000]],
      ['by a quantity at a lower price', [{ amountCents: 1_500, items: [seats(1_500, 2)] }], [500]],
      ['by both', [{ amountCents: 500, items: [seats(500, 1)] }, { amountCents: 1_000 }], [1_000, 500]],
      ['all of them', [{ amountCents: 2_000, items: [seats(2_000, 3)] }], [0]],
    ]
    for (const [what, refunds, amounts] of cases) {
      const saleId = await sell()
      for (const [index, given] of refunds.entries()) {
        await refund({ saleId, ...given })
        expect((await earned()).amountCents, what).toBe(amounts[index])
      }
    }
    const saleId = await sell()
    await expect(refund({ saleId, amountCents: 2_000, items: [seats(2_000, 4)] })).rejects.toThrow(
      'Only 3 of the product seat can still be given back.',
    )
    await refund({ saleId, amountCents: 1_000, items: [seats(1_000, 1)] })
    const { sales } = await program.graphql(
      '{ sales(first: 1) { nodes { explanation { summary } refunds { nodes { items { quantity } } } } } }',
    )
    expect(sales.nodes[0].refunds.nodes[0].items).toEqual([{ quantity: 1 }])
    expect(sales.nodes[0].explanation.summary).toContain('seat, by the rule "Pro": a fixed 10.00 USD for 2 units.')
  })

  it('makes room in the cap of a rule for each unit that is given back', async () => {
    const { campaign, coupon } = await createSeller(program, { commission_percent: 0 })
    const cap = { perMonthCents: 1_500 }
    await createRule(campaign.id, { conditions: { productIds: ['seat'] }, reward: { amountCents: 500 }, cap })
    const sell = () =>
      report({ coupon, amountCents: 3_000, items: [{ productId: 'seat', amountCents: 3_000, quantity: 3 }] })
    const { sale } = await sell()
    await refund({ saleId: sale.id, amountCents: 1_000 })
    await refund({ saleId: sale.id, amountCents: 500, items: [{ productId: 'seat', amountCents: 500, quantity: 1 }] })
    expect((await sell()).commission.amountCents).toBe(1_000)
  })

  it('lowers an amount that a person has set to what the rule gives for the rest', async () => {
    const { coupon } = await createSeller(program, { commission_percent: 20 })
    const amend =
      'mutation ($id: ID!, $cents: SafeInt!) { amendCommission(input: { id: $id, amountCents: $cents }) { commission { id } } }'
    const amended = async (cents: number) => {
      const { sale, commission } = await report({ coupon, amountCents: 10_000 })
      await program.graphql(amend, { id: commission.id, cents })
      await refund({ saleId: sale.id, amountCents: 5_000 })
      const after = await commissionOf(commission.id)
      return [after.amountCents, after.explanation.summary.at(-1)]
    }
    expect(await amended(3_000)).toEqual([
      1_000,
      'The amount had been changed by hand. A refund lowered it to what the rule gives for the remaining 50.00 USD.',
    ])
    expect(await amended(700)).toEqual([
      700,
      'The amount was changed to 7.00 USD by hand. A refund leaves it: the rule gives 10.00 USD for the remaining 50.00 USD, which is not less.',
    ])
  })

  it('that is reversed gives back what the line had earned', async () => {
    const { saleId, commissionId } = await twoLines()
    const { id } = await refund({ saleId, amountCents: 4_000, items: [pro(4_000)] })
    expect((await commissionOf(commissionId)).amountCents).toBe(1_200)
    await program.graphql('mutation ($id: ID!) { reverseRefund(input: { refundId: $id }) { refund { id } } }', { id })
    expect((await commissionOf(commissionId)).amountCents).toBe(3_200)
  })

  it('is refused for a product that the sale does not have, or has not so much of', async () => {
    const { saleId } = await twoLines()
    await expect(
      refund({ saleId, amountCents: 100, items: [{ productId: 'other', amountCents: 100 }] }),
    ).rejects.toThrow('The sale has no product other.')
    await expect(refund({ saleId, amountCents: 5_000, items: [pro(5_000)] })).rejects.toThrow(
      'Only 4000 of the product plan_pro can still be refunded.',
    )
    await expect(refund({ saleId, amountCents: 100, items: [pro(200)] })).rejects.toThrow(
      'at most the amount of the refund',
    )
  })

  it('that came before its sale keeps the items that it names', async () => {
    const { campaign, coupon } = await createSeller(program, { commission_percent: 20 })
    await createRule(campaign.id, { conditions: { productIds: ['plan_pro'] }, reward: { percent: 50 } })
    await program.graphql('mutation ($input: RefundSaleInput!) { refundSale(input: $input) { waiting } }', {
      input: { externalId: 'early', refundExternalId: 're_early', amountCents: 4_000, items: [pro(4_000)] },
    })
    const { commission } = await report({ coupon, externalId: 'early', items: [pro(4_000), help(6_000)] })
    expect(commission.amountCents).toBe(1_200)
  })
})
