import { describe, expect, it } from 'vitest'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { createSeller, listed, made, reportSale } from '../../support/factories.ts'

const app = await createTestApp()
const program = await app.createProgram()
const now = () => app.clock.now.toISOString()
const yesterday = '2026-03-09T08:00:00.000Z'

/** Creates a due commission, by default of 10.00, with its affiliate. */
async function dueCommission(fields: object = {}, owner: TestProgram = program) {
  const { affiliate, coupon } = await createSeller(owner, { days_before_commissions_are_due: 0 })
  const { commission, sale_id } = await reportSale(owner, { coupon, ...fields })
  return { ...commission, saleId: sale_id, coupon, affiliate }
}

const edit = (id: string, body: object) => program.put(`/commissions/${id}`, body)
const read = async (id: string) => (await program.get(`/commissions/${id}`)).body
const openPayout = async (affiliateId: string) =>
  (await listed(program, `/payouts?affiliate_id=${affiliateId}&state=pending`))[0]

async function historyOf(id: string): Promise<string[]> {
  const { commission } = await program.graphql(
    'query ($id: ID!) { commission(id: $id) { history { nodes { action changes { field from to } } } } }',
    { id },
  )
  const formatEntry = (entry: any) =>
    [entry.action.toLowerCase(), ...entry.changes.map(({ field, from, to }: any) => `${field} ${from} -> ${to}`)].join(
      ', ',
    )
  return commission.history.nodes.map(formatEntry).reverse().slice(1)
}

async function dueReason(id: string): Promise<string> {
  const { commission } = await program.graphql(
    'query ($id: ID!) { commission(id: $id) { explanation { dueReason baseCents calculatedCents } } }',
    { id },
  )
  return commission.explanation.dueReason
}

