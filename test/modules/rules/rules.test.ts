import { describe, expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { createAffiliate, createCoupon, createSeller } from '../../support/factories.ts'

const app = await createTestApp()
const program = await app.createProgram()

const rule = `commissionRule { id name campaignId conditions { affiliateIds couponTokens payment minimumAmountCents
  maximumAmountCents currency } reward { percent amountCents currency } appliesTo startsAt endsAt maxCommissions }`

async function createRule(campaignId: string, input: object) {
  const text = `mutation ($input: CreateCommissionRuleInput!) { createCommissionRule(input: $input) { ${rule} } }`
  const given = { campaignId, name: 'Deal', appliesTo: 'ALL_SALES', ...input }
  return (await program.graphql(text, { input: given })).createCommissionRule.commissionRule
}

/** Reports a sale. Returns what it earned, and by which rule. */
async function report(input: object) {
  const text = `mutation ($input: ReportConversionInput!) { reportConversion(input: $input) {
    sale { id noCommissionReason occurredAt } commission { amountCents currency dueAt }
    explanation { summary commissionRule { version ruleId name runnerUp { name reason } } } } }`
  const { reportConversion } = await program.graphql(text, { input: { amountCents: 10_000, ...input } })
  const { sale, commission, explanation } = reportConversion
  return { ...sale, ...commission, ...explanation, by: explanation.commissionRule?.name }
}

const rulesOf = async (id: string) =>
  (
    await program.graphql(
      `query ($id: ID!) { campaign(id: $id) { rules { id name endsAt }
        ruleVersions { number holdsFrom rules { name reward { percent } } } } }`,
      { id },
    )
  ).campaign

describe('the order', () => {
  it('an affiliate comes before a coupon, a coupon before a payment, a payment before an amount', async () => {
    const { campaign, affiliate, coupon } = await createSeller(program)
    await createRule(campaign.id, { name: 'amount', conditions: { minimumAmountCents: 1 }, reward: { percent: 1 } })
    expect((await report({ coupon })).by).toBe('amount')
    await createRule(campaign.id, { name: 'payment', conditions: { payment: 'FIRST' }, reward: { percent: 2 } })
    expect((await report({ coupon })).by).toBe('payment')
    await createRule(campaign.id, { name: 'coupon', conditions: { couponTokens: [coupon] }, reward: { percent: 3 } })
    expect((await report({ coupon })).by).toBe('coupon')
    await createRule(campaign.id, { name: 'own', conditions: { affiliateIds: [affiliate.id] }, reward: { percent: 4 } })
    const { by, amountCents, commissionRule } = await report({ coupon })
    expect([by, amountCents]).toEqual(['own', 400])
    expect(commissionRule.runnerUp).toEqual({ name: 'coupon', reason: 'LESS_SPECIFIC' })
    expect((await rulesOf(campaign.id)).rules.map(({ name }: any) => name)).toEqual([
      'own',
      'coupon',
      'payment',
      'amount',
    ])
  })

  it('of two that are as specific, the newer one applies', async () => {
    const { campaign, coupon } = await createSeller(program)
    await createRule(campaign.id, { name: 'old', reward: { percent: 20 } })
    app.clock.advanceDays(1)
    await createRule(campaign.id, { name: 'new', reward: { percent: 30 } })
    const { by, commissionRule } = await report({ coupon })
    expect([by, commissionRule.runnerUp]).toEqual(['new', { name: 'old', reason: 'OLDER' }])
  })
})

describe('the conditions', () => {
  it('name the affiliate', async () => {
    const { campaign, affiliate, coupon } = await createSeller(program)
    const other = await createAffiliate(program, { campaign_id: campaign.id })
    const theirs = await createCoupon(program, other.id)
    await createRule(campaign.id, { conditions: { affiliateIds: [affiliate.id] }, reward: { percent: 25 } })
    expect((await report({ coupon })).amountCents).toBe(2_500)
    const { amountCents, commissionRule, summary } = await report({ coupon: theirs.token })
    expect(amountCents).toBe(1_000)
    expect(commissionRule).toMatchObject({ ruleId: null, runnerUp: { name: 'Deal', reason: 'OTHER_AFFILIATE' } })
    expect(summary).toContain("The campaign's own reward applies (version 1 of the rules).")
    expect(summary).toContain('The rule "Deal" does not: it is for other affiliates.')
  })

  it('name a coupon in any case, also if another signal matched', async () => {
    const { campaign, affiliate, coupon } = await createSeller(program)
    await createRule(campaign.id, { conditions: { couponTokens: [coupon.toLowerCase()] }, reward: { percent: 25 } })
    const email = 'known@example.com'
    expect((await report({ coupon: coupon.toUpperCase(), email })).amountCents).toBe(2_500)
    expect((await report({ email })).amountCents).toBe(1_000)
    expect(affiliate.id).toBeTruthy()
  })

  it("tell a customer's first payment from later ones", async () => {
    const { campaign, coupon } = await createSeller(program)
    await createRule(campaign.id, { name: 'first', conditions: { payment: 'FIRST' }, reward: { percent: 50 } })
    await createRule(campaign.id, { name: 'renewal', conditions: { payment: 'RENEWAL' }, reward: { percent: 5 } })
    const sale = { coupon, email: 'grace@example.com' }
    expect((await report(sale)).by).toBe('first')
    app.clock.advanceDays(30)
    expect((await report(sale)).by).toBe('renewal')
  })

  it('ask for a billing interval, and for the number of the payment if the report has it', async () => {
    const { campaign, coupon } = await createSeller(program)
    await createRule(campaign.id, {
      name: 'yearly',
      conditions: { billingIntervals: ['YEAR'] },
      reward: { percent: 40 },
    })
    const first = { payment: 'FIRST_OF_SUBSCRIPTION' }
    await createRule(campaign.id, { name: 'first', conditions: { ...first, currency: 'usd' }, reward: { percent: 50 } })
    expect((await report({ coupon, billingInterval: 'YEAR', paymentNumber: 2 })).by).toBe('yearly')
    expect((await report({ coupon, billingInterval: 'MONTH', paymentNumber: 2 })).by).toBeNull()
    expect((await report({ coupon, billingInterval: 'MONTH', paymentNumber: 1 })).by).toBe('first')
    const { body } = await program.post('/conversions', {
      ...{ coupon, amount_cents: 10_000, billing_interval: 'year', payment_number: 3 },
    })
    expect(body.commission.amount).toBe(4_000)
    // What cannot be used is left out, and refuses no sale.
    const odd = await program.post('/conversions', { coupon, amount_cents: 10_000, billing_interval: 'weekly' })
    expect([odd.status, odd.body.commission.amount]).toEqual([201, 1_000])
  })

  it('compare amounts in one currency, with both ends included', async () => {
    const { campaign, coupon } = await createSeller(program)
    const conditions = { minimumAmountCents: 100, maximumAmountCents: 200 }
    const { conditions: kept } = await createRule(campaign.id, { conditions, reward: { amountCents: 33 } })
    expect(kept).toMatchObject({ ...conditions, currency: 'usd' })
    const by = async (amountCents: number, currency = 'usd') => (await report({ coupon, amountCents, currency })).by
    expect([await by(99), await by(100), await by(200), await by(201)]).toEqual([null, 'Deal', 'Deal', null])
    expect(await by(150, 'eur')).toBeNull()
  })
})

describe('the reward', () => {
  it('can be nothing, and then the sale says why', async () => {
    const { campaign, coupon } = await createSeller(program)
    await createRule(campaign.id, { conditions: { couponTokens: [coupon] }, reward: { none: true } })
    const { noCommissionReason, amountCents, summary } = await report({ coupon })
    expect([noCommissionReason, amountCents]).toEqual(['RULE_EARNS_NOTHING', undefined])
    expect(summary).toContain('No commission: the rule says that such sales earn nothing.')
  })

  it('can have limits of its own', async () => {
    const { campaign, coupon } = await createSeller(program)
    await createRule(campaign.id, { reward: { percent: 20 }, maxCommissions: 1, daysBeforeCommissionsAreDue: 2 })
    const sale = { coupon, email: 'limited@example.com' }
    const { dueAt, occurredAt } = await report(sale)
    expect(Date.parse(dueAt) - Date.parse(occurredAt)).toBe(2 * 86_400_000)
    app.clock.advanceDays(1)
    expect((await report(sale)).noCommissionReason).toBe('MAX_COMMISSIONS_REACHED')
  })

  it('is refunded by the rule that applied, whatever rules there are now', async () => {
    const { campaign, coupon } = await createSeller(program)
    const { id } = await createRule(campaign.id, { reward: { percent: 50 } })
    await report({ coupon, externalId: 'inv_rule' })
    await program.graphql(
      'mutation ($input: EndCommissionRuleInput!) { endCommissionRule(input: $input) { __typename } }',
      {
        input: { id },
      },
    )
    await program.post('/conversions/refund', { external_id: 'inv_rule', amount_cents: 5_000 })
    const { commissions } = await program.graphql(
      '{ commissions(first: 1, orderBy: { field: CREATED_AT, direction: DESC }) { nodes { amountCents } } }',
    )
    expect(commissions.nodes).toEqual([{ amountCents: 2_500 }])
  })
})

describe('versions', () => {
  it('a sale has the rules of when it occurred, on every way in', async () => {
    const { campaign, affiliate, coupon } = await createSeller(program, { commission_percent: 10 })
    const before = app.clock.now.toISOString()
    app.clock.advanceDays(10)
    const { id } = await createRule(campaign.id, { reward: { percent: 20 } })
    app.clock.advanceDays(10)
    const between = app.clock.now.toISOString()
    app.clock.advanceDays(10)
    const update =
      'mutation ($input: UpdateCommissionRuleInput!) { updateCommissionRule(input: $input) { __typename } }'
    await program.graphql(update, { input: { id, reward: { percent: 30 } } })
    const earned = async (occurredAt?: string) => (await report({ coupon, occurredAt })).amountCents
    expect([await earned(before), await earned(between), await earned()]).toEqual([1_000, 2_000, 3_000])
    // By hand.
    await program.post('/conversions', {
      external_id: 'late',
      amount_cents: 10_000,
      email: 'late@example.com',
      occurred_at: between,
    })
    const { unattributedSales } = await program.graphql('{ unattributedSales(first: 1) { nodes { id } } }')
    const attribute = `mutation ($input: AttributeSaleInput!) { attributeSale(input: $input) { sale { commissions { nodes { amountCents } } } } }`
    const { attributeSale } = await program.graphql(attribute, {
      input: { id: unattributedSales.nodes[0].id, affiliateId: affiliate.id },
    })
    expect(attributeSale.sale.commissions.nodes[0].amountCents).toBe(2_000)
    const { ruleVersions } = await rulesOf(campaign.id)
    expect(ruleVersions.map(({ number, rules }: any) => [number, rules[0].reward.percent])).toEqual([
      [2, 30],
      [1, 20],
    ])
  })

  it('new customers only: customers from before keep the old deal', async () => {
    const { campaign, coupon } = await createSeller(program, { commission_percent: 10 })
    await report({ coupon, email: 'old@example.com' })
    app.clock.advanceDays(1)
    await createRule(campaign.id, { appliesTo: 'NEW_CUSTOMERS', reward: { percent: 5 } })
    app.clock.advanceDays(1)
    const { amountCents, commissionRule } = await report({ coupon, email: 'old@example.com' })
    expect([amountCents, commissionRule.runnerUp.reason]).toEqual([1_000, 'CUSTOMER_NOT_NEW'])
    expect((await report({ coupon, email: 'new@example.com' })).amountCents).toBe(500)
    app.clock.advanceDays(30)
    expect((await report({ coupon, email: 'new@example.com' })).amountCents).toBe(500)
  })

  it('a rule begins and ends at its times', async () => {
    const { campaign, coupon } = await createSeller(program, { commission_percent: 10 })
    const at = (days: number) => new Date(app.clock.now.getTime() + days * 86_400_000).toISOString()
    await createRule(campaign.id, { reward: { percent: 40 }, startsAt: at(1), endsAt: at(2) })
    const reasons = []
    for (const _ of [0, 1, 2]) {
      const { amountCents, commissionRule } = await report({ coupon })
      reasons.push([amountCents, commissionRule.runnerUp?.reason])
      app.clock.advanceDays(1)
    }
    expect(reasons).toEqual([
      [1_000, 'NOT_STARTED'],
      [4_000, undefined],
      [1_000, 'ENDED'],
    ])
    expect((await rulesOf(campaign.id)).rules).toEqual([])
  })

  it('no statement can change one', async () => {
    const { campaign } = await createSeller(program)
    await createRule(campaign.id, { reward: { percent: 40 } })
    await expect(app.database.db.$executeRaw`update commission_rule_versions set number = 7`).rejects.toThrow(
      'cannot be changed',
    )
  })

  it('are deleted with their campaign', async () => {
    const { id } = await program
      .post('/campaigns', { name: 'Gone', url: 'https://a.test', commission_percent: 1 })
      .then(({ body }) => body)
    await createRule(id, { reward: { percent: 40 } })
    await program.graphql('mutation ($input: DeleteCampaignInput!) { deleteCampaign(input: $input) { __typename } }', {
      input: { id },
    })
    expect(await app.database.db.commissionRuleVersion.count({ where: { campaignId: id } })).toBe(0)
  })
})

describe('the input', () => {
  const problemsOf = (campaignId: string, input: object) =>
    createRule(campaignId, input).then(
      () => [],
      (error) => String(error),
    )

  it.each([
    ['no reward', { reward: {} }, 'Exactly one key must be specified'],
    ['two rewards', { reward: { percent: 1, none: true } }, 'Exactly one key must be specified'],
    ['a percentage above 100', { reward: { percent: 101 } }, 'Percent must be at most 100, unless'],
    [
      'an affiliate that does not exist',
      { reward: { percent: 1 }, conditions: { affiliateIds: ['x'] } },
      'Affiliate not found: x',
    ],
    [
      'a coupon that does not exist',
      { reward: { percent: 1 }, conditions: { couponTokens: ['NOBODYS'] } },
      'Coupon not found: NOBODYS',
    ],
    [
      'a maximum below the minimum',
      { reward: { percent: 1 }, conditions: { minimumAmountCents: 2, maximumAmountCents: 1 } },
      'below the minimum',
    ],
    ['a start in the past', { reward: { percent: 1 }, startsAt: '2020-01-01T00:00:00Z' }, 'must not be before now'],
  ])('%s is refused', async (_name, input, message) => {
    const { campaign } = await createSeller(program)
    expect(await problemsOf(campaign.id, input)).toContain(message)
    expect((await rulesOf(campaign.id)).ruleVersions).toEqual([])
  })

  it('a rule that has ended stays as it is', async () => {
    const { campaign } = await createSeller(program)
    const { id } = await createRule(campaign.id, { reward: { percent: 5 } })
    const end = () =>
      program.graphql(
        'mutation ($input: EndCommissionRuleInput!) { endCommissionRule(input: $input) { __typename } }',
        { input: { id } },
      )
    await end()
    await expect(end()).rejects.toThrow('The rule has ended.')
  })
})
