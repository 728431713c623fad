import { expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { createAffiliate, createCampaign, createCoupon, createLead, reportSale } from '../../support/factories.ts'
import { earner } from '../../support/payout-runs.ts'
import { createStripeFeed, sendStripe, stripeEvent } from '../../support/stripe.ts'

const app = await createTestApp()

const query = `query ($text: String!, $first: Int) {
  search(text: $text, first: $first) {
    affiliates { email } customers { email } sales { externalId } coupons { token affiliate { email } }
    payouts { reference } campaigns { name }
  }
}`

/** What was found, without the kinds of which nothing was. */
async function found(program: Awaited<ReturnType<typeof app.createProgram>>, text: string, first?: number) {
  const { search } = await program.graphql(query, { text, ...(first && { first }) })
  return Object.fromEntries(Object.entries(search).filter(([, rows]) => (rows as object[]).length > 0))
}

it('one search finds affiliates, customers, sales, coupons, payouts and campaigns', async () => {
  const program = await app.createProgram()
  const campaign = await createCampaign(program, { name: 'Spring partners' })
  const ada = await createAffiliate(program, {
    email: 'ada@lovelace.test',
    first_name: 'Ada',
    last_name: 'Lovelace',
    campaign_id: campaign.id,
  })
  await createCoupon(program, ada.id, 'ADA20')
  const lead = await createLead(program, ada.links[0].token, 'grace@hopper.test', { name: 'Grace Hopper' })
  await reportSale(program, { email: lead.email, external_id: 'ORD-1002' })
  await reportSale(program, { email: lead.email, external_id: 'ORD-1001' })

  const affiliates = [{ email: 'ada@lovelace.test' }]
  expect(await found(program, 'lace ADA')).toEqual({ affiliates })
  expect(await found(program, 'ada@')).toEqual({ affiliates })
  expect(await found(program, 'hopp')).toEqual({ customers: [{ email: 'grace@hopper.test' }] })
  expect(await found(program, 'gr')).toEqual({ customers: [{ email: 'grace@hopper.test' }] })
  expect(await found(program, 'ada2')).toEqual({
    coupons: [{ token: 'ADA20', affiliate: { email: 'ada@lovelace.test' } }],
  })
  expect(await found(program, 'ord-1')).toEqual({ sales: [{ externalId: 'ORD-1001' }, { externalId: 'ORD-1002' }] })
  expect(await found(program, 'ORD-1', 1)).toEqual({ sales: [{ externalId: 'ORD-1001' }] })
  expect(await found(program, 'ring par')).toEqual({ campaigns: [{ name: 'Spring partners' }] })
  expect(await found(program, ada.id.toUpperCase())).toEqual({ affiliates })
  expect(await found(program, '1002')).toEqual({})
  expect(await found(program, '%')).toEqual({})
})

it('a paid payout is found by the reference of its payment', async () => {
  const program = await app.createProgram()
  const { payout } = await earner(program)
  await program.graphql('mutation ($input: PayPayoutInput!) { payPayout(input: $input) { payout { id } } }', {
    input: { id: payout.id, reference: 'Batch_7' },
  })
  expect(await found(program, 'Batch_')).toEqual({ payouts: [{ reference: 'Batch_7' }] })
  expect(await found(program, 'batchx')).toEqual({})
})

it('rejects a search for nothing, and for too much at once', async () => {
  const program = await app.createProgram()
  await expect(found(program, ' ')).rejects.toThrow("Text can't be blank.")
  await expect(found(program, 'ada', 21)).rejects.toThrow('First')
})

it('a sale that no affiliate brought is found with its events, by invoice, e-mail and customer', async () => {
  const program = await app.createProgram()
  const feed = await createStripeFeed(program)
  const invoice = {
    id: 'in_1Qab',
    customer: 'cus_9',
    customer_email: 'Grace@Hopper.test',
    customer_name: 'Grace Hopper',
  }
  const paid = { ...invoice, currency: 'usd', status: 'paid', total: 9_000, amount_paid: 9_000, payment_intent: 'pi_1' }
  await sendStripe(app, feed.url, stripeEvent('invoice.paid', paid))
  await app.app.deriveFeeds()
  const search = async (text: string) =>
    (
      await program.graphql(
        'query ($text: String!) { search(text: $text) { unattributedSales { externalId } feedEvents { id type } } }',
        { text },
      )
    ).search
  const both = {
    unattributedSales: [{ externalId: 'in_1Qab' }],
    feedEvents: [{ id: expect.any(String), type: 'invoice.paid' }],
  }
  for (const text of ['in_1Qab', '1qab', 'grace@hopper.test', 'hopper gr', 'cus_9'])
    expect(await search(text)).toEqual(both)
  expect(await search('pi_1')).toEqual({ ...both, unattributedSales: [] })
  expect(await search('nobody')).toEqual({ unattributedSales: [], feedEvents: [] })
  const [event] = (await search('pi_1')).feedEvents
  expect(await search(event.id)).toEqual({ ...both, unattributedSales: [] })
  app.clock.advanceDays(91)
  expect((await search('hopper')).unattributedSales).toEqual([])
})
