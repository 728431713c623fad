import { describe, expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { createCampaign, createSeller, reportSale } from '../../support/factories.ts'

const app = await createTestApp()
const program = await app.createProgram()

it('200 updates the given fields and keeps the others', async () => {
  const before = await createCampaign(program, { max_commissions: 3, minimum_payout_cents: 100 })
  app.clock.advanceDays(1)
  const { status, body } = await program.put(`/campaigns/${before.id}`, { name: 'Renamed', private: true })
  expect(status).toBe(200)
  expect(body).toEqual({ ...before, name: 'Renamed', private: true, updated_at: app.clock.now.toISOString() })
  expect((await program.get(`/campaigns/${before.id}`)).body).toEqual(body)
})

it.each([{ commission_percent: 12.5 }, { commission_amount_cents: 700, max_commissions: 2 }])(
  '200 takes the whole resource back as it was read, and changes nothing by it: %j',
  async (fields) => {
    const before = await createCampaign(program, fields)
    const { status, body } = await program.put(`/campaigns/${before.id}`, before)
    expect(status).toBe(200)
    expect({ ...body, updated_at: before.updated_at }).toEqual(before)
  },
)

it.each([null, ''])('200 clears the limits with %j', async (nothing) => {
  const { id } = await createCampaign(program, { max_commissions: 3, max_commission_period_in_months: 6 })
  const { body } = await program.put(`/campaigns/${id}`, {
    max_commissions: nothing,
    max_commission_period_in_months: nothing,
  })
  expect(body).toMatchObject({ max_commissions: null, max_commission_period_in_months: null })
})

describe('the reward', () => {
  it('200 a new value decides the reward type', async () => {
    const { id } = await createCampaign(program, { commission_percent: 10 })
    expect((await program.put(`/campaigns/${id}`, { commission_amount_cents: 700 })).body).toMatchObject({
      reward_type: 'amount',
      commission_percent: null,
      commission_amount_cents: 700,
    })
    expect((await program.put(`/campaigns/${id}`, { commission_percent: '7.5' })).body).toMatchObject({
      reward_type: 'percent',
      commission_percent: 7.5,
      commission_amount_cents: null,
    })
  })

  it.each([
    ['nothing is left', { commission_percent: null }],
    ['nothing is left', { commission_percent: '' }],
    ['the other reward is chosen but not given', { reward_type: 'amount' }],
    ['both are given', { commission_percent: 5, commission_amount_cents: 500 }],
    ['it is no reward type', { reward_type: 'gift' }],
    ['it is blank', { reward_type: '' }],
  ])('422 when %s: %j', async (_label, fields) => {
    const before = await createCampaign(program, { commission_percent: 10 })
    const { status, body } = await program.put(`/campaigns/${before.id}`, fields)
    expect(status).toBe(422)
    expect(body).toEqual({ error: 'Could not update campaign.', details: [expect.any(String)] })
    expect((await program.get(`/campaigns/${before.id}`)).body).toEqual(before)
  })

  it('applies to later commissions and not to existing ones', async () => {
    const { campaign, coupon } = await createSeller(program, { commission_percent: 10 })
    const { commission: old } = await reportSale(program, { coupon, email: 'rule@example.com' })
    await program.put(`/campaigns/${campaign.id}`, { commission_percent: 50, days_before_commissions_are_due: 1 })
    const { commission: fresh } = await reportSale(program, { coupon, email: 'rule@example.com' })
    expect((await program.get(`/commissions/${old.id}`)).body).toEqual(old)
    expect([old.amount, fresh.amount]).toEqual([1000, 5000])
    expect(Date.parse(old.due_at) - Date.parse(fresh.due_at)).toBe(29 * 86_400_000)
  })
})

it.each([
  'name',
  'url',
  'private',
  'commission_currency',
  'minimum_payout_cents',
  'days_before_referrals_expire',
  'days_before_commissions_are_due',
])('422 when %s, which is not nullable, is cleared', async (field) => {
  const { id } = await createCampaign(program)
  for (const nothing of [null, '']) {
    const { status, body } = await program.put(`/campaigns/${id}`, { [field]: nothing })
    expect(status).toBe(422)
    expect(body.details).toEqual([expect.stringMatching(/can't be blank$/)])
  }
})
