import { expect, it } from 'vitest'
import { createTestApp } from '../../../support/app.ts'
import { createSeller, recordVisit } from '../../../support/factories.ts'
import { createFeedOf, sendEvents } from '../../../support/feeds.ts'

const app = await createTestApp()

it('takes credit lines, and several values where a referral is expected', async () => {
  const program = await app.createProgram()
  const { link, campaign } = await createSeller(program, { commission_percent: 20 })
  await program.graphql(
    'mutation ($input: CreateCommissionRuleInput!) { createCommissionRule(input: $input) { commissionRule { id } } }',
    {
      input: {
        ...{ campaignId: campaign.id, name: 'Pro', appliesTo: 'ALL_SALES' },
        conditions: { productIds: ['pro'] },
        reward: { percent: 50 },
      },
    },
  )
  app.clock.advanceMinutes(10)
  const { id: referral } = await recordVisit(program, link.token)
  const feed = await createFeedOf(program, 'GENERIC')
  const upgrade = {
    ...{ type: 'sale', id: 'order_1', currency: 'USD', amount: '40.00', occurredAt: app.clock.now.toISOString() },
    items: [
      { productId: 'basic', amount: '-10.00' },
      { productId: 'pro', amountCents: 5_000 },
    ],
    referralId: ['user_42', referral],
  }
  expect(await sendEvents(app, feed.url, 'GENERIC', [upgrade])).toEqual([200])
  const { sales } = await program.graphql(
    '{ sales(first: 9) { nodes { amountCents items { productId amountCents } commissions { nodes { amountCents } } } } }',
  )
  expect(sales.nodes).toEqual([
    {
      amountCents: 4_000,
      items: [
        { productId: 'basic', amountCents: -1_000 },
        { productId: 'pro', amountCents: 5_000 },
      ],
      commissions: { nodes: [{ amountCents: 2_300 }] },
    },
  ])
})
