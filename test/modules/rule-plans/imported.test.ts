import { expect, it } from 'vitest'
import { createTestApp, graphqlClient, restClient } from '../../support/app.ts'
import { made } from '../../support/factories.ts'
import { beginImport } from '../imports/story.ts'

const app = await createTestApp()

it('a customer who is known only by an imported conversion is not new in a plan', async () => {
  const { secret, takeAll, finish } = await beginImport(app)
  await takeAll({ commissions: [] })
  await finish()
  const headers = { Authorization: `Bearer ${secret}` }
  const graphql = graphqlClient(app.app.fetch, headers)
  const { affiliates } = await graphql('{ affiliates(first: 1) { nodes { id campaign { id } } } }')
  const [{ id: affiliateId, campaign }] = affiliates.nodes
  await graphql(
    'mutation ($input: CreateAffiliateCouponInput!) { createAffiliateCoupon(input: $input) { __typename } }',
    {
      input: { affiliateId, token: 'ADA' },
    },
  )
  const since = app.clock.now.toISOString()
  for (const email of ['grace@shop.test', 'new@shop.test'])
    await made(restClient(app.app.fetch, headers).post('/conversions', { coupon: 'ADA', email, amount_cents: 1_000 }))
  const rule = { campaignId: campaign.id, name: 'New', reward: { percent: 50 }, appliesTo: 'NEW_CUSTOMERS' }
  const { planRules } = await graphql(
    `query ($input: PlanRulesInput!) { planRules(input: $input) {
      currencies { before { amount { cents } } after { amount { cents } } } } }`,
    { input: { rules: [rule], since } },
  )
  expect(planRules.currencies).toEqual([{ before: { amount: { cents: 400 } }, after: { amount: { cents: 700 } } }])
})
