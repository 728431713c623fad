import { describe, expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { createSeller, listed, reportSale, unknownId } from '../../support/factories.ts'

const app = await createTestApp()

async function openPayout(campaign: object = {}, amountCents = 10_000) {
  const program = await app.createProgram()
  const seller = await createSeller(program, { days_before_commissions_are_due: 0, ...campaign })
  const { commission } = await reportSale(program, { coupon: seller.coupon, amount_cents: amountCents })
  const [payout] = await listed(program, '/payouts')
  return { program, ...seller, commission, payout }
}

describe('POST /payouts/{id}/pay', () => {
  it('200 marks the payout and its commissions as paid at the same instant', async () => {
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

  it('200 returns the same payout when paid again', async () => {
    const { program, payout } = await openPayout()
    const { body: first } = await program.post(`/payouts/${payout.id}/pay`)
    app.clock.advanceDays(1)
    const { status, body } = await program.post(`/payouts/${payout.id}/pay`)
    expect(status).toBe(200)
    expect(body).toEqual(first)
  })

  it('200 when paid again after the minimum was raised', async () => {
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

  it('commissions that become due later go into a new payout', async () => {
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

  it('does not add commissions that became due since the payout was read', async () => {
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
    const error = "The payout of 10.00 USD is below the campaign's minimum of 10.20 USD."
    expect(body).toEqual({ error })
    expect(await listed(program, '/payouts')).toEqual([payout])
    expect(await listed(program, '/commissions')).toMatchObject([{ state: 'due', paid_at: null }])
    await reportSale(program, { coupon, amount_cents: 200 })
    await listed(program, '/payouts')
    expect((await program.post(`/payouts/${payout.id}/pay`)).status).toBe(200)
  })

  it('formats amounts with the decimals of their currency', async () => {
    const { program, coupon } = await openPayout({ minimum_payout_cents: 5000 })
    for (const currency of ['jpy', 'kwd']) await reportSale(program, { coupon, currency, amount_cents: 12_340 })
    const errors = []
    for (const { id, currency } of await listed(program, '/payouts')) {
      if (currency !== 'usd') errors.push((await program.post(`/payouts/${id}/pay`)).body.error)
    }
    expect(errors.sort()).toEqual([
      "The payout of 1.234 KWD is below the campaign's minimum of 5.000 KWD.",
      "The payout of 1234 JPY is below the campaign's minimum of 5000 JPY.",
    ])
  })

  it('200 ignores the body', async () => {
    const { program, payout } = await openPayout()
    const body = { expected_amount_cents: 1, expectedAmountCents: 1, reference: 'x' }
    expect((await program.post(`/payouts/${payout.id}/pay`, body)).status).toBe(200)
    const { payout: paid } = await program.graphql(`{ payout(id: "${payout.id}") { state reference } }`)
    expect(paid).toEqual({ state: 'PAID', reference: null })
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

describe('payPayout', () => {
  const mutation = `mutation ($id: ID!, $expected: SafeInt, $reference: String) {
    payPayout(input: { id: $id, expectedAmountCents: $expected, reference: $reference }) {
      payout { id state amountCents paidAt reference }
    }
  }`

  it('rejects an amount that has changed since, names both amounts and changes nothing', async () => {
    const { program, payout, coupon } = await openPayout()
    await reportSale(program, { coupon, amount_cents: 50 })
    const [seen] = await listed(program, '/payouts')
    await expect(program.graphql(mutation, { id: payout.id, expected: payout.amount })).rejects.toThrow(
      'The payout is 10.05 USD, not 10.00 USD as expected: it has changed.',
    )
    expect(await listed(program, '/payouts')).toEqual([seen])
    const { payPayout } = await program.graphql(mutation, { id: payout.id, expected: 1005 })
    expect(payPayout.payout).toMatchObject({ state: 'PAID', amountCents: 1005 })
  })

  it('keeps the first reference when paid again', async () => {
    const { program, payout } = await openPayout()
    const first = await program.graphql(mutation, { id: payout.id, expected: 1000, reference: 'batch-7' })
    expect(first.payPayout.payout).toMatchObject({ state: 'PAID', reference: 'batch-7' })
    app.clock.advanceDays(1)
    for (const reference of ['batch-7', 'other', null]) {
      expect(await program.graphql(mutation, { id: payout.id, expected: 1000, reference })).toEqual(first)
    }
    await expect(program.graphql(mutation, { id: payout.id, expected: 1 })).rejects.toThrow('has changed')
  })

  it('rejects invalid input', async () => {
    const { program, payout } = await openPayout()
    const tooLong = { id: payout.id, expected: -1, reference: 'x'.repeat(256) }
    const error = await program.graphql(mutation, tooLong).catch((caught) => caught.errors[0])
    expect(error.extensions).toMatchObject({ code: 'INVALID_INPUT', problems: { length: 2 } })
    expect(await listed(program, '/payouts')).toEqual([payout])
  })
})