describe('PUT /commissions/{id} with paid_at', () => {
  it('200 marks a due commission as paid outside of any payout, and removes it from the open payout', async () => {
    const one = await dueCommission()
    const { commission: other } = await reportSale(program, { coupon: one.coupon, amount_cents: 5_000 })
    const before = await openPayout(one.affiliate.id)
    expect(before.amount).toBe(1_500)
    const { status, body } = await edit(one.id, { paid_at: yesterday })
    expect([status, body.state, body.paid_at]).toEqual([200, 'paid', yesterday])
    expect(await openPayout(one.affiliate.id)).toEqual({ ...before, amount: 500 })
    const { body: payout } = await program.post(`/payouts/${before.id}/pay`)
    expect([payout.state, payout.amount]).toEqual(['paid', 500])
    expect(await read(one.id)).toEqual(body)
    expect((await read(other.id)).paid_at).toBe(now())
    const { commission } = await program.graphql('query ($id: ID!) { commission(id: $id) { paidAt payout { id } } }', {
      id: one.id,
    })
    expect(commission).toEqual({ paidAt: yesterday, payout: null })
  })

  it('200 marks a pending commission as paid together with other changes, and deletes a payout left empty', async () => {
    const { coupon, affiliate } = await createSeller(program)
    const { commission } = await reportSale(program, { coupon })
    const changes = { amount: '700', due_at: '2026-03-01', paid_at: now() }
    const { status, body } = await edit(commission.id, changes)
    expect(status).toBe(200)
    expect(body).toEqual({
      ...commission,
      amount: 700,
      state: 'paid',
      due_at: '2026-03-01T00:00:00.000Z',
      paid_at: now(),
    })
    expect(await openPayout(affiliate.id)).toBeUndefined()
    expect(await historyOf(commission.id)).toEqual([
      'amended, amountCents 1000 -> 700',
      `rescheduled, state pending -> due, dueAt ${commission.due_at} -> 2026-03-01T00:00:00.000Z`,
      `paid, state due -> paid, paidAt null -> ${now()}`,
    ])
    const due = await dueCommission()
    await openPayout(due.affiliate.id)
    await edit(due.id, { paid_at: now() })
    expect(await listed(program, `/payouts?affiliate_id=${due.affiliate.id}`)).toEqual([])
  })

  it('200 and no fact is recorded when the values are already set', async () => {
    const { id } = await dueCommission()
    const { body } = await edit(id, { paid_at: yesterday })
    const history = await historyOf(id)
    for (const again of [
      { paid_at: yesterday },
      { paid_at: '2026-03-09T09:00:00+01:00' },
      { amount: 1_000 },
      { ...body },
      {},
    ]) {
      expect(await edit(id, again)).toMatchObject({ status: 200, body })
    }
    expect(await historyOf(id)).toEqual(history)
  })

  it('200 when paid_at is the time at which its payout was paid', async () => {
    const { id, affiliate } = await dueCommission()
    await program.post(`/payouts/${(await openPayout(affiliate.id)).id}/pay`)
    const body = await read(id)
    expect(await edit(id, { paid_at: body.paid_at })).toMatchObject({ status: 200, body })
  })

  it.each([
    { paid_at: '2026-03-08T08:00:00Z' },
    { amount: 1 },
    { due_at: '2026-05-01' },
    { paid_at: yesterday, amount: 1 },
  ])('422 for every other change of a paid commission: %j', async (change) => {
    const { id } = await dueCommission()
    const { body: before } = await edit(id, { paid_at: yesterday })
    expect(await edit(id, change)).toMatchObject({
      status: 422,
      body: { error: "A paid commission can't be changed." },
    })
    expect((await program.delete(`/commissions/${id}`)).status).toBe(422)
    expect(await read(id)).toEqual(before)
  })

  it('a future time is stored, as clients of the convention send it, and the commission is paid from now on', async () => {
    const { id } = await dueCommission()
    const { status, body } = await edit(id, { paid_at: '2028-10-08T12:00:00Z' })
    expect([status, body]).toMatchObject([200, { state: 'paid', paid_at: '2028-10-08T12:00:00.000Z' }])
    expect((await edit(id, { paid_at: '' })).body).toMatchObject({ state: 'due', paid_at: null })
  })

  it('422 for an invalid time, and nothing else is changed', async () => {
    const { id, affiliate, ...before } = await dueCommission()
    for (const [paid_at, problem] of [
      ['soon', 'Paid at must be an ISO 8601 date and time, such as 2026-01-31T12:00:00Z'],
      [true, 'Paid at must be an ISO 8601 date and time, such as 2026-01-31T12:00:00Z'],
    ]) {
      const { status, body } = await edit(id, { paid_at, amount: 5 })
      expect([status, body]).toEqual([422, { error: 'Could not update commission.', details: [problem] }])
    }
    expect((await read(id)).amount).toBe(before.amount)
    expect((await openPayout(affiliate.id)).amount).toBe(before.amount)
  })

  it('422 while the commission is held', async () => {
    const { campaign, affiliate, coupon } = await createSeller(program, { days_before_commissions_are_due: 0 })
    await program.graphql(
      'mutation ($id: ID!) { updateCampaign(input: { id: $id, selfReferrals: HOLD }) { campaign { id } } }',
      {
        id: campaign.id,
      },
    )
    const { commission } = await reportSale(program, { coupon, email: affiliate.email })
    const { status, body } = await edit(commission.id, { paid_at: now() })
    expect([status, body]).toEqual([422, { error: "A held commission can't be marked as paid. Approve it first." }])
    expect((await edit(commission.id, { due_at: '2026-02-01' })).status).toBe(200)
    expect(await dueReason(commission.id)).toBe(
      'Held. Once approved, due on 2026-02-01, which was set by hand (by the rule: at the time of the sale).',
    )
    await program.graphql('mutation ($id: ID!) { approveCommission(input: { id: $id }) { commission { id } } }', {
      id: commission.id,
    })
    expect((await edit(commission.id, { paid_at: now() })).body.state).toBe('paid')
  })

  it('422 when void, except for a blank paid_at', async () => {
    const { id } = await dueCommission()
    await program.delete(`/commissions/${id}`)
    for (const change of [{ paid_at: now() }, { due_at: '2026-05-01' }, { amount: 1 }])
      expect(await edit(id, change)).toMatchObject({
        status: 422,
        body: { error: "A void commission can't be changed." },
      })
    expect(await edit(id, { paid_at: null })).toMatchObject({ status: 200, body: { state: 'void' } })
  })
})

