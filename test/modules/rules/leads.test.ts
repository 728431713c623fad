import { expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { createSeller, recordLead, recordVisit, reportSale } from '../../support/factories.ts'

const app = await createTestApp()
const program = await app.createProgram()

const create = `mutation ($input: CreateCommissionRuleInput!) { createCommissionRule(input: $input) {
  commissionRule { id reward { leadAmountCents percent amountCents currency } } } }`

async function createRule(campaignId: string, input: object = {}) {
  const given = { campaignId, name: 'Leads', appliesTo: 'ALL_SALES', reward: { leadAmountCents: 500 }, ...input }
  return (await program.graphql(create, { input: given })).createCommissionRule.commissionRule
}

const commissionsOf = async (affiliateId: string) =>
  (
    await program.graphql(
      `query ($id: ID!) { affiliate(id: $id) { commissions(orderBy: { field: CREATED_AT, direction: ASC }) { nodes {
        id kind amountCents currency state dueAt heldReason sale { id } referral { id } explanation { summary dueReason } } } } }`,
      { id: affiliateId },
    )
  ).affiliate.commissions.nodes

async function lead(token: string, email: string) {
  const { id } = await recordVisit(program, token)
  await recordLead(program, id, email)
  return id
}

it('a lead earns the amount, once per affiliate and customer, due after the days of the rule', async () => {
  const { campaign, affiliate, link } = await createSeller(program)
  const rule = await createRule(campaign.id, { daysBeforeCommissionsAreDue: 14 })
  expect(rule.reward).toEqual({ leadAmountCents: 500, percent: null, amountCents: null, currency: 'usd' })
  const id = await lead(link.token, 'grace@example.com')
  const [commission] = await commissionsOf(affiliate.id)
  expect(commission).toMatchObject({
    kind: 'LEAD',
    amountCents: 500,
    currency: 'usd',
    state: 'PENDING',
    dueAt: '2026-03-24T12:00:00.000Z',
    sale: null,
    referral: { id },
    explanation: {
      summary: ['A reward of 5.00 USD for a lead on 2026-03-10, by the rule "Leads". It is earned once per customer.'],
      dueReason: 'Due on 2026-03-24: 14 days after the lead.',
    },
  })
  // The same lead again, another visit of the customer, and the sale.
  await recordLead(program, id, 'grace@example.com')
  await lead(link.token, 'GRACE@example.com')
  await reportSale(program, { email: 'grace@example.com', amount_cents: 10_000 })
  expect((await commissionsOf(affiliate.id)).map(({ kind, amountCents }: any) => [kind, amountCents])).toEqual([
    ['LEAD', 500],
    ['SALE', 1_000],
  ])
  const { body } = await program.get(`/commissions/${commission.id}`)
  expect(body).toMatchObject({ object: 'commission', amount: 500, state: 'pending', affiliate_id: affiliate.id })
  const { commission: read } = await program.graphql(
    'query ($id: ID!) { commission(id: $id) { history { nodes { action } } } }',
    { id: commission.id },
  )
  expect(read.history.nodes).toEqual([{ action: 'EARNED' }])
})

it('a void reward is not earned again, and a paid one is in a payout', async () => {
  const { campaign, affiliate, link } = await createSeller(program, { days_before_commissions_are_due: 0 })
  await createRule(campaign.id)
  await lead(link.token, 'void@example.com')
  const [{ id }] = await commissionsOf(affiliate.id)
  expect((await program.delete(`/commissions/${id}`)).body.state).toBe('void')
  await lead(link.token, 'void@example.com')
  await lead(link.token, 'paid@example.com')
  const all = await commissionsOf(affiliate.id)
  expect(all.map(({ state }: any) => state)).toEqual(['VOID', 'DUE'])
  const { body } = await program.get(`/payouts?affiliate_id=${affiliate.id}`)
  expect(body.data.map(({ amount }: any) => amount)).toEqual([500])
})

it('the more specific rule applies, sales do not see it, and a sale is no lead', async () => {
  const { campaign, affiliate, link, coupon } = await createSeller(program)
  await createRule(campaign.id)
  await createRule(campaign.id, {
    name: 'Better',
    conditions: { affiliateIds: [affiliate.id] },
    reward: { leadAmountCents: 900 },
  })
  await lead(link.token, 'better@example.com')
  expect(
    (await reportSale(program, { coupon, amount_cents: 10_000, email: 'buyer@example.com' })).commission.amount,
  ).toBe(1_000)
  expect((await commissionsOf(affiliate.id)).map(({ amountCents }: any) => amountCents)).toEqual([900, 1_000])
})

it('a lead with the own address is held, or earns nothing, as the campaign says', async () => {
  const earned = async (selfReferrals: string) => {
    const { campaign, affiliate, link } = await createSeller(program)
    await program.graphql('mutation ($input: UpdateCampaignInput!) { updateCampaign(input: $input) { __typename } }', {
      input: { id: campaign.id, selfReferrals },
    })
    await createRule(campaign.id)
    await lead(link.token, affiliate.email)
    return (await commissionsOf(affiliate.id)).map(({ heldReason }: any) => heldReason)
  }
  expect(await earned('HOLD')).toEqual(['SELF_REFERRAL_EMAIL'])
  expect(await earned('REJECT')).toEqual([])
  expect(await earned('ALLOW')).toEqual([null])
})

it('what is only for sales is refused beside it', async () => {
  const { campaign } = await createSeller(program)
  const problems = await createRule(campaign.id, {
    conditions: { payment: 'FIRST' },
    cap: { perMonthCents: 100 },
    maxCommissions: 1,
  }).catch(({ errors }) => errors[0].extensions.problems.map(({ path }: any) => path.join('.')))
  expect(problems).toEqual(['input.conditions.payment', 'input.cap', 'input.maxCommissions'])
})

it('a plan counts the leads of its range', async () => {
  const { campaign, affiliate, link } = await createSeller(program)
  await lead(link.token, 'planned@example.com')
  await lead(link.token, 'planned@example.com')
  app.clock.advanceDays(1)
  const rules = [{ campaignId: campaign.id, name: 'Leads', appliesTo: 'ALL_SALES', reward: { leadAmountCents: 700 } }]
  const { planRules } = await program.graphql(
    `query ($input: PlanRulesInput!) { planRules(input: $input) { sales currencies { currency
      before { amount { amountCents } } after { amount { amountCents } commissions } affiliates { affiliate { id } } } } }`,
    { input: { rules, keepOthers: true } },
  )
  const mine = planRules.currencies.find(({ affiliates }: any) =>
    affiliates.some((one: any) => one.affiliate.id === affiliate.id),
  )
  expect(mine.after.amount.amountCents - mine.before.amount.amountCents).toBe(700)
})

it('a reward is explained by the name that its rule had then', async () => {
  const { campaign, affiliate, link } = await createSeller(program)
  const { id } = await createRule(campaign.id, { name: 'Spring' })
  await lead(link.token, 'spring@example.com')
  app.clock.advanceDays(1)
  const rename = `mutation ($input: UpdateCommissionRuleInput!) { updateCommissionRule(input: $input) { commissionRule { name } } }`
  await program.graphql(rename, { input: { id, name: 'Autumn', appliesTo: 'ALL_SALES' } })
  await lead(link.token, 'autumn@example.com')
  const summaries = (await commissionsOf(affiliate.id)).map(({ explanation }: any) => explanation.summary[0])
  expect(summaries).toEqual([expect.stringContaining('"Spring"'), expect.stringContaining('"Autumn"')])
})
