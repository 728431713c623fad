import { describe, expect, it } from 'vitest'
import { createTestApp, type TestProgram } from '../../../support/app.ts'
import { createSeller, listed, made, reportSale, unknownId } from '../../../support/factories.ts'
import { countBy, times } from '../../../support/parallel.ts'

const app = await createTestApp()
const dueImmediately = { days_before_commissions_are_due: 0 }

/** Records a sale, by default of 100.00 at 10 percent, and returns functions that read its commission and refund it. */
async function createSale(campaign: Record<string, unknown> = {}, fields: object = {}) {
  const program = await app.createProgram()
  const seller = await createSeller(program, campaign)
  const { sale_id: saleId, commission } = await reportSale(program, {
    coupon: seller.coupon,
    external_id: 'inv_1',
    ...fields,
  })
  const read = async () => (await program.get(`/commissions/${commission.id}`)).body
  const refund = (body: object) => program.post('/conversions/refund', { sale_id: saleId, ...body })
  return { program, saleId, commission, read, refund, ...seller }
}

async function payAll(program: TestProgram) {
  for (const payout of await listed(program, '/payouts?state=pending'))
    await made(program.post(`/payouts/${payout.id}/pay`))
}

describe('an unpaid commission', () => {
  it('is recalculated for the rest of the sale by its own copy of the rule', async () => {
    const { program, campaign, commission, saleId, read, refund } = await createSale()
    await program.put(`/campaigns/${campaign.id}`, { commission_percent: 90 })
    const { status, body } = await refund({ amount_cents: 2_505, refund_external_id: 're_1' })
    expect(status).toBe(201)
    expect(body).toEqual({
      object: 'refund',
      id: expect.any(String),
      duplicate: false,
      waiting: false,
      hint: null,
      sale_id: saleId,
      amount_cents: 2_505,
      commission: { ...commission, amount: 750 },
      negative_commission: null,
    })
    expect(await read()).toMatchObject({ amount: 750, state: 'pending' })
  })

  it('says why it changed with the id that people know, if there is one', async () => {
    const reasonsOf = async (body: object) => {
      const { program, commission, refund } = await createSale()
      await refund({ amount_cents: 1_000, ...body })
      const query = 'query ($id: ID!) { commission(id: $id) { history { nodes { reason } } } }'
      const { nodes } = (await program.graphql(query, { id: commission.id })).commission.history
      return nodes.flatMap(({ reason }: { reason: string | null }) => reason ?? [])
    }
    expect(await reasonsOf({ refund_external_id: 're_1' })).toEqual(['sale refunded in part (re_1)'])
    expect(await reasonsOf({})).toEqual(['sale refunded in part'])
  })

  it('is a percentage of the rest of the sale, rounded half up', async () => {
    const { read, refund } = await createSale({ commission_percent: 10 }, { amount_cents: 100 })
    await refund({ amount_cents: 5 })
    expect((await read()).amount).toBe(10)
    await refund({ amount_cents: 1 })
    expect((await read()).amount).toBe(9)
  })

  it('is void after a full refund, at once or in parts', async () => {
    const whole = await createSale()
    await whole.refund({})
    expect((await whole.read()).state).toBe('void')
    const parts = await createSale()
    await parts.refund({ amount_cents: 9_999 })
    expect((await parts.read()).state).toBe('pending')
    await parts.refund({ amount_cents: 1 })
    expect((await parts.read()).state).toBe('void')
  })

  it('with a fixed amount stays whole until the sale is refunded in full', async () => {
    const { read, refund } = await createSale({ commission_amount_cents: 1_500 })
    await refund({ amount_cents: 9_999 })
    expect(await read()).toMatchObject({ amount: 1_500, state: 'pending' })
    await refund({})
    expect((await read()).state).toBe('void')
  })

  it('that was amended below the rule is not raised by a refund', async () => {
    const { program, commission, read, refund } = await createSale()
    await program.put(`/commissions/${commission.id}`, { amount: 100 })
    await refund({ amount_cents: 1_000 })
    expect((await read()).amount).toBe(100)
    await refund({ amount_cents: 8_500 })
    expect((await read()).amount).toBe(50)
  })

  it('in an open payout changes the payout in the same transaction, and deletes it when empty', async () => {
    const { program, refund } = await createSale(dueImmediately)
    expect(await listed(program, '/payouts')).toMatchObject([{ amount: 1_000 }])
    await refund({ amount_cents: 4_000 })
    expect(await listed(program, '/payouts')).toMatchObject([{ amount: 600 }])
    await refund({})
    expect(await listed(program, '/payouts')).toEqual([])
  })

  it('that is void stays void, and a sale without a commission gets no commission', async () => {
    const { program, commission, coupon, refund, read } = await createSale({ max_commissions: 1 }, { email: 'a@b.co' })
    const { sale_id: saleId } = await reportSale(program, { coupon, email: 'a@b.co' })
    const { body } = await program.post('/conversions/refund', { sale_id: saleId })
    expect(body).toMatchObject({ commission: null, negative_commission: null })
    await program.delete(`/commissions/${commission.id}`)
    await refund({})
    expect((await read()).state).toBe('void')
  })
})

