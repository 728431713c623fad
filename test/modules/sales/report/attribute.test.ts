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
/** What a sale that matches nobody is answered; `led` tells what came of the signals that were given. */
const noMatch = (...led: string[]) => ({
  error: 'No active affiliate matches this sale.',
  details: ['no_matching_affiliate', ...led],
})
const wins = async (fields: object) => (await reportSale(program, fields)).commission.affiliate_id
const lead = async (email?: string) => {
  const affiliate = await createAffiliate(program)
  return { affiliate, ...(await createLead(program, affiliate.links[0].token, email)) }
}
const disable = (affiliate: { id: string }) => program.put(`/affiliates/${affiliate.id}`, { state: 'disabled' })

describe('which signal wins', () => {
  it('referral_id, else coupon, else email', async () => {
    const [byId, byEmail, byCoupon] = [await lead(), await lead(), await createSeller(program)]
    const signals = { coupon: byCoupon.coupon, email: byEmail.email }
    expect(await wins({ ...signals, referral_id: byId.id })).toBe(byId.affiliate.id)
    expect(await wins(signals)).toBe(byCoupon.affiliate.id)
    const other = await lead()
    expect(await wins({ email: other.email })).toBe(other.affiliate.id)
  })

  it('the next one, where a signal finds nobody', async () => {
    const { affiliate, email } = await lead()
    expect(await wins({ referral_id: unknownId, coupon: 'NO-SUCH', email })).toBe(affiliate.id)
    expect(await wins({ referral_id: 'nonsense', coupon: '', email })).toBe(affiliate.id)
  })

  it('the next one, where a signal finds only an affiliate who is not active', async () => {
    const [byId, byCoupon, byEmail] = [await lead(), await createSeller(program), await lead()]
    await disable(byId.affiliate)
    const signals = { referral_id: byId.id, coupon: byCoupon.coupon, email: byEmail.email }
    expect(await wins(signals)).toBe(byCoupon.affiliate.id)
    await disable(byCoupon.affiliate)
    expect(await wins(signals)).toBe(byEmail.affiliate.id)
    await disable(byEmail.affiliate)
    const { status, body } = await program.post('/conversions', { ...signals, amount_cents: 100 })
    expect(status).toBe(422)
    expect(body).toEqual(
      noMatch('referral_id_affiliate_not_active', 'coupon_affiliate_not_active', 'email_affiliate_not_active'),
    )
  })

  it('GraphQL says which did', async () => {
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
  it('matches whatever its case', async () => {
    const { affiliate } = await lead('Grace@Example.com')
    expect(await wins({ email: 'gRACE@example.COM' })).toBe(affiliate.id)
  })

  it('never matches a bare visitor', async () => {
    const affiliate = await createAffiliate(program)
    await recordVisit(program, affiliate.links[0].token)
    const { status, body } = await program.post('/conversions', { amount_cents: 100, email: 'stranger@example.com' })
    expect(status).toBe(422)
    expect(body).toEqual(noMatch('email_not_found'))
  })

  it('the converted referral comes before a newer lead', async () => {
    const converted = await lead('both@example.com')
    await reportSale(program, { referral_id: converted.id })
    await lead('both@example.com')
    expect(await wins({ email: 'both@example.com' })).toBe(converted.affiliate.id)
  })

  it('the newest lead comes before older ones, the expired one not at all', async () => {
    const first = await lead('newest@example.com')
    const second = await lead('newest@example.com')
    expect(first.id < second.id).toBe(true)
    const brief = await createSeller(program, { days_before_referrals_expire: 1 })
    await createLead(program, brief.link.token, 'newest@example.com')
    app.clock.advanceDays(2)
    expect(await wins({ email: 'newest@example.com' })).toBe(second.affiliate.id)
  })

  it('an affiliate who is not active gives way to an older lead of one who is', async () => {
    const older = await lead('gives-way@example.com')
    const newer = await lead('gives-way@example.com')
    await disable(newer.affiliate)
    expect(await wins({ email: 'gives-way@example.com' })).toBe(older.affiliate.id)
  })

  it('a sale makes its customer known: the next one needs only the e-mail', async () => {
    const { affiliate, coupon } = await createSeller(program)
    await reportSale(program, { coupon, email: 'returning@example.com' })
    expect(await wins({ email: 'RETURNING@example.com' })).toBe(affiliate.id)
  })

  it("knows a customer by the e-mail they bought with, though it was not the lead's", async () => {
    const { affiliate, link } = await createSeller(program)
    const { id, email } = await createLead(program, link.token)
    await reportSale(program, { referral_id: id, email: 'at-the-checkout@example.com' })
    expect(await wins({ email: 'at-the-checkout@example.com' })).toBe(affiliate.id)
    expect(await wins({ email })).toBe(affiliate.id)
    expect(await listed(program, `/referrals?affiliate_id=${affiliate.id}`)).toHaveLength(1)
  })

  it('knows a customer who said who they are only after the first sale', async () => {
    const { affiliate, link } = await createSeller(program)
    const { id } = await recordVisit(program, link.token)
    await reportSale(program, { referral_id: id })
    await recordLead(program, id, 'said-later@example.com')
    expect(await wins({ email: 'said-later@example.com' })).toBe(affiliate.id)
  })
})

describe('the window of a referral', () => {
  it('gates the first sale: what occurred after it matches nobody', async () => {
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

  it('is open for a sale that occurred inside it, though it is reported later', async () => {
    const { affiliate, link } = await createSeller(program, { days_before_referrals_expire: 5 })
    const { id } = await createLead(program, link.token)
    const inside = new Date(app.clock.now.getTime() + 4 * 86_400_000).toISOString()
    app.clock.advanceDays(30)
    expect(await wins({ referral_id: id, occurred_at: inside })).toBe(affiliate.id)
  })

  it('never gates a later sale of a customer already converted', async () => {
    const { affiliate, link } = await createSeller(program, { days_before_referrals_expire: 5 })
    const { id, email } = await createLead(program, link.token)
    await reportSale(program, { referral_id: id })
    app.clock.advanceDays(400)
    expect(await wins({ referral_id: id })).toBe(affiliate.id)
    expect(await wins({ email })).toBe(affiliate.id)
  })
})

describe('coupon', () => {
  it('matches whatever its case, and needs no earlier visit', async () => {
    const affiliate = await createAffiliate(program)
    await createCoupon(program, affiliate.id, 'Mixed-Case')
    expect(await wins({ coupon: 'mIXED-cASE' })).toBe(affiliate.id)
    expect(await listed(program, `/referrals?affiliate_id=${affiliate.id}`)).toMatchObject([
      { conversion_state: 'conversion' },
    ])
  })

  it('uses the referral of that affiliate and customer where there is one', async () => {
    const { affiliate, coupon, link } = await createSeller(program)
    const { id, email } = await createLead(program, link.token)
    await reportSale(program, { coupon, email })
    await reportSale(program, { coupon, email })
    expect(await listed(program, `/referrals?affiliate_id=${affiliate.id}`)).toMatchObject([{ id }])
  })

  it("makes one, where the customer's referral is another affiliate's", async () => {
    const { affiliate, coupon } = await createSeller(program)
    const elsewhere = await lead()
    expect(await wins({ coupon, email: elsewhere.email })).toBe(affiliate.id)
    expect(await listed(program, `/referrals?affiliate_id=${affiliate.id}`)).toHaveLength(1)
    const untouched = await listed(program, `/referrals?affiliate_id=${elsewhere.affiliate.id}`)
    expect(untouched).toMatchObject([{ conversion_state: 'lead' }])
  })
})
