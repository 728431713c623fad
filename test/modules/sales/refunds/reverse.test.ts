import { describe, expect, it } from 'vitest'
import { createTestApp, type TestProgram } from '../../../support/app.ts'
import {
  createAffiliate,
  createCampaign,
  createCoupon,
  createSeller,
  listed,
  made,
  reportSale,
  unknownId,
} from '../../../support/factories.ts'
import { countBy, times } from '../../../support/parallel.ts'

const app = await createTestApp()

const dueImmediately = { days_before_commissions_are_due: 0 }

/** Records a sale, by default of 100.00 at 10 percent, and returns functions that refund it and reverse refunds. */
async function createSale(campaign: Record<string, unknown> = {}, fields: object = {}) {
  const program = await app.createProgram()
  const seller = await createSeller(program, campaign)
  const sale = await reportSale(program, { coupon: seller.coupon, external_id: 'inv_1', ...fields })
  const { sale_id: saleId, commission } = sale
  const read = async () => (await program.get(`/commissions/${commission.id}`)).body
  const refund = async (amount_cents?: number, refund_external_id?: string): Promise<any> =>
    made(program.post('/conversions/refund', { sale_id: saleId, amount_cents, refund_external_id }))
  const reverse = (body: object) => program.post('/conversions/refund/reverse', body)
  return { program, saleId, commission, read, refund, reverse, ...seller }
}

async function payAll(program: TestProgram) {
  for (const payout of await listed(program, '/payouts?state=pending'))
    await made(program.post(`/payouts/${payout.id}/pay`))
}

/** What the affiliate has, or will have: the commissions that are not void. */
const balanceOf = async (program: TestProgram, affiliateId = '') =>
  (await listed(program, `/commissions?affiliate_id=${affiliateId}`)).reduce(
    (sum, { amount, state }) => sum + (state === 'void' ? 0 : amount),
    0,
  )

describe('an unpaid commission', () => {
  it('comes back, once, and the answer is the same again', async () => {
    const { program, saleId, commission, read, refund, reverse } = await createSale()
    await made(
      program.post('/conversions/refund', { sale_id: saleId, amount_cents: 2_500, refund_external_id: 're_1' }),
    )
    app.clock.advanceMinutes(1)
    const { status, body } = await reverse({ external_id: 're_1', reason: 'dispute won' })
    expect([status, body]).toEqual([
      200,
      {
        ...{ object: 'refund_reversal', id: expect.any(String), sale_id: saleId, amount_cents: 2_500 },
        ...{ reversed_at: app.clock.now.toISOString(), commission, credit_commission: null },
      },
    ])
    app.clock.advanceMinutes(1)
    expect((await reverse({ refund_id: body.id })).body).toEqual(body)
    expect(await read()).toEqual(commission)
    // What was reversed can be refunded again, with another id.
    expect((await refund()).commission.state).toBe('void')
  })

  it('is void no longer, and held as before', async () => {
    const { program, read, refund, reverse } = await createSale()
    const { id } = await refund()
    expect((await read()).state).toBe('void')
    await made(reverse({ refund_id: id }))
    expect(await read()).toMatchObject({ state: 'pending', amount: 1_000 })
    const seller = await createSeller(program, { ...dueImmediately, self_referrals: 'hold' })
    const held = await reportSale(program, { coupon: seller.coupon, email: seller.affiliate.email })
    const whole = await made(program.post('/conversions/refund', { sale_id: held.sale_id }))
    await made(reverse({ refund_id: whole.id }))
    const { commissions } = await program.graphql('{ commissions(first: 1) { nodes { state heldReason } } }')
    expect(commissions.nodes).toEqual([{ state: 'PENDING', heldReason: 'SELF_REFERRAL_EMAIL' }])
  })

  it('that a person voided stays void, and a sale without one gets none', async () => {
    const { program, commission, coupon, read, refund, reverse } = await createSale(
      { max_commissions: 1 },
      { email: 'a@b.co' },
    )
    const { sale_id } = await reportSale(program, { coupon, email: 'a@b.co' })
    const none = await made(program.post('/conversions/refund', { sale_id }))
    expect((await reverse({ refund_id: none.id })).body).toMatchObject({ commission: null, credit_commission: null })
    const { id } = await refund(100)
    await made(program.delete(`/commissions/${commission.id}`))
    expect((await reverse({ refund_id: id })).body.commission.state).toBe('void')
    expect((await read()).state).toBe('void')
  })

  it('with an amount that was set by hand has that, or what the rule gives for the rest', async () => {
    const { program, commission, read, refund, reverse } = await createSale()
    const before = await refund(1_000)
    await made(program.put(`/commissions/${commission.id}`, { amount: 300 }))
    const after = await refund(8_000)
    expect((await read()).amount).toBe(100)
    await made(reverse({ refund_id: after.id }))
    expect((await read()).amount).toBe(300)
    await made(reverse({ refund_id: before.id }))
    expect((await read()).amount).toBe(300)
  })

  it('is due again in the open payout', async () => {
    const { program, refund, reverse } = await createSale(dueImmediately)
    const { id } = await refund()
    expect(await listed(program, '/payouts')).toEqual([])
    await made(reverse({ refund_id: id }))
    expect(await listed(program, '/payouts')).toMatchObject([{ amount: 1_000, state: 'pending' }])
  })
})

