import { describe, expect, it } from 'vitest'
import { createTestApp } from '../../../support/app.ts'
import { createCampaign, createLead, createSeller, recordVisit } from '../../../support/factories.ts'

const app = await createTestApp()

const isoIn = (minutes: number) => new Date(app.clock.now.getTime() + minutes * 60_000).toISOString()

describe('signals count as they were when the sale occurred', () => {
  it('a sale that is reported late belongs to the lead of its time, not to a later one', async () => {
    const program = await app.createProgram()
    const [ada, bob] = [await createSeller(program), await createSeller(program)]
    await createLead(program, ada.link.token, 'grace@example.com')
    app.clock.advanceDays(2)
    const soldAt = isoIn(0)
    app.clock.advanceDays(1)
    await createLead(program, bob.link.token, 'grace@example.com')
    app.clock.advanceDays(1)
    const { body } = await program.post('/conversions', {
      amount_cents: 1_000,
      email: 'grace@example.com',
      occurred_at: soldAt,
    })
    expect(body.commission.affiliate_id).toBe(ada.affiliate.id)
  })

  it.each([
    ['in the same minute', 0, 201],
    ['9 minutes later', 9, 201],
    ['11 minutes later', 11, 422],
  ])('a lead that came %s', async (_name, minutes, expected) => {
    const program = await app.createProgram()
    const { link } = await createSeller(program)
    const soldAt = isoIn(0)
    app.clock.advanceMinutes(minutes)
    const { email } = await createLead(program, link.token)
    const { status } = await program.post('/conversions', { amount_cents: 1_000, email, occurred_at: soldAt })
    expect(status).toBe(expected)
  })

  it('sales by coupon that are reported in another order share one referral, and its limits', async () => {
    const program = await app.createProgram()
    const { coupon } = await createSeller(program, { max_commissions: 1 })
    const sale = (minutes: number) => ({ amount_cents: 100, coupon, email: 'a@b.co', occurred_at: isoIn(minutes) })
    const later = (await program.post('/conversions', sale(-60))).body.commission
    expect((await program.post('/conversions', sale(-120))).body.commission.amount).toBe(later.amount)
    expect((await program.get(`/commissions/${later.id}`)).body).toMatchObject({ amount: 0, state: 'void' })
    expect((await program.get('/referrals')).body.data).toHaveLength(1)
  })

  it.each([
    ['5 minutes before the visit', -5, null],
    ['an hour before the visit', -60, 'VISIT_AFTER_SALE'],
    ['an hour after the visit', 60, null],
  ])('a referral id with a sale %s', async (_name, minutes, heldReason) => {
    const program = await app.createProgram()
    const { link } = await createSeller(program, { days_before_commissions_are_due: 0 })
    const referral = await recordVisit(program, link.token)
    const soldAt = isoIn(minutes)
    app.clock.advanceDays(1)
    const { reportConversion } = await program.graphql(
      `mutation ($input: ReportConversionInput!) { reportConversion(input: $input) {
        commission { state heldReason amountCents } explanation { summary }
      } }`,
      { input: { referralId: referral.id, amountCents: 1_000, occurredAt: soldAt } },
    )
    const { commission, explanation } = reportConversion
    expect(commission).toEqual({ state: heldReason ? 'PENDING' : 'DUE', heldReason, amountCents: 100 })
    expect(explanation.summary.join(' ').includes('visit that was made after the sale')).toBe(heldReason !== null)
  })

  it('a later sale of a customer who converted by coupon is not held', async () => {
    const program = await app.createProgram()
    const { coupon } = await createSeller(program)
    const sale = (occurredAt: string) => ({ amount_cents: 1_000, coupon, email: 'a@b.co', occurred_at: occurredAt })
    await program.post('/conversions', sale(isoIn(-120)))
    const [referral] = (await program.get('/referrals')).body.data
    await program.post('/conversions', { amount_cents: 1_000, referral_id: referral.id, occurred_at: isoIn(-60) })
    const { commissions } = await program.graphql('{ commissions { nodes { heldReason } } }')
    expect(commissions.nodes).toEqual([{ heldReason: null }, { heldReason: null }])
  })
})

