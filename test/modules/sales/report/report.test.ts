import { describe, expect, it } from 'vitest'
import { createTestApp } from '../../../support/app.ts'
import { createAffiliate, createSeller, listed, recordVisit, reportSale } from '../../../support/factories.ts'

const app = await createTestApp()

it('201 records the sale and earns the commission', async () => {
  const program = await app.createProgram()
  const { body: affiliate } = await program.post('/affiliates', { email: 'ada@example.com' })
  await program.post('/affiliate_coupons', { affiliate_id: affiliate.id, token: 'ADA20' })
  const { status, body } = await program.post('/conversions', { coupon: 'ada20', amount_cents: 4999 })
  expect(status).toBe(201)
  expect(body).toEqual({
    object: 'conversion',
    duplicate: false,
    sale_id: expect.any(String),
    commission: {
      id: expect.any(String),
      object: 'commission',
      amount: 1000,
      currency: 'usd',
      state: 'pending',
      due_at: '2026-04-09T12:00:00.000Z',
      paid_at: null,
      campaign_id: affiliate.campaign.id,
      affiliate_id: affiliate.id,
    },
  })
})

describe('201', () => {
  it("uses the program's currency when the sale has no currency, and accepts upper case", async () => {
    const program = await app.createProgram({ currency: 'CHF' })
    const { coupon } = await createSeller(program)
    expect((await reportSale(program, { coupon })).commission.currency).toBe('chf')
    expect((await reportSale(program, { coupon, currency: 'EUR' })).commission.currency).toBe('eur')
    expect((await reportSale(program, { coupon, currency: '' })).commission.currency).toBe('chf')
  })

  it("pays a fixed commission in the campaign's currency, also for a sale in another currency", async () => {
    const program = await app.createProgram()
    const { coupon } = await createSeller(program, { commission_amount_cents: 700, commission_currency: 'gbp' })
    const { commission } = await reportSale(program, { coupon, currency: 'jpy' })
    expect(commission).toMatchObject({ amount: 700, currency: 'gbp' })
  })

  it.each([
    [9_007_199_254_740_991, 100, 9_007_199_254_740_991],
    ['9007199254740991', 50, 4_503_599_627_370_496],
    [9_007_199_254_740_990, '33.33', 3_002_099_511_605_172],
    [25, 10, 3],
    [1999, 33.33, 666],
  ])('for %j at %s percent earns exactly %i', async (amountCents, percent, expected) => {
    const program = await app.createProgram()
    const { coupon } = await createSeller(program, { commission_percent: percent })
    const { commission } = await reportSale(program, { coupon, amount_cents: amountCents })
    expect(commission.amount).toBe(expected)
    expect((await program.get(`/commissions/${commission.id}`)).body.amount).toBe(expected)
  })

  it('stores occurred_at in UTC, whatever its time zone', async () => {
    const program = await app.createProgram()
    const { coupon } = await createSeller(program, { days_before_commissions_are_due: 0 })
    const dueAt = async (occurredAt: string) =>
      (await reportSale(program, { coupon, occurred_at: occurredAt })).commission.due_at
    expect(await dueAt('2026-03-01T12:00:00+02:00')).toBe('2026-03-01T10:00:00.000Z')
    expect(await dueAt('2026-03-01T12:00:00.123Z')).toBe('2026-03-01T12:00:00.123Z')
    expect(await dueAt('2026-03-01')).toBe('2026-03-01T00:00:00.000Z')
  })
})

describe('the first sale', () => {
  it('turns a visitor into a lead and a conversion, once', async () => {
    const program = await app.createProgram()
    const affiliate = await createAffiliate(program)
    const { id } = await recordVisit(program, affiliate.links[0].token)
    const occurredAt = '2026-03-10T11:00:00.000Z'
    await reportSale(program, { referral_id: id, occurred_at: occurredAt })
    const [first] = await listed(program, '/referrals')
    expect(first).toMatchObject({
      id,
      conversion_state: 'conversion',
      became_lead_at: occurredAt,
      became_conversion_at: occurredAt,
    })
    for (let i = 0; i < 3; i++) await reportSale(program, { referral_id: id })
    expect(await listed(program, '/referrals')).toEqual([first])
    const { body } = await program.get(`/affiliates/${affiliate.id}`)
    expect(body).toMatchObject({ visitors: 1, leads: 1, conversions: 1 })
    expect(body.links).toMatchObject([{ visitors: 1, leads: 1, conversions: 1 }])
  })

  it('by coupon counts for the affiliate, but not for a link', async () => {
    const program = await app.createProgram()
    const { affiliate, coupon } = await createSeller(program)
    await reportSale(program, { coupon, email: 'first@example.com' })
    const { body } = await program.get(`/affiliates/${affiliate.id}`)
    expect(body).toMatchObject({ visitors: 1, leads: 1, conversions: 1 })
    expect(body.links).toMatchObject([{ visitors: 0, leads: 0, conversions: 0 }])
  })
})