describe('a paid commission', () => {
  it('is not changed: the debt that is not deducted yet is voided', async () => {
    const { program, read, refund, reverse } = await createSale(dueImmediately)
    await payAll(program)
    const paid = await read()
    const { id, negative_commission: debt } = await refund(2_500)
    const { body } = await reverse({ refund_id: id })
    expect([body.commission, body.credit_commission]).toEqual([paid, null])
    expect((await program.get(`/commissions/${debt.id}`)).body.state).toBe('void')
    expect(await balanceOf(program)).toBe(1_000)
  })

  it('is given back as a credit if the debt was deducted from a payout', async () => {
    const { program, coupon, refund, reverse } = await createSale(dueImmediately)
    await payAll(program)
    const { id } = await refund()
    await reportSale(program, { coupon, amount_cents: 30_000 })
    expect(await listed(program, '/payouts?state=pending')).toMatchObject([{ amount: 2_000 }])
    await payAll(program)
    const { body } = await reverse({ refund_id: id })
    expect(body.credit_commission).toMatchObject({ amount: 1_000, state: 'due', due_at: app.clock.now.toISOString() })
    expect(await listed(program, '/payouts?state=pending')).toMatchObject([{ amount: 1_000 }])
    const credit = `/commissions/${body.credit_commission.id}`
    for (const answer of [await program.put(credit, { amount: 5_000 }), await program.delete(credit)])
      expect([answer.status, answer.body.error]).toEqual([422, expect.stringContaining('gives back')])
    await payAll(program)
    const paid = (await listed(program, '/payouts?state=paid')).reduce((sum, { amount }) => sum + amount, 0)
    expect(paid).toBe(4_000)
    // Nothing of the next refund was deducted before.
    expect((await refund()).negative_commission.amount).toBe(-1_000)
  })

  it('gets nothing more for a debt that a person cancelled; a later refund is deducted', async () => {
    const { program, refund, reverse } = await createSale(dueImmediately)
    await payAll(program)
    const { id, negative_commission: debt } = await refund()
    await made(program.delete(`/commissions/${debt.id}`))
    expect((await reverse({ refund_id: id })).body.credit_commission).toBeNull()
    expect(await balanceOf(program)).toBe(1_000)
    expect((await refund()).negative_commission.amount).toBe(-1_000)
    expect(await balanceOf(program)).toBe(0)
  })

  it('that was lowered before its payment gets the rest as a credit', async () => {
    const { program, refund, reverse } = await createSale(dueImmediately)
    const { id } = await refund(4_000)
    await payAll(program)
    expect((await reverse({ refund_id: id })).body.credit_commission.amount).toBe(400)
    expect(await balanceOf(program)).toBe(1_000)
  })
})