describe('PUT /commissions/{id} with a blank paid_at', () => {
  it.each([null, '', '  '])('200 changes nothing when the commission is unpaid: %j', async (paid_at) => {
    const { id } = await dueCommission()
    const before = await read(id)
    expect(await edit(id, { paid_at })).toMatchObject({ status: 200, body: before })
    expect(await historyOf(id)).toEqual([])
  })

  it('200 reverses a payment outside of payouts: the commission is due and in the open payout again', async () => {
    const { id, affiliate } = await dueCommission()
    const before = await read(id)
    await edit(id, { paid_at: yesterday })
    const { status, body } = await edit(id, { paid_at: '' })
    expect([status, body]).toEqual([200, before])
    expect((await openPayout(affiliate.id)).amount).toBe(1_000)
    expect((await edit(id, { paid_at: now() })).body.paid_at).toBe(now())
    expect(await historyOf(id)).toEqual([
      `paid, state due -> paid, paidAt null -> ${yesterday}`,
      `unpaid, state paid -> due, paidAt ${yesterday} -> null`,
      `paid, state due -> paid, paidAt null -> ${now()}`,
    ])
  })

  it('200 reverses the payment and changes the commission in one request', async () => {
    const { id, affiliate } = await dueCommission()
    await edit(id, { paid_at: yesterday })
    const { body } = await edit(id, { paid_at: null, amount: 300, due_at: '2026-04-01T00:00:00Z' })
    expect(body).toMatchObject({ state: 'pending', amount: 300, paid_at: null, due_at: '2026-04-01T00:00:00.000Z' })
    expect(await openPayout(affiliate.id)).toBeUndefined()
  })

  it('422 when it was paid in a payout', async () => {
    const { id, affiliate } = await dueCommission()
    const payout = await openPayout(affiliate.id)
    await program.post(`/payouts/${payout.id}/pay`)
    const before = await read(id)
    const { status, body } = await edit(id, { paid_at: null })
    expect([status, body]).toEqual([422, { error: "A commission that was paid in a payout can't be changed." }])
    expect(await read(id)).toEqual(before)
  })
})

describe('a refund after a commission was marked as paid outside of any payout', () => {
  it('creates a negative commission, keeps the payment, and is explained with the earlier refund', async () => {
    const { id, coupon, saleId, affiliate } = await dueCommission()
    await made(program.post('/conversions/refund', { sale_id: saleId, amount_cents: 2_000 }))
    // The given payment date is before the refund that lowered the commission.
    await edit(id, { paid_at: yesterday })
    app.clock.advanceMinutes(1)
    const { negative_commission: debt } = await made(
      program.post('/conversions/refund', { sale_id: saleId, amount_cents: 3_000 }),
    )
    expect(debt.amount).toBe(-300)
    const { commission } = await program.graphql(
      'query ($id: ID!) { commission(id: $id) { explanation { baseCents calculatedCents } } }',
      { id },
    )
    expect(commission.explanation).toEqual({ baseCents: 8_000, calculatedCents: 800 })
    const error = "The sale was refunded after its commission was paid, so the payment can't be reversed."
    expect(await edit(id, { paid_at: '' })).toMatchObject({ status: 422, body: { error } })
    for (const change of [{ paid_at: now() }, { due_at: '2026-05-01' }, { amount: 1 }])
      expect((await edit(debt.id, change)).status).toBe(422)
    await reportSale(program, { coupon })
    expect((await openPayout(affiliate.id)).amount).toBe(700)
  })

  it('in full makes the payment irreversible, even if its amount was 0', async () => {
    const { id, saleId } = await dueCommission()
    await edit(id, { amount: 0, paid_at: yesterday })
    const { negative_commission } = await made(program.post('/conversions/refund', { sale_id: saleId }))
    expect(negative_commission).toBeNull()
    expect((await edit(id, { paid_at: '' })).status).toBe(422)
  })

  it('before the payment leaves the payment reversible', async () => {
    const { id, saleId } = await dueCommission()
    await made(program.post('/conversions/refund', { sale_id: saleId, amount_cents: 2_000 }))
    await edit(id, { paid_at: yesterday })
    expect((await edit(id, { paid_at: '' })).body).toMatchObject({ state: 'due', amount: 800 })
  })
})

