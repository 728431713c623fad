import { describe, expect, it } from 'vitest'
import { createTestApp } from '../../../support/app.ts'
import {
  createAffiliate,
  createCoupon,
  createLead,
  createSeller,
  listed,
  recordLead,
  recordVisit,
  reportSale,
  unknownId,
} from '../../../support/factories.ts'

const app = await createTestApp()
const program = await app.createProgram()
/** The body of the 422 for an unattributed sale. `outcomes` are the outcomes of the given signals. */
const noMatch = (...outcomes: string[]) => ({
  error: 'No active affiliate matches this sale.',
  details: ['no_matching_affiliate', ...outcomes],
})
const winner = async (fields: object) => (await reportSale(program, fields)).commission.affiliate_id
const lead = async (email?: string) => {
  const affiliate = await createAffiliate(program)
  return { affiliate, ...(await createLead(program, affiliate.links[0].token, email)) }
}
const disable = (affiliate: { id: string }) => program.put(`/affiliates/${affiliate.id}`, { state: 'disabled' })

describe('the order of the signals', () => {
  it('is referral_id, then coupon, then email', async () => {
    const [byId, byEmail, byCoupon] = [await lead(), await lead(), await createSeller(program)]
    const signals = { coupon: byCoupon.coupon, email: byEmail.email }
    expect(await winner({ ...signals, referral_id: byId.id })).toBe(byId.affiliate.id)
    expect(await winner(signals)).toBe(byCoupon.affiliate.id)
    const other = await lead()
    expect(await winner({ email: other.email })).toBe(other.affiliate.id)
  })

  it('skips a signal that finds no affiliate', async () => {
    const { affiliate, email } = await lead()
    expect(await winner({ referral_id: unknownId, coupon: 'NO-SUCH', email })).toBe(affiliate.id)
    expect(await winner({ referral_id: 'nonsense', coupon: '', email })).toBe(affiliate.id)
  })

  it('skips a signal that finds only an inactive affiliate', async () => {
    const [byId, byCoupon, byEmail] = [await lead(), await createSeller(program), await lead()]
    await disable(byId.affiliate)
    const signals = { referral_id: byId.id, coupon: byCoupon.coupon, email: byEmail.email }
    expect(await winner(signals)).toBe(byCoupon.affiliate.id)
    await disable(byCoupon.affiliate)
    expect(await winner(signals)).toBe(byEmail.affiliate.id)
    await disable(byEmail.affiliate)
    const { status, body } = await program.post('/conversions', { ...signals, amount_cents: 100 })
    expect(status).toBe(422)
    expect(body).toEqual(
      noMatch('referral_id_affiliate_not_active', 'coupon_affiliate_not_active', 'email_affiliate_not_active'),
    )
  })

  it('is visible in GraphQL: attributedBy names the signal that matched', async () => {
    const report = async (input: object) => {
      const query = `mutation ($input: ReportConversionInput!) {
        reportConversion(input: $input) { sale { attributedBy } }
      }`
      return (await program.graphql(query, { input: { amountCents: 1, ...input } })).reportConversion.sale.attributedBy
    }
    const { id, email } = await lead()
    const { coupon } = await createSeller(program)
    expect(await report({ referralId: id, coupon })).toBe('REFERRAL_ID')
    expect(await report({ coupon, email })).toBe('COUPON')
    expect(await report({ email })).toBe('EMAIL')
  })
})