describe.each([
  ['10 percent', { commission_percent: 10 }],
  ['33.33 percent', { commission_percent: 33.33 }],
  ['a fixed amount', { commission_amount_cents: 700 }],
])('with %s', (_name, rule) => {
  // Amounts at which rounding makes the order of refunds matter. Together they are the whole sale.
  const amounts = [41, 9, 5, 40]
  const orders = [
    [1, 0],
    [0, 2],
    [3, 2, 1, 0],
  ]

  it.each([
    ['unpaid', []],
    ['paid before the refunds', ['before']],
    ['paid after the refunds', ['after']],
    ['with debts that are paid', ['before', 'after']],
  ])('%s: the balance is what it would be without the reversed refunds, to the cent', async (_when, pays) => {
    const program = await app.createProgram()
    const campaign = await createCampaign(program, { ...dueImmediately, ...rule })
    const sell = async (reversed: number[], skipped: number[]) => {
      const { id } = await createAffiliate(program, { campaign_id: campaign.id })
      const { token: coupon } = await createCoupon(program, id)
      const { sale_id } = await reportSale(program, { coupon, amount_cents: 95 })
      return { id, coupon, sale_id, reversed, skipped, refunds: [] as string[] }
    }
    const sellers = []
    for (const order of orders) sellers.push(await sell(order, []), await sell([], order))
    if (pays.includes('before')) await payAll(program)
    for (const { coupon, sale_id, skipped, refunds } of sellers) {
      // So that debts can be paid.
      await reportSale(program, { coupon, amount_cents: 10_000 })
      for (const [index, amount_cents] of amounts.entries())
        if (!skipped.includes(index))
          refunds[index] = (await made(program.post('/conversions/refund', { sale_id, amount_cents }))).id
    }
    if (pays.includes('after')) await payAll(program)
    for (const { reversed, refunds } of sellers)
      for (const index of reversed)
        await made(program.post('/conversions/refund/reverse', { refund_id: refunds[index] }))
    const balances = []
    for (const { id } of sellers) balances.push(await balanceOf(program, id))
    for (const [index, order] of orders.entries())
      expect.soft(balances[2 * index], `${order}`).toBe(balances[2 * index + 1])
  })
})

describe('422, and nothing is reversed', () => {
  it.each([
    [{}, 'Give the refund by its id or by its external id.'],
    [{ refund_id: unknownId }, 'Refund not found.'],
    [{ refund_id: 'no id' }, 'Refund not found.'],
    [{ external_id: 're_2' }, 'Refund not found.'],
    [{ external_id: 'inv_1' }, 'Refund not found.'],
    [{ refund_id: unknownId, external_id: 're_1' }, 'Refund not found.'],
  ])('%j', async (body, detail) => {
    const { program, saleId, reverse, read } = await createSale()
    await made(program.post('/conversions/refund', { sale_id: saleId, refund_external_id: 're_1' }))
    const answer = await reverse(body)
    expect([answer.status, answer.body.details]).toEqual([422, [detail]])
    expect((await read()).state).toBe('void')
  })

  it('for a refund of another program', async () => {
    const { refund } = await createSale()
    const { id } = await refund()
    const stranger = await app.createProgram()
    expect((await stranger.post('/conversions/refund/reverse', { refund_id: id })).status).toBe(422)
  })
})

it('a reversed refund counts for nothing: in the sale, in analytics, in what a total is compared with', async () => {
  const { program, saleId } = await createSale()
  const refund = (body: object) => program.post('/conversions/refund', { sale_id: saleId, ...body })
  const { body: first } = await refund({ refunded_total_cents: 3_000, refund_external_id: 're_1' })
  const read = () =>
    program.graphql(`{
      analytics(range: { preset: LAST_12_MONTHS }) { totals { refunds refundAmount { amountCents } } }
      sale(id: "${saleId}") { refundedCents refunds { totalCount nodes { amountCents reversedAt reversalReason } } }
    }`)
  expect((await read()).analytics.totals).toEqual({ refunds: 1, refundAmount: { amountCents: 3_000 } })
  const { reverseRefund } = await program.graphql(
    `mutation { reverseRefund(input: { externalId: "re_1", reason: "dispute won" }) {
      amountCents reversedAt refund { id } sale { refundedCents } commission { amountCents } creditCommission { id }
    } }`,
  )
  const reversedAt = app.clock.now.toISOString()
  expect(reverseRefund).toEqual({
    ...{ amountCents: 3_000, reversedAt, refund: { id: first.id }, sale: { refundedCents: 0 } },
    ...{ commission: { amountCents: 1_000 }, creditCommission: null },
  })
  expect(await read()).toEqual({
    analytics: { totals: { refunds: 0, refundAmount: { amountCents: 0 } } },
    sale: {
      refundedCents: 0,
      refunds: { totalCount: 1, nodes: [{ amountCents: 3_000, reversedAt, reversalReason: 'dispute won' }] },
    },
  })
  const again = await refund({ refunded_total_cents: 3_000, refund_external_id: 're_1' })
  expect([again.status, again.body.hint]).toEqual([200, expect.stringContaining('was reversed')])
  const total = await refund({ refunded_total_cents: 2_000 })
  expect([total.status, total.body.amount_cents]).toEqual([201, 2_000])
})

