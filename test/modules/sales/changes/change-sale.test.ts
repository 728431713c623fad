import { describe, expect, it } from 'vitest'
import { createTestApp, restClient, type TestProgram } from '../../../support/app.ts'
import { createSeller, reportSale } from '../../../support/factories.ts'

const app = await createTestApp()

const change = async (program: TestProgram, input: object) =>
  (
    await program.graphql(
      'mutation ($input: ChangeSaleInput!) { changeSale(input: $input) { sale { id amountCents items { productId } } } }',
      { input },
    )
  ).changeSale.sale

const commissionsOf = async (program: TestProgram, id: string) =>
  (
    await program.graphql(
      `query ($id: ID!) { sale(id: $id) { explanation { summary } }
        commissions(first: 9) { nodes { kind amountCents state reason sale { id } correctsSale { id } } } }`,
      { id },
    )
  ).commissions.nodes
    .filter((one: any) => (one.sale ?? one.correctsSale).id === id)
    .map(({ kind, amountCents, state }: any) => [kind, amountCents, state])

describe('a recorded sale', () => {
  it('grows, its unpaid commission follows, and the history has the reason', async () => {
    const program = await app.createProgram()
    const { coupon } = await createSeller(program, { commission_percent: 20 })
    const { sale_id: id, commission } = await reportSale(program, { coupon, external_id: 'order_1' })
    expect(await change(program, { id, amountCents: 15_000, reason: 'Two seats more' })).toMatchObject({
      amountCents: 15_000,
    })
    expect(await commissionsOf(program, id)).toEqual([['SALE', 3_000, 'PENDING']])
    const { history, commission: read } = await program.graphql(
      `query ($id: ID!, $commission: ID!) {
        history(subject: SALE, id: $id, first: 5) { nodes { action changes { field from to } } }
        commission(id: $commission) { explanation { summary } history { nodes { action reason } } } }`,
      { id, commission: commission.id },
    )
    expect(history.nodes[0].changes).toEqual([
      { field: 'amountCents', from: '10000', to: '15000' },
      { field: 'reason', from: null, to: 'Two seats more' },
    ])
    expect(read.history.nodes[0].reason).toContain('was changed: Two seats more')
    expect(read.explanation.summary.join(' ')).toContain('20 percent of 150.00 USD is 30.00 USD')
    // The same again changes nothing.
    await change(program, { id, amountCents: 15_000 })
    expect(await commissionsOf(program, id)).toEqual([['SALE', 3_000, 'PENDING']])
  })

  it('whose commission is paid is followed by a correction', async () => {
    const program = await app.createProgram()
    const { coupon } = await createSeller(program, { commission_percent: 20, days_before_commissions_are_due: 0 })
    const { sale_id: id } = await reportSale(program, { coupon })
    const [payout] = (await program.get('/payouts')).body.data
    await program.post(`/payouts/${payout.id}/pay`, {})
    await change(program, { id, amountCents: 4_000 })
    expect((await commissionsOf(program, id)).sort()).toEqual([
      ['CORRECTION', -1_200, 'DUE'],
      ['SALE', 2_000, 'PAID'],
    ])
  })

  it('is not changed to less than was refunded, nor below its items', async () => {
    const program = await app.createProgram()
    const { coupon } = await createSeller(program)
    const items = [{ product_id: 'pro', amount_cents: 9_000 }]
    const { sale_id: id } = await reportSale(program, { coupon, external_id: 'order_2', items })
    await program.post('/conversions/refund', { external_id: 'order_2', amount_cents: 5_000 })
    const raise = (input: object) => change(program, { id, ...input })
    await expect(raise({ amountCents: 4_000 })).rejects.toThrow(/at least the 5000 that were refunded/)
    await expect(raise({ amountCents: 6_000 })).rejects.toThrow(/add up to 9000/)
    await raise({ amountCents: 20_000 })
    expect(await commissionsOf(program, id)).toEqual([['SALE', 1_500, 'PENDING']])
  })

  it('is changed over REST by a key with the superset profile', async () => {
    const program = await app.createProgram()
    const { coupon } = await createSeller(program, { commission_percent: 20 })
    const { sale_id: id } = await reportSale(program, { coupon })
    expect((await program.put(`/sales/${id}`, { amount_cents: 20_000 })).status).toBe(405)
    const { createApiKey } = await app.operator(
      'mutation ($id: ID!) { createApiKey(input: { programId: $id, name: "Own", profile: SUPERSET }) { secret } }',
      { id: program.id },
    )
    const client = restClient(app.app.fetch, { Authorization: `Bearer ${createApiKey.secret}` })
    const { status, body } = await client.put(`/sales/${id}`, { amount_cents: 20_000 })
    expect([status, body.charge_amount_cents]).toEqual([200, 20_000])
    for (const item of ['pro', 1, {}, { product_id: 'pro' }]) {
      const answer = await client.put(`/sales/${id}`, { items: [item] })
      expect([answer.status, answer.body]).toMatchObject([422, { error: 'Could not update sale.' }])
    }
    expect(await commissionsOf(program, id)).toEqual([['SALE', 4_000, 'PENDING']])
  })

  it('moves to another affiliate while nothing is paid', async () => {
    const program = await app.createProgram()
    const from = await createSeller(program, { commission_percent: 20 })
    const to = await createSeller(program, { commission_percent: 30, days_before_commissions_are_due: 0 })
    const { sale_id: id, commission } = await reportSale(program, { coupon: from.coupon, email: 'grace@example.com' })
    await change(program, { id, affiliateId: to.affiliate.id, reason: 'The checkout names her' })
    expect((await program.get(`/commissions/${commission.id}`)).body).toMatchObject({
      affiliate_id: to.affiliate.id,
      amount: 3_000,
    })
    const counts = async (affiliate: string) => (await program.get(`/affiliates/${affiliate}`)).body.conversions
    expect([await counts(from.affiliate.id), await counts(to.affiliate.id)]).toEqual([0, 1])
    const [payout] = (await program.get('/payouts')).body.data
    await program.post(`/payouts/${payout.id}/pay`, {})
    await expect(change(program, { id, affiliateId: from.affiliate.id })).rejects.toThrow(/is paid or sent/)
    await expect(change(program, { id, affiliateId: 'nobody' })).rejects.toThrow()
  })
})