describe('a paid commission', () => {
  it('is not changed: a negative commission, due immediately, deducts the difference', async () => {
    const { program, commission, read, refund } = await createSale(dueImmediately)
    await payAll(program)
    const paid = await read()
    const { body } = await refund({ amount_cents: 2_500 })
    expect(await read()).toEqual(paid)
    expect(body.commission).toEqual(paid)
    expect(body.negative_commission).toEqual({
      ...commission,
      id: expect.any(String),
      amount: -250,
      state: 'due',
      due_at: app.clock.now.toISOString(),
    })
  })

  it('is deducted at most once in full, over any number of refunds', async () => {
    const { program, refund } = await createSale({ ...dueImmediately, commission_percent: 33.33 })
    await payAll(program)
    for (const amount_cents of [1, 3_333, 6_000]) await refund({ amount_cents })
    await refund({})
    const commissions = await listed(program, '/commissions')
    expect(commissions.reduce((sum, { amount }) => sum + amount, 0)).toBe(0)
    expect(await listed(program, '/payouts?state=pending')).toEqual([])
  })

  it('whose debt was voided is not deducted again', async () => {
    const { program, refund } = await createSale(dueImmediately)
    await payAll(program)
    const { body: first } = await refund({ amount_cents: 5_000 })
    await made(program.delete(`/commissions/${first.negative_commission.id}`))
    const { body: second } = await refund({})
    expect(second.negative_commission.amount).toBe(-500)
  })

  it('has a debt that can be voided, but not changed', async () => {
    const { program, refund } = await createSale(dueImmediately)
    await payAll(program)
    const { body } = await refund({})
    const { status } = await program.put(`/commissions/${body.negative_commission.id}`, { amount: 1 })
    expect(status).toBe(422)
    expect((await program.delete(`/commissions/${body.negative_commission.id}`)).body).toMatchObject({
      amount: -1_000,
      state: 'void',
    })
  })

  it('does not lower an open payout in another currency', async () => {
    const { program, coupon, refund } = await createSale(dueImmediately, { currency: 'eur' })
    await payAll(program)
    await reportSale(program, { coupon, currency: 'usd' })
    await refund({})
    expect(await listed(program, '/payouts?state=pending')).toMatchObject([{ currency: 'usd', amount: 1_000 }])
  })

  it('still counts towards the limit after a refund, and the debt does not', async () => {
    const { program, coupon, refund } = await createSale({ ...dueImmediately, max_commissions: 2 }, { email: 'a@b.co' })
    await payAll(program)
    await refund({})
    expect((await reportSale(program, { coupon, email: 'a@b.co' })).commission).not.toBeNull()
    expect((await reportSale(program, { coupon, email: 'a@b.co' })).commission).toBeNull()
  })
})

describe('a refund reported again', () => {
  it('200 returns the first refund and ignores the rest of the body', async () => {
    const { program, read, refund } = await createSale()
    const first = await refund({ amount_cents: 1_000, refund_external_id: 're_1' })
    const again = await refund({ amount_cents: 9_000, refund_external_id: 're_1' })
    expect(again.status).toBe(200)
    expect(again.body).toEqual({ ...first.body, duplicate: true, hint: expect.any(String) })
    expect((await read()).amount).toBe(900)
    const { status, body } = await program.post('/conversions/refund', {
      external_id: 'inv_1',
      refund_external_id: 're_1',
    })
    expect([status, body.duplicate]).toEqual([200, true])
  })

  it('422 when the refund was of another sale', async () => {
    const { program, coupon, refund } = await createSale()
    await refund({ amount_cents: 1, refund_external_id: 're_1' })
    const other = await reportSale(program, { coupon })
    const { status, body } = await program.post('/conversions/refund', {
      sale_id: other.sale_id,
      refund_external_id: 're_1',
    })
    expect([status, body.details]).toEqual([422, ['Refund external id belongs to a refund of another sale']])
  })
})