describe('email', () => {
  it('matches case-insensitively', async () => {
    const { affiliate } = await lead('Grace@Example.com')
    expect(await winner({ email: 'gRACE@example.COM' })).toBe(affiliate.id)
  })

  it('never matches a visitor without an e-mail', async () => {
    const affiliate = await createAffiliate(program)
    await recordVisit(program, affiliate.links[0].token)
    const { status, body } = await program.post('/conversions', { amount_cents: 100, email: 'stranger@example.com' })
    expect(status).toBe(422)
    expect(body).toEqual(noMatch('email_not_found'))
  })

  it('prefers the converted referral to a newer lead', async () => {
    const converted = await lead('both@example.com')
    await reportSale(program, { referral_id: converted.id })
    await lead('both@example.com')
    expect(await winner({ email: 'both@example.com' })).toBe(converted.affiliate.id)
  })

  it('prefers the newest lead, and ignores expired ones', async () => {
    const first = await lead('newest@example.com')
    const second = await lead('newest@example.com')
    expect(first.id < second.id).toBe(true)
    const brief = await createSeller(program, { days_before_referrals_expire: 1 })
    await createLead(program, brief.link.token, 'newest@example.com')
    app.clock.advanceDays(2)
    expect(await winner({ email: 'newest@example.com' })).toBe(second.affiliate.id)
  })

  it('prefers an older lead of an active affiliate to a newer lead of an inactive one', async () => {
    const older = await lead('gives-way@example.com')
    const newer = await lead('gives-way@example.com')
    await disable(newer.affiliate)
    expect(await winner({ email: 'gives-way@example.com' })).toBe(older.affiliate.id)
  })

  it('matches a customer whose earlier sale was attributed by coupon', async () => {
    const { affiliate, coupon } = await createSeller(program)
    await reportSale(program, { coupon, email: 'returning@example.com' })
    expect(await winner({ email: 'RETURNING@example.com' })).toBe(affiliate.id)
  })

  it("matches the e-mail of an earlier sale, even if the lead's e-mail was different", async () => {
    const { affiliate, link } = await createSeller(program)
    const { id, email } = await createLead(program, link.token)
    await reportSale(program, { referral_id: id, email: 'at-the-checkout@example.com' })
    expect(await winner({ email: 'at-the-checkout@example.com' })).toBe(affiliate.id)
    expect(await winner({ email })).toBe(affiliate.id)
    expect(await listed(program, `/referrals?affiliate_id=${affiliate.id}`)).toHaveLength(1)
  })

  it('matches a customer who became a lead only after the first sale', async () => {
    const { affiliate, link } = await createSeller(program)
    const { id } = await recordVisit(program, link.token)
    await reportSale(program, { referral_id: id })
    await recordLead(program, id, 'said-later@example.com')
    expect(await winner({ email: 'said-later@example.com' })).toBe(affiliate.id)
  })
})

describe('the expiry of a referral', () => {
  it('applies to the first sale: a sale that occurred later is not attributed', async () => {
    const { link } = await createSeller(program, { days_before_referrals_expire: 5 })
    const { id, email } = await createLead(program, link.token)
    const expiresAt = app.clock.now.getTime() + 5 * 86_400_000
    app.clock.advanceDays(6)
    const sale = { amount_cents: 100, occurred_at: new Date(expiresAt + 1).toISOString() }
    expect((await program.post('/conversions', { ...sale, referral_id: id })).body).toEqual(
      noMatch('referral_id_expired'),
    )
    expect((await program.post('/conversions', { ...sale, email })).body).toEqual(noMatch('email_expired'))
  })

  it('does not apply to a sale that occurred before it and was reported later', async () => {
    const { affiliate, link } = await createSeller(program, { days_before_referrals_expire: 5 })
    const { id } = await createLead(program, link.token)
    const inside = new Date(app.clock.now.getTime() + 4 * 86_400_000).toISOString()
    app.clock.advanceDays(30)
    expect(await winner({ referral_id: id, occurred_at: inside })).toBe(affiliate.id)
  })

  it('does not apply to later sales of a converted customer', async () => {
    const { affiliate, link } = await createSeller(program, { days_before_referrals_expire: 5 })
    const { id, email } = await createLead(program, link.token)
    await reportSale(program, { referral_id: id })
    app.clock.advanceDays(400)
    expect(await winner({ referral_id: id })).toBe(affiliate.id)
    expect(await winner({ email })).toBe(affiliate.id)
  })
})

describe('coupon', () => {
  it('matches case-insensitively, and needs no earlier visit', async () => {
    const affiliate = await createAffiliate(program)
    await createCoupon(program, affiliate.id, 'Mixed-Case')
    expect(await winner({ coupon: 'mIXED-cASE' })).toBe(affiliate.id)
    expect(await listed(program, `/referrals?affiliate_id=${affiliate.id}`)).toMatchObject([
      { conversion_state: 'conversion' },
    ])
  })

  it('uses the existing referral of that affiliate and customer', async () => {
    const { affiliate, coupon, link } = await createSeller(program)
    const { id, email } = await createLead(program, link.token)
    await reportSale(program, { coupon, email })
    await reportSale(program, { coupon, email })
    expect(await listed(program, `/referrals?affiliate_id=${affiliate.id}`)).toMatchObject([{ id }])
  })

  it("creates a referral when the customer's referral belongs to another affiliate", async () => {
    const { affiliate, coupon } = await createSeller(program)
    const elsewhere = await lead()
    expect(await winner({ coupon, email: elsewhere.email })).toBe(affiliate.id)
    expect(await listed(program, `/referrals?affiliate_id=${affiliate.id}`)).toHaveLength(1)
    const untouched = await listed(program, `/referrals?affiliate_id=${elsewhere.affiliate.id}`)
    expect(untouched).toMatchObject([{ conversion_state: 'lead' }])
  })
})