describe('PUT /commissions/{id} with due_at', () => {
  it('200 with a future date removes it from the open payout until it is due again', async () => {
    const { id, affiliate, due_at } = await dueCommission()
    expect((await openPayout(affiliate.id)).amount).toBe(1_000)
    const { status, body } = await edit(id, { due_at: '2026-03-12T00:00:00+02:00' })
    expect([status, body.state, body.due_at]).toEqual([200, 'pending', '2026-03-11T22:00:00.000Z'])
    expect(await openPayout(affiliate.id)).toBeUndefined()
    expect(await historyOf(id)).toEqual([
      `rescheduled, state due -> pending, dueAt ${due_at} -> 2026-03-11T22:00:00.000Z`,
    ])
    expect(await dueReason(id)).toBe('Due on 2026-03-11, which was set by hand (by the rule: at the time of the sale).')
    app.clock.advanceDays(2)
    expect((await read(id)).state).toBe('due')
    expect((await openPayout(affiliate.id)).amount).toBe(1_000)
  })

  it('200 with a past date makes it due, and the next read of payouts collects it', async () => {
    const { coupon, affiliate } = await createSeller(program)
    const { commission } = await reportSale(program, { coupon })
    const { body } = await edit(commission.id, { due_at: '2026-01-31' })
    expect(body).toMatchObject({ state: 'due', due_at: '2026-01-31T00:00:00.000Z' })
    expect((await openPayout(affiliate.id)).amount).toBe(1_000)
    expect((await edit(commission.id, { due_at: commission.due_at })).body).toEqual(commission)
    expect(await dueReason(commission.id)).toBe('Due 30 days after the sale.')
  })

  it.each([null, '', 'tomorrow', '2026-02-30'])('422 for the due date %j', async (due_at) => {
    const { id } = await dueCommission()
    const { status, body } = await edit(id, { due_at, paid_at: now() })
    expect([status, body]).toEqual([
      422,
      { error: 'Could not update commission.', details: [expect.stringMatching(/^Due at (can't be blank|must be)/)] },
    ])
    expect((await read(id)).state).toBe('due')
  })
})

it('a form body and GraphQL make the same change and return the same commission', async () => {
  const { id } = await dueCommission()
  const form = { method: 'PUT', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }
  const sent = await program.send(`/commissions/${id}`, {
    ...form,
    body: 'paid_at=2026-03-09T08%3A00%3A00Z&amount=250',
  })
  expect(sent.body).toMatchObject({ state: 'paid', amount: 250, paid_at: yesterday })
  expect((await program.send(`/commissions/${id}`, { ...form, body: 'paid_at=' })).body.state).toBe('due')
  const mutation = `mutation ($input: AmendCommissionInput!) {
    amendCommission(input: $input) { commission { amountCents state dueAt paidAt } }
  }`
  const amended = async (input: object) =>
    (await program.graphql(mutation, { input: { id, ...input } })).amendCommission.commission
  expect(await amended({ amountCents: 90, dueAt: '2026-04-02T00:00:00Z', paidAt: yesterday })).toEqual({
    amountCents: 90,
    state: 'PAID',
    dueAt: '2026-04-02T00:00:00.000Z',
    paidAt: yesterday,
  })
  expect(await amended({ paidAt: null })).toMatchObject({ state: 'PENDING', paidAt: null })
})

it('analytics count the payment on its day, and count the amount as owed again after a reversal', async () => {
  const other = await app.createProgram()
  const { id } = await dueCommission({}, other)
  const totals = async () => {
    const query = `{ analytics(range: { from: "2026-03-09T00:00:00Z", to: "2026-03-10T00:00:00Z" }) { totals { commissionPaid { amountCents } } liability { currency owed { amountCents } } } }`
    const { analytics } = await other.graphql(query)
    return [analytics.totals.commissionPaid.amountCents, analytics.liability[0]?.owed.amountCents]
  }
  await other.put(`/commissions/${id}`, { paid_at: yesterday })
  expect(await totals()).toEqual([1_000, undefined])
  await other.put(`/commissions/${id}`, { paid_at: '' })
  expect(await totals()).toEqual([0, 1_000])
})