describe('422 {error}, and nothing is recorded', () => {
  it.each([
    ['no signal', {}],
    ['blank signals', { referral_id: '', email: ' ', coupon: null }],
  ])('with %s', async (_label, fields) => {
    const program = await app.createProgram()
    const { status, body } = await program.post('/conversions', { amount_cents: 100, ...fields })
    expect(status).toBe(422)
    expect(body.error).toBe('At least one of referral_id, email, coupon must be provided.')
  })

  it.each([
    ['no amount', { amount_cents: undefined }],
    ['a blank amount', { amount_cents: '' }],
    ['a negative amount', { amount_cents: -1 }],
    ['an amount with a fraction', { amount_cents: 10.5 }],
    ['an amount that is not a number', { amount_cents: 'ten' }],
    ['an amount of 2^53', { amount_cents: 9_007_199_254_740_992 }],
    ['an amount of 2^53 as text', { amount_cents: '9007199254740992' }],
    ['an amount of 10^30', { amount_cents: 1e30 }],
    ['an unknown currency', { currency: 'zzz' }],
    ['an external id that is too long', { external_id: 'x'.repeat(256) }],
    ['an external id that is an object', { external_id: { id: 1 } }],
    ['an invalid date', { occurred_at: 'yesterday' }],
    ['a day that does not exist', { occurred_at: '2026-02-30T00:00:00Z' }],
    ['a date in the year 1', { occurred_at: '0001-01-01T00:00:00Z' }],
    ['a time more than a day ahead', { occurred_at: '2026-03-11T12:00:00.001Z' }],
  ])('with %s', async (_label, fields) => {
    const program = await app.createProgram()
    const { coupon } = await createSeller(program)
    const { status, body } = await program.post('/conversions', { amount_cents: 100, coupon, ...fields })
    expect(status).toBe(422)
    expect(body.error).toEqual(expect.any(String))
    expect(body.details).toHaveLength(1)
    expect(await listed(program, '/commissions')).toEqual([])
    expect(await listed(program, '/referrals')).toEqual([])
  })

  it('names the field in an error about the external id', async () => {
    const { body } = await (await app.createProgram()).post('/conversions', {
      amount_cents: 1,
      email: 'a@b.co',
      external_id: {},
    })
    expect(body.details).toEqual([expect.stringMatching(/^External id /)])
  })

  it('lists every problem at once', async () => {
    const program = await app.createProgram()
    const { body } = await program.post('/conversions', { currency: 'zzz' })
    expect(body.details).toHaveLength(3)
  })

  it.each(['disabled', 'suspicious'])('when the affiliate is %s', async (state) => {
    const program = await app.createProgram()
    const { affiliate, coupon } = await createSeller(program)
    await program.put(`/affiliates/${affiliate.id}`, { state })
    const { status, body } = await program.post('/conversions', { amount_cents: 100, coupon, email: 'x@example.com' })
    expect(status).toBe(422)
    expect(body).toEqual({
      error: 'No active affiliate matches this sale.',
      details: ['no_matching_affiliate', 'coupon_affiliate_not_active', 'email_not_found'],
    })
    expect(await listed(program, '/referrals')).toEqual([])
  })
})

it('a report that fails names the fields that it does not know, and one that succeeds ignores them', async () => {
  const program = await app.createProgram()
  const { coupon } = await createSeller(program)
  const cases = [
    [{ amount_cents: 1000, referral: 'x' }, 'Unknown field: referral. Did you mean referral_id?'],
    [{ amount: 1000, coupon }, 'Unknown field: amount. Did you mean amount_cents?'],
    [{ amountCents: 1000, coupon }, 'Unknown field: amountCents. Did you mean amount_cents?'],
    [{ amount_cents: 1000, coupon_code: coupon }, 'Unknown field: coupon_code. Did you mean coupon?'],
    [{ amount_cents: 1000, customer_email: 'a@b.test' }, 'Unknown field: customer_email. Did you mean email?'],
    [{ amount_cents: 1000, emial: 'a@b.test' }, 'Unknown field: emial. Did you mean email?'],
    [{ amount_cents: -1, coupon, order_id: 'o1' }, 'Unknown field: order_id. Did you mean external_id?'],
    [{ amount_cents: 1000, email: 'nobody@b.test', colour: 'red' }, 'Unknown field: colour.'],
  ] as const
  for (const [fields, sentence] of cases) {
    const { status, body } = await program.post('/conversions', fields)
    expect([status, body.error]).toEqual([422, expect.stringContaining(sentence)])
    expect(Object.keys(body).filter((key) => key !== 'details')).toEqual(['error'])
  }
  expect((await program.post('/conversions', { amount_cents: 1000, coupon, colour: 'red' })).status).toBe(201)
})
