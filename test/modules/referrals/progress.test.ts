import { describe, expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { createAffiliate, createSeller, listed, recordLead, recordVisit, unknownId } from '../../support/factories.ts'

const app = await createTestApp()
const program = await app.createProgram()
const counters = async (affiliateId: string) => {
  const { body } = await program.get(`/affiliates/${affiliateId}`)
  return [body, ...body.links].map(({ visitors, leads, conversions }) => [visitors, leads, conversions])
}

describe('a visit', () => {
  it("creates a referral that expires after the campaign's days, and counts it", async () => {
    const { affiliate, campaign, link } = await createSeller(program, { days_before_referrals_expire: 7 })
    const { id } = await recordVisit(program, link.token.toUpperCase())
    expect(await listed(program, `/referrals?affiliate_id=${affiliate.id}`)).toEqual([
      {
        id,
        object: 'referral',
        conversion_state: 'visitor',
        became_lead_at: null,
        became_conversion_at: null,
        expires_at: new Date(app.clock.now.getTime() + 7 * 86_400_000).toISOString(),
        billing_customer_id: null,
        affiliate_id: affiliate.id,
        campaign_id: campaign.id,
      },
    ])
    expect(await counters(affiliate.id)).toEqual([
      [1, 0, 0],
      [1, 0, 0],
    ])
  })

  it('is counted by its link and by the affiliate', async () => {
    const affiliate = await createAffiliate(program)
    await program.post('/affiliate_links', { affiliate_id: affiliate.id, token: 'second-link' })
    await recordVisit(program, affiliate.links[0].token)
    for (let i = 0; i < 2; i++) await recordVisit(program, 'second-link')
    expect(await counters(affiliate.id)).toEqual([
      [3, 0, 0],
      [1, 0, 0],
      [2, 0, 0],
    ])
  })

  it.each(['disabled', 'suspicious'])('is rejected if the affiliate is %s', async (state) => {
    const affiliate = await createAffiliate(program)
    await program.put(`/affiliates/${affiliate.id}`, { state })
    await expect(recordVisit(program, affiliate.links[0].token)).rejects.toThrow(/not active/)
    expect(await counters(affiliate.id)).toEqual([
      [0, 0, 0],
      [0, 0, 0],
    ])
  })

  it('is rejected for an unknown link', async () => {
    await expect(recordVisit(program, 'no-such-link')).rejects.toThrow(/not found/)
  })
})

describe('a lead', () => {
  it('is recorded and counted once, even if it is reported again', async () => {
    const affiliate = await createAffiliate(program)
    const { id } = await recordVisit(program, affiliate.links[0].token)
    app.clock.advanceDays(1)
    const becameLeadAt = app.clock.now.toISOString()
    await recordLead(program, id, 'lead@example.com', { billingCustomerId: 'cus_9' })
    app.clock.advanceDays(1)
    await recordLead(program, id, 'somebody-else@example.com')
    expect(await listed(program, `/referrals?affiliate_id=${affiliate.id}`)).toMatchObject([
      { conversion_state: 'lead', became_lead_at: becameLeadAt, billing_customer_id: 'cus_9' },
    ])
    expect(await counters(affiliate.id)).toEqual([
      [1, 1, 0],
      [1, 1, 0],
    ])
    expect(await listed(program, '/referrals?email=somebody-else@example.com')).toEqual([])
  })

  it('is rejected once the referral has expired', async () => {
    const { affiliate, link } = await createSeller(program, { days_before_referrals_expire: 1 })
    const { id } = await recordVisit(program, link.token)
    app.clock.advanceDays(1)
    await expect(recordLead(program, id, 'late@example.com')).rejects.toThrow(/expired/)
    expect(await counters(affiliate.id)).toEqual([
      [1, 0, 0],
      [1, 0, 0],
    ])
  })

  it.each(['disabled', 'suspicious'])('is rejected if the affiliate is %s', async (state) => {
    const affiliate = await createAffiliate(program)
    const { id } = await recordVisit(program, affiliate.links[0].token)
    await program.put(`/affiliates/${affiliate.id}`, { state })
    await expect(recordLead(program, id, 'x@example.com')).rejects.toThrow(/not active/)
  })

  it.each([unknownId, 'nonsense'])('is rejected for the unknown referral %s', async (id) => {
    await expect(recordLead(program, id, 'x@example.com')).rejects.toThrow(`Referral not found: ${id}`)
  })
})