describe('422, and nothing is recorded', () => {
  it.each([
    [{ amount_cents: 10_001 }, 'Amount cents exceeds the 10000 that can still be refunded'],
    [{ amount_cents: null }, "Amount cents can't be blank"],
    [{ amount_cents: '' }, "Amount cents can't be blank"],
    [{ amount_cents: 0 }, 'Amount cents must be a whole number from 1 to 9007199254740991'],
    [{ amount_cents: -1 }, 'Amount cents must be a whole number from 1 to 9007199254740991'],
    [{ amount_cents: 1.5 }, 'Amount cents must be a whole number from 1 to 9007199254740991'],
    [{ sale_id: unknownId }, 'Sale not found.'],
    [{ sale_id: 'no id' }, 'Sale not found.'],
    [{ sale_id: null }, 'Give the sale by its id or by its external id.'],
    [{ external_id: 'inv_2' }, 'Sale not found.'],
  ])('%j', async (fields, detail) => {
    const { read, refund, commission } = await createSale()
    const { status, body } = await refund(fields)
    expect(status).toBe(422)
    expect(body.details).toEqual([detail])
    expect(await read()).toEqual(commission)
  })

  it('when the sale is already refunded in full', async () => {
    const { refund } = await createSale()
    await refund({})
    const { status, body } = await refund({})
    expect([status, body]).toEqual([
      422,
      { error: 'This sale is already refunded in full.', details: ['sale_refunded_in_full'] },
    ])
  })

  it('for a sale of another program', async () => {
    const { saleId } = await createSale()
    const stranger = await app.createProgram()
    const { status, body } = await stranger.post('/conversions/refund', { sale_id: saleId })
    expect([status, body.details]).toEqual([422, ['Sale not found.']])
  })
})

it('GraphQL refunds a sale by its external id and returns the refund, the sale and the commission', async () => {
  const { program } = await createSale(dueImmediately)
  const { refundSale } = await program.graphql(`mutation {
    refundSale(input: { externalId: "inv_1", amountCents: 2500 }) {
      duplicate refund { amountCents } sale { refundedCents outcome refunds { nodes { amountCents } } }
      commission { amountCents } negativeCommission { id }
    }
  }`)
  expect(refundSale).toEqual({
    duplicate: false,
    refund: { amountCents: 2_500 },
    sale: { refundedCents: 2_500, outcome: 'EARNED', refunds: { nodes: [{ amountCents: 2_500 }] } },
    commission: { amountCents: 750 },
    negativeCommission: null,
  })
})

describe('the same refund, reported eight times at once', () => {
  it.each([{}, { amount_cents: 6_000 }])('is recorded once, and the other reports return it (%j)', async (fields) => {
    const { refund } = await createSale()
    const answers = await times(8, () => refund({ ...fields, refund_external_id: 're_1' }))
    expect(countBy(answers.map(({ status }) => status))).toEqual({ 200: 7, 201: 1 })
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
  })
})

describe('amounts as billing systems send them', () => {
  it('records the difference to a total, and answers a total that is known with the last refund', async () => {
    const { read, refund } = await createSale()
    const report = async (total: number, id: string) => {
      const { status, body } = await refund({ refunded_total_cents: total, refund_external_id: id })
      return [status, body.amount_cents, body.duplicate, (await read()).amount]
    }
    expect(await report(2_000, 're_1')).toEqual([201, 2_000, false, 800])
    expect(await report(5_000, 're_2')).toEqual([201, 3_000, false, 500])
    expect(await report(5_000, 're_3')).toEqual([200, 3_000, true, 500])
    const late = await refund({ refunded_total_cents: 2_000, refund_external_id: 're_late' })
    expect([late.status, late.body.hint]).toEqual([200, expect.stringContaining('refunded already')])
    expect((await refund({ refunded_total_cents: 10_001 })).status).toBe(422)
    expect((await refund({ refunded_total_cents: 6_000, amount_cents: 1 })).status).toBe(422)
  })

  it('the same id with another amount gets a hint, and changes nothing', async () => {
    const { read, refund } = await createSale()
    await refund({ amount_cents: 2_000, refund_external_id: 're_1' })
    const same = await refund({ amount_cents: 2_000, refund_external_id: 're_1' })
    const other = await refund({ amount_cents: 5_000, refund_external_id: 're_1' })
    expect([same.status, same.body.hint]).toEqual([200, null])
    expect([other.status, other.body.duplicate, other.body.amount_cents]).toEqual([200, true, 2_000])
    expect(other.body.hint).toContain('recorded with 2000, not 5000')
    expect((await read()).amount).toBe(800)
  })

  it('the same id with a total that was never reached gets a hint, a total of any time since does not', async () => {
    const { read, refund } = await createSale()
    const report = async (total: number, id: string) =>
      (await refund({ refunded_total_cents: total, refund_external_id: id })).body.hint
    await report(2_000, 're_1')
    await report(5_000, 're_2')
    for (const total of [2_000, 5_000]) expect(await report(total, 're_1')).toBeNull()
    for (const total of [1_000, 7_000])
      expect(await report(total, 're_1')).toContain(
        `recorded with 2000, and all refunds of the sale with 5000, not ${total}`,
      )
    expect((await read()).amount).toBe(500)
  })
})