describe('the rule is that of the time of the sale, on every way in', () => {
  const changed = async () => {
    const program = await app.createProgram()
    const seller = await createSeller(program, { commission_percent: 10, max_commissions: 1 })
    const lead = await createLead(program, seller.link.token)
    await createLead(program, seller.link.token, 'kept@example.com')
    app.clock.advanceDays(1)
    const soldAt = isoIn(0)
    app.clock.advanceDays(1)
    await program.put(`/campaigns/${seller.campaign.id}`, { commission_percent: 50, max_commissions: '' })
    app.clock.advanceDays(1)
    return { program, ...seller, lead, soldAt }
  }

  it.each(['referral_id', 'coupon', 'email'] as const)('a late report by %s', async (signal) => {
    const { program, lead, coupon, soldAt } = await changed()
    const signals = { referral_id: lead.id, coupon, email: lead.email }
    const sale = { amount_cents: 1_000, [signal]: signals[signal], occurred_at: soldAt }
    const simulated = await program.post('/conversions?dry_run=true', sale)
    expect(simulated.body.commission.amount).toBe(100)
    expect((await program.post('/conversions', sale)).body.commission.amount).toBe(100)
    const now = { ...sale, occurred_at: isoIn(0) }
    expect((await program.post('/conversions', now)).body.commission.amount).toBe(500)
  })

  it('a new referral has the campaign that the affiliate belonged to', async () => {
    const { program, affiliate, campaign, coupon, soldAt } = await changed()
    const other = await createCampaign(program, { commission_percent: 90 })
    await program.put(`/affiliates/${affiliate.id}`, { campaign_id: other.id })
    const { body } = await program.post('/conversions', { amount_cents: 1_000, coupon, occurred_at: soldAt })
    expect(body.commission).toMatchObject({ amount: 100, campaign_id: campaign.id })
  })

  it.each([
    ['attributed by hand', false],
    ['reported again, without its time', true],
  ])('a sale that was kept, and then %s', async (_name, isRetried) => {
    const program = await app.createProgram()
    const { campaign, affiliate, coupon } = await createSeller(program, { commission_percent: 10 })
    const sale = { amount_cents: 1_000, email: 'guest', external_id: 'inv_1' }
    await program.post('/conversions', sale)
    app.clock.advanceDays(1)
    await program.post('/conversions', sale)
    await program.put(`/campaigns/${campaign.id}`, { commission_percent: 50 })
    app.clock.advanceDays(1)
    if (isRetried) await program.post('/conversions', { ...sale, coupon })
    else {
      const [kept] = (await program.graphql('{ unattributedSales { nodes { id } } }')).unattributedSales.nodes
      await program.graphql(
        'mutation ($id: ID!, $affiliateId: ID!) { attributeSale(input: { id: $id, affiliateId: $affiliateId }) { sale { id } } }',
        { id: kept.id, affiliateId: affiliate.id },
      )
    }
    const [commission] = (await program.get('/commissions')).body.data
    expect(commission.amount).toBe(100)
  })
})

describe('a new currency of a flat amount needs the amount', () => {
  it.each([
    ['the currency alone', { commission_currency: 'jpy' }, 422],
    ['the currency with the amount', { commission_currency: 'jpy', commission_amount_cents: 500 }, 200],
    ['the same currency', { commission_currency: 'EUR' }, 200],
    ['another currency and a percentage', { commission_currency: 'jpy', commission_percent: 5 }, 200],
  ])('%s', async (_name, change, expected) => {
    const program = await app.createProgram()
    const campaign = await createCampaign(program, { commission_amount_cents: 50_000, commission_currency: 'eur' })
    const { status, body } = await program.put(`/campaigns/${campaign.id}`, change)
    expect(status).toBe(expected)
    if (expected === 422)
      expect(body.details).toEqual([expect.stringContaining('Commission amount cents must be given')])
  })
})
