import type { TestApp, TestProgram } from '../../support/app.ts'
import {
  createAffiliate,
  createCampaign,
  createCoupon,
  createLead,
  made,
  recordLead,
  recordVisit,
  reportSale,
} from '../../support/factories.ts'
import { createPage } from '../../support/tracking.ts'

/**
 * A small program with every resource in all of its states, and with nullable fields both null and set. All counts are
 * different, so that counting the wrong rows shows.
 *
 * Ada has a link and a coupon, and earns 10 percent, due immediately and without a minimum payout. Bob earns 5.00 per sale
 * with a minimum payout of 50.00. Eve is disabled and has earned nothing.
 */
export async function tellStory(test: TestApp, program: TestProgram) {
  const atOnce = { days_before_commissions_are_due: 0 }
  const percent = await createCampaign(program, { name: 'Partners', url: 'https://acme.test/partners', ...atOnce })
  const fixed = await createCampaign(program, {
    name: 'Launch',
    url: 'https://acme.test/launch?from=launch',
    commission_amount_cents: 500,
    minimum_payout_cents: 5000,
    max_commissions: 12,
    max_commission_period_in_months: 24,
    ...atOnce,
  })
  const later = await createCampaign(program, { name: 'Later', commission_percent: 12.5, private: true })

  const ada = await createAffiliate(program, {
    campaign_id: percent.id,
    email: 'ada@example.com',
    first_name: 'Ada',
    last_name: 'Lovelace',
    wallet_a_email: 'ada.a@example.com',
    token: 'ada',
  })
  await made(program.put(`/affiliates/${ada.id}`, { billing_customer_id: 'cus_ada' }))
  const bob = await createAffiliate(program, { campaign_id: fixed.id, email: 'bob@example.com', token: 'bob' })
  const eve = await createAffiliate(program, { campaign_id: later.id, email: 'eve@example.com', token: 'eve' })
  const inactive = {
    state: 'disabled',
    wallet_b_email: 'eve.b@example.com',
    receive_new_commission_notifications: false,
  }
  await made(program.put(`/affiliates/${eve.id}`, inactive))
  const coupon = await createCoupon(program, ada.id, 'ADA20')

  // Ada: two visitors, a lead, a lead who buys three times, and two customers with her coupon.
  const page = createPage(test.app, program)
  const visit = async (visitor: string) => (await made(page.visit('ada', { visitor }))).referral_id as string
  const visitors = [await visit('visitor-1'), await visit('visitor-2')]
  const lead = await createLead(program, 'ada', 'lead@example.com')
  const buyer = await createLead(program, 'ada', 'grace@example.com')
  test.clock.advanceMinutes(10)
  const sell = async (fields: object) => (await reportSale(program, fields)) as { sale_id: string; commission: any }
  const byEmail = { email: 'grace@example.com', customer_name: 'Grace Hopper' }
  const refunded = await sell({ ...byEmail, amount_cents: 10_000, external_id: 'ch_1' })
  await made(
    program.post('/conversions/refund', { external_id: 'ch_1', amount_cents: 2500, refund_external_id: 're_1' }),
  )
  const voided = await sell({ ...byEmail, amount_cents: 3000 })
  await made(program.delete(`/commissions/${voided.commission.id}`))
  const inEuros = await sell({ ...byEmail, amount_cents: 7001, currency: 'eur', external_id: 'ch_2' })
  const byCoupon = await sell({ coupon: 'ada20', amount_cents: 4000, email: 'alan@example.com', external_id: 'ch_3' })
  const withoutEmail = await sell({ coupon: 'ADA20', amount_cents: 4 })

  // The payout in US dollars is paid with this key. A refund and another sale after that wait for the next payout.
  const open = (await made(program.get(`/payouts?affiliate_id=${ada.id}`))).data
  const inDollars = open.find((payout: { currency: string }) => payout.currency === 'usd')
  test.clock.advanceMinutes(10)
  await made(program.post(`/payouts/${inDollars.id}/pay`))
  test.clock.advanceMinutes(10)
  await made(
    program.post('/conversions/refund', { external_id: 'ch_3', amount_cents: 1000, refund_external_id: 're_2' }),
  )
  const next = await sell({ coupon: 'ADA20', amount_cents: 90_000, email: 'alan@example.com', external_id: 'ch_4' })

  // Bob: one customer and two sales, below his minimum payout.
  const bobs = await recordVisit(program, 'bob')
  await recordLead(program, bobs.id, 'linus@example.com', { billingCustomerId: 'cus_linus' })
  const small = await sell({ referral_id: bobs.id, amount_cents: 2000, external_id: 'ch_5' })
  await sell({ referral_id: bobs.id, amount_cents: 2100, external_id: 'ch_6' })

  // Ada moves to another campaign. Her next commissions are not due yet.
  await made(program.put(`/affiliates/${ada.id}`, { campaign_id: later.id }))
  const pending = await sell({ coupon: 'ADA20', amount_cents: 800, email: 'new@example.com', external_id: 'ch_7' })
  await made(program.get('/payouts'))
  await test.app.flush()
  const { keyId } = program
  return {
    campaigns: { percent, fixed, later },
    affiliates: { ada, bob, eve },
    coupon,
    keyId,
    referrals: { visitors, lead, buyer, bobs },
    sales: { refunded, voided, inEuros, byCoupon, withoutEmail, next, small, pending },
    paid: inDollars as { id: string },
  }
}

export type Story = Awaited<ReturnType<typeof tellStory>>
