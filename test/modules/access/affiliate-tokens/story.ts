import { graphqlClient, type TestApp, type TestProgram } from '../../../support/app.ts'
import {
  createLead,
  createSeller,
  listed,
  made,
  recordLead,
  recordVisit,
  reportSale,
} from '../../../support/factories.ts'

/** A client with the token of an affiliate. */
export async function clientOf(test: TestApp, program: TestProgram, affiliateId: string) {
  const { createAffiliateToken } = await program.graphql(
    'mutation ($id: ID!) { createAffiliateToken(input: { affiliateId: $id }) { token } }',
    { id: affiliateId },
  )
  return graphqlClient(test.app.fetch, { Authorization: `Bearer ${createAffiliateToken.token}` })
}

/**
 * Two affiliates of one program, who share a campaign and a customer, and one of another program. Each has visits, a
 * lead, sales by coupon and by link, a paid payout, a refund after the payment, and an open payout.
 */
export async function tellStory(test: TestApp) {
  const program = await test.createProgram()
  const elsewhere = await test.createProgram()
  const terms = { days_before_commissions_are_due: 0, name: 'Partners of all' }
  const ada = await tell(program, 'ada', await createSeller(program, terms))
  const eve = await tell(program, 'eve', await createSeller(program, { ...terms, name: 'Only for eve' }))
  const joan = await tell(elsewhere, 'joan', await createSeller(elsewhere, terms))
  await made(program.put(`/affiliates/${eve.id}`, { campaign_id: ada.campaignId }))
  await reportSale(program, { coupon: eve.coupon, email: 'late-eve@customers.test' })
  // The shared customer: a lead of one affiliate, who bought with the coupon of the other.
  const shared = { email: 'shared@customers.test', customer_name: 'Shared Customer' }
  await recordLead(program, (await recordVisit(program, ada.linkToken)).id, shared.email)
  await reportSale(program, { ...shared, coupon: eve.coupon, external_id: 'shared-1' })
  await reportSale(program, { ...shared, coupon: ada.coupon, external_id: 'shared-2' })
  await made(program.get('/payouts'))
  return { program, elsewhere, ada, eve, joan }
}

type Seller = Awaited<ReturnType<typeof createSeller>>

async function tell(program: TestProgram, name: string, { affiliate, campaign, coupon, link }: Seller) {
  await made(
    program.put(`/affiliates/${affiliate.id}`, {
      email: `${name}@affiliates.test`,
      first_name: `First-${name}`,
      last_name: `Last-${name}`,
      paypal_email: `${name}@wallets.test`,
      stripe_customer_id: `billing-${name}`,
    }),
  )
  await recordVisit(program, link.token)
  await createLead(program, link.token, `lead-${name}@customers.test`)
  const customer = { email: `customer-${name}@customers.test`, customer_name: `Customer-${name} Of-${name}` }
  await reportSale(program, { ...customer, coupon, external_id: `sale-${name}-1` })
  for (const payout of await listed(program, '/payouts?state=pending'))
    await made(program.post(`/payouts/${payout.id}/pay`))
  const refund = { external_id: `sale-${name}-1`, amount_cents: 100, refund_external_id: `refund-${name}` }
  await made(program.post('/conversions/refund', refund))
  const { id: referralId } = await recordVisit(program, link.token)
  await reportSale(program, { ...customer, referral_id: referralId, external_id: `sale-${name}-2` })
  return { id: affiliate.id as string, campaignId: campaign.id as string, coupon, linkToken: link.token as string }
}
