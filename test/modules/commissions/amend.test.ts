import { describe, expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { createSeller, listed, reportSale } from '../../support/factories.ts'

const app = await createTestApp()
const program = await app.createProgram()

const pendingCommission = async () => {
  const { coupon } = await createSeller(program)
  return (await reportSale(program, { coupon })).commission
}
const paidCommission = async () => {
  const { affiliate, coupon } = await createSeller(program, { days_before_commissions_are_due: 0 })
  const { commission } = await reportSale(program, { coupon })
  const [payout] = await listed(program, `/payouts?affiliate_id=${affiliate.id}`)
  await program.post(`/payouts/${payout.id}/pay`)
  return (await program.get(`/commissions/${commission.id}`)).body
}

describe('PUT /commissions/{id}', () => {
  it.each([1, 0, '1200', Number.MAX_SAFE_INTEGER, '9007199254740991'])('200 sets the amount to %j', async (amount) => {
    const before = await pendingCommission()
    const { status, body } = await program.put(`/commissions/${before.id}`, { amount })
    expect(status).toBe(200)
    expect(body).toEqual({ ...before, amount: Number(amount) })
    expect((await program.get(`/commissions/${before.id}`)).body).toEqual(body)
  })

  it('200 when the commission is due', async () => {
    const { coupon } = await createSeller(program, { days_before_commissions_are_due: 0 })
    const { commission } = await reportSale(program, { coupon })
    const { status, body } = await program.put(`/commissions/${commission.id}`, { amount: 7 })
    expect(status).toBe(200)
    expect(body).toMatchObject({ state: 'due', amount: 7 })
  })

  it('200 ignores all other fields of the body', async () => {
    const before = await pendingCommission()
    const { status, body } = await program.put(`/commissions/${before.id}`, {
      id: 'x',
      state: 'paid',
      currency: 'eur',
      campaign_id: null,
      amount_cents: 5,
    })
    expect(status).toBe(200)
    expect(body).toEqual(before)
    expect((await program.put(`/commissions/${before.id}`, { ...before, amount: 3 })).body).toEqual({
      ...before,
      amount: 3,
    })
  })

  it.each([-1, 1.5, 'many', '1e3', null, '', true, [1], '9007199254740992', 9_007_199_254_740_992])(
    '422 for the amount %j',
    async (amount) => {
      const before = await pendingCommission()
      const { status, body } = await program.put(`/commissions/${before.id}`, { amount })
      expect(status).toBe(422)
      expect(body).toEqual({ error: 'Could not update commission.', details: [expect.any(String)] })
      expect((await program.get(`/commissions/${before.id}`)).body).toEqual(before)
    },
  )

  it('422 when paid, and nothing is changed', async () => {
    const before = await paidCommission()
    const { status, body } = await program.put(`/commissions/${before.id}`, { amount: 1 })
    expect(status).toBe(422)
    expect(body).toEqual({ error: expect.stringContaining('paid') })
    expect((await program.get(`/commissions/${before.id}`)).body).toEqual(before)
  })

  it('422 when void', async () => {
    const { id } = await pendingCommission()
    await program.delete(`/commissions/${id}`)
    const { status, body } = await program.put(`/commissions/${id}`, { amount: 1 })
    expect(status).toBe(422)
    expect(body).toEqual({ error: expect.any(String) })
  })
})

describe('DELETE /commissions/{id}', () => {
  it('200 returns the void commission, also when repeated', async () => {
    const before = await pendingCommission()
    const first = await program.delete(`/commissions/${before.id}`)
    expect(first.status).toBe(200)
    expect(first.body).toEqual({ ...before, state: 'void' })
    app.clock.advanceDays(1)
    const second = await program.delete(`/commissions/${before.id}`)
    expect(second.status).toBe(200)
    expect(second.body).toEqual(first.body)
  })

  it('stays void when its due date passes', async () => {
    const { id } = await pendingCommission()
    await program.delete(`/commissions/${id}`)
    app.clock.advanceDays(60)
    expect((await program.get(`/commissions/${id}`)).body.state).toBe('void')
  })

  it('422 when paid, and it stays paid', async () => {
    const before = await paidCommission()
    const { status, body } = await program.delete(`/commissions/${before.id}`)
    expect(status).toBe(422)
    expect(body).toEqual({ error: expect.stringContaining('paid') })
    expect((await program.get(`/commissions/${before.id}`)).body).toEqual(before)
  })
})
