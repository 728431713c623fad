import { describe, expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import {
  createAffiliate,
  createCampaign,
  createSeller,
  listed,
  reportSale,
  unknownId,
} from '../../support/factories.ts'

const app = await createTestApp()

describe('the due date', () => {
  it('makes a commission due from that instant on, without a background job', async () => {
    const program = await app.createProgram()
    const { coupon } = await createSeller(program, { days_before_commissions_are_due: 7 })
    const { commission } = await reportSale(program, { coupon })
    const read = async () => (await program.get(`/commissions/${commission.id}`)).body.state
    expect(Date.parse(commission.due_at) - app.clock.now.getTime()).toBe(7 * 86_400_000)
    app.clock.advanceDays(7 - 1 / 86_400_000)
    expect(await read()).toBe('pending')
    expect(await listed(program, '/commissions?state=due')).toEqual([])
    app.clock.advanceDays(1 / 86_400_000)
    expect(await read()).toBe('due')
    expect(await listed(program, '/commissions?state=due')).toHaveLength(1)
    expect(await listed(program, '/commissions?state=pending')).toEqual([])
  })

  it('is counted from the time of the sale, not from the time of the report', async () => {
    const program = await app.createProgram()
    const { coupon } = await createSeller(program, { days_before_commissions_are_due: 7 })
    const occurredAt = new Date(app.clock.now.getTime() - 10 * 86_400_000)
    const { commission } = await reportSale(program, { coupon, occurred_at: occurredAt.toISOString() })
    expect(commission.state).toBe('due')
    expect(Date.parse(commission.due_at)).toBe(occurredAt.getTime() + 7 * 86_400_000)
  })

  it('is the time of the sale when the campaign has 0 days before commissions are due', async () => {
    const program = await app.createProgram()
    const { coupon } = await createSeller(program, { days_before_commissions_are_due: 0 })
    expect((await reportSale(program, { coupon })).commission.state).toBe('due')
  })
})

describe('GET /commissions', () => {
  it('filters by one state, by several, by affiliate and by campaign', async () => {
    const program = await app.createProgram()
    const [one, two] = [
      await createSeller(program, { days_before_commissions_are_due: 0 }),
      await createSeller(program, { days_before_commissions_are_due: 9 }),
    ]
    const { commission: paid } = await reportSale(program, { coupon: one.coupon })
    const [payout] = await listed(program, '/payouts')
    await program.post(`/payouts/${payout.id}/pay`)
    const { commission: due } = await reportSale(program, { coupon: one.coupon })
    const { commission: pending } = await reportSale(program, { coupon: two.coupon })
    const { commission: voided } = await reportSale(program, { coupon: two.coupon })
    await program.delete(`/commissions/${voided.id}`)

    const ids = async (query: string) => (await listed(program, `/commissions?${query}`)).map(({ id }) => id)
    expect(await ids('')).toEqual([voided.id, pending.id, due.id, paid.id])
    expect(await ids('state=paid')).toEqual([paid.id])
    expect(await ids('state=due')).toEqual([due.id])
    expect(await ids('state[]=pending')).toEqual([pending.id])
    expect(await ids('state=void')).toEqual([voided.id])
    expect(await ids('state=voided')).toEqual([voided.id])
    expect(await ids('state[]=void&state%5B%5D=paid')).toEqual([voided.id, paid.id])
    expect(await ids(`affiliate_id=${one.affiliate.id}`)).toEqual([due.id, paid.id])
    expect(await ids(`campaign_id=${two.campaign.id}&state=pending`)).toEqual([pending.id])
    expect(await ids(`affiliate_id=${one.affiliate.id}&campaign_id=${two.campaign.id}`)).toEqual([])
    expect(await ids(`affiliate_id=${unknownId}`)).toEqual([])
    expect(await ids('campaign_id=nonsense')).toEqual([])
  })
})

describe('GET /commissions/{id}', () => {
  it('200 returns the documented fields and no others', async () => {
    const program = await app.createProgram()
    const { affiliate, campaign, coupon } = await createSeller(program)
    const { commission } = await reportSale(program, { coupon, amount_cents: 4999 })
    const { status, body } = await program.get(`/commissions/${commission.id}`)
    expect(status).toBe(200)
    expect(body).toEqual(commission)
    expect(body).toEqual({
      id: expect.any(String),
      object: 'commission',
      currency: 'usd',
      amount: 500,
      state: 'pending',
      due_at: new Date(app.clock.now.getTime() + 30 * 86_400_000).toISOString(),
      paid_at: null,
      campaign_id: campaign.id,
      affiliate_id: affiliate.id,
    })
  })

  it.each([unknownId, 'nonsense'])('404 names the id %s', async (id) => {
    const program = await app.createProgram()
    const responses = [
      await program.get(`/commissions/${id}`),
      await program.put(`/commissions/${id}`, { amount: 'nonsense' }),
      await program.delete(`/commissions/${id}`),
    ]
    for (const { status, body } of responses) {
      expect(status).toBe(404)
      expect(body).toEqual({ error: `Commission not found: ${id}` })
    }
  })
})

it('moving an affiliate to another campaign does not change existing commissions and referrals', async () => {
  const program = await app.createProgram()
  const { affiliate, campaign, coupon } = await createSeller(program)
  const { commission } = await reportSale(program, { coupon, email: 'moved@example.com' })
  const other = await createCampaign(program, { commission_percent: 90 })
  await program.put(`/affiliates/${affiliate.id}`, { campaign_id: other.id })
  expect((await program.get(`/commissions/${commission.id}`)).body).toEqual(commission)
  expect(await listed(program, '/referrals')).toMatchObject([{ campaign_id: campaign.id }])
  const fresh = await reportSale(program, { coupon, email: 'new@example.com' })
  expect(fresh.commission).toMatchObject({ campaign_id: other.id, amount: 9000 })
  await createAffiliate(program)
})
