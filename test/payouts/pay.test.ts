import { describe, expect, it } from 'vitest'
import { createTestApp } from '../support/app.ts'
import { createSeller, listed, reportSale, unknownId } from '../support/factories.ts'

const app = await createTestApp()

async function openPayout(campaign: object = {}, amountCents = 10_000) {
  const program = await app.createProgram()
  const seller = await createSeller(program, { days_before_commissions_are_due: 0, ...campaign })
  const { commission } = await reportSale(program, { coupon: seller.coupon, amount_cents: amountCents })
  const [payout] = await listed(program, '/payouts')
  return { program, ...seller, commission, payout }
}

describe('POST /payouts/{id}/pay', () => {
  it('200 marks the payout and its commissions paid, at one instant', async () => {
    const { program, payout, commission } = await openPayout()
    app.clock.advanceDays(1)
    const paidAt = app.clock.now.toISOString()
    const { status, body } = await program.post(`/payouts/${payout.id}/pay`)
    expect(status).toBe(200)
    expect(body).toEqual({ ...payout, state: 'paid', paid_at: paidAt })
    expect(await listed(program, '/payouts')).toEqual([body])
    const paid = { ...commission, state: 'paid', paid_at: paidAt }
    expect((await program.get(`/commissions/${commission.id}`)).body).toEqual(paid)
  })

  it('200 again answers the same payout, and changes nothing', async () => {
    const { program, payout } = await openPayout()
    const { body: first } = await program.post(`/payouts/${payout.id}/pay`)
    app.clock.advanceDays(1)
    const { status, body } = await program.post(`/payouts/${payout.id}/pay`)
    expect(status).toBe(200)
    expect(body).toEqual(first)
  })

  it('200 again also where the minimum has been raised since', async () => {
    const { program, payout, campaign } = await openPayout()
    const { body: first } = await program.post(`/payouts/${payout.id}/pay`)
    await program.put(`/campaigns/${campaign.id}`, { minimum_payout_cents: 1_000_000 })
    const { status, body } = await program.post(`/payouts/${payout.id}/pay`)
    expect(status).toBe(200)
    expect(body).toEqual(first)
  })

  it.each([
    ['POST', {}],
    ['PUT', { 'Content-Type': 'application/json', 'Content-Length': '0' }],
    ['PUT', { 'Content-Type': 'application/x-www-form-urlencoded' }],
    ['POST', { 'Content-Type': 'text/plain' }],
  ])('200 for %s without a body, whatever its headers: %j', async (method, headers) => {
    const { program, payout } = await openPayout()
    const { status, body } = await program.send(`/payouts/${payout.id}/pay`, { method, headers })
    expect(status).toBe(200)
    expect(body.state).toBe('paid')
  })

  it('what becomes due later goes into a new payout', async () => {
    const { program, payout, coupon } = await openPayout()
    await program.post(`/payouts/${payout.id}/pay`)
    await reportSale(program, { coupon, amount_cents: 200 })
    const payouts = await listed(program, '/payouts')
    expect(payouts.map(({ state, amount }) => [state, amount])).toEqual([
      ['pending', 20],
      ['paid', 1000],
    ])
    expect(await listed(program, '/payouts?state=paid')).toMatchObject([{ id: payout.id }])
    expect(await listed(program, '/payouts?state[]=pending')).toMatchObject([{ amount: 20 }])
  })

  it('pays the payout as it was seen: what became due since is not in it', async () => {
    const { program, payout, coupon } = await openPayout()
    const { commission } = await reportSale(program, { coupon, amount_cents: 200 })
    expect((await program.post(`/payouts/${payout.id}/pay`)).body.amount).toBe(1000)
    expect((await program.get(`/commissions/${commission.id}`)).body.state).toBe('due')
    expect(await listed(program, '/payouts?state=pending')).toMatchObject([{ amount: 20 }])
  })

  it("422 below the campaign's minimum, and 200 at it", async () => {
    const { program, payout, coupon } = await openPayout({ minimum_payout_cents: 1020 })
    const { status, body } = await program.post(`/payouts/${payout.id}/pay`)
    expect(status).toBe(422)
    expect(body).toEqual({ error: expect.stringContaining('minimum') })
    expect(await listed(program, '/payouts')).toEqual([payout])
    expect(await listed(program, '/commissions')).toMatchObject([{ state: 'due', paid_at: null }])
    await reportSale(program, { coupon, amount_cents: 200 })
    await listed(program, '/payouts')
    expect((await program.post(`/payouts/${payout.id}/pay`)).status).toBe(200)
  })

  it.each([unknownId, 'nonsense'])('404 names the id %s', async (id) => {
    const { program } = await openPayout()
    for (const method of ['POST', 'PUT']) {
      const { status, body } = await program.send(`/payouts/${id}/pay`, { method })
      expect(status).toBe(404)
      expect(body).toEqual({ error: `Payout not found: ${id}` })
    }
  })
})