it('the history and the explanation say what came back, and why', async () => {
  const { program, commission, refund, reverse } = await createSale()
  const [part, rest] = [await refund(4_000, 're_1'), await refund()]
  for (const { id } of [rest, part]) await made(reverse({ refund_id: id, reason: 'dispute won' }))
  const read = await program.graphql(`{ commission(id: "${commission.id}") {
    history { nodes { action reason changes { field from to } } } explanation { baseCents calculatedCents summary }
  } }`)
  const { history, explanation } = read.commission
  expect(history.nodes.slice(0, 2)).toEqual([
    {
      action: 'REFUND_REVERSED',
      reason: 'refund reversed (re_1): dispute won',
      changes: [{ field: 'amountCents', from: '600', to: '1000' }],
    },
    {
      action: 'UNVOIDED',
      reason: 'refund reversed: dispute won',
      changes: [{ field: 'state', from: 'void', to: 'pending' }],
    },
  ])
  expect(explanation).toMatchObject({ baseCents: 10_000, calculatedCents: 1_000 })
  expect(explanation.summary.filter((sentence: string) => sentence.includes('was reversed on'))).toHaveLength(2)
})

it('the explanation of a credit, of a voided debt, and of the paid commission', async () => {
  const { program, coupon, commission, refund, reverse } = await createSale(dueImmediately)
  const first = await refund(4_000)
  await payAll(program)
  const deducted = await refund(1_000)
  await reportSale(program, { coupon, amount_cents: 50_000 })
  await payAll(program)
  const open = await refund(1_000)
  app.clock.advanceMinutes(1)
  const [{ body }] = [await reverse({ refund_id: deducted.id })]
  await made(reverse({ refund_id: open.id }))
  const ids = [commission, body.credit_commission, open.negative_commission].map(({ id }) => `"${id}"`)
  const explained = async (id: string) =>
    (await program.graphql(`{ commission(id: ${id}) { explanation { baseCents summary dueReason } } }`)).commission
      .explanation
  expect(await explained(ids[0] as string)).toMatchObject({ baseCents: 6_000 })
  const credit = await explained(ids[1] as string)
  expect(credit.summary.at(-1)).toMatch(/^Gives back 1\.00 USD: a refund of 10\.00 USD was reversed on 2026/)
  expect(credit.dueReason).toContain('gives back')
  expect((await explained(ids[2] as string)).summary.slice(-2)).toEqual([
    expect.stringMatching(/^The refund was reversed on/),
    expect.stringMatching(/^Cancelled since/),
  ])
  // A refund before the payment, reversed after it: the commission stays explained as it was paid.
  await made(reverse({ refund_id: first.id }))
  const paid = await explained(ids[0] as string)
  expect(paid.baseCents).toBe(6_000)
  expect(paid.summary.join(' ')).not.toContain('by hand')
})

it('of eight reversals at once, one gives back, and all answer the same', async () => {
  const { program, refund, reverse } = await createSale(dueImmediately)
  const { id } = await refund()
  const answers = await times(8, () => reverse({ refund_id: id }))
  expect(countBy(answers.map(({ status }) => status))).toEqual({ 200: 8 })
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
  expect(await balanceOf(program)).toBe(1_000)
})

it('the database keeps a refund reversed', async () => {
  const { refund, reverse } = await createSale()
  const { id } = await refund()
  await made(reverse({ refund_id: id }))
  const unreversed = app.database.db.refund.updateMany({ where: { id }, data: { reversedAt: null } })
  await expect(unreversed).rejects.toThrow('stays reversed')
})
