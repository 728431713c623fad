import { describe, expect, it } from 'vitest'
import { createTestApp, type TestProgram } from '../../../support/app.ts'
import { createLead, createSeller, listed, recordVisit, reportSale } from '../../../support/factories.ts'
import { earner, runsOf } from '../../../support/payout-runs.ts'

const app = await createTestApp()

const fields = `
  matchedBy signals { signal outcome }
  rule { rewardType commissionPercent commissionAmountCents commissionCurrency daysBeforeDue maxCommissions maxCommissionPeriodInMonths selfReferrals }
  limits { commissions maxCommissions periodBeganAt periodEndsAt }
  baseCents baseCurrency exactAmount rounding calculatedCents dueReason summary`

async function report(program: TestProgram, input: object, operation = 'mutation', field = 'reportConversion') {
  const result = await program.graphql(
    `${operation} ($input: ReportConversionInput!) {
      ${field}(input: $input) {
        duplicate saleId sale { id outcome explanation { ${fields} } affiliate { id } commissions { nodes { id } } }
        commission { id amountCents state heldReason explanation { ${fields} } sale { id } }
        explanation { ${fields} }
      }
    }`,
    { input },
  )
  return result[field]
}
const simulate = (program: TestProgram, input: object) => report(program, input, 'query', 'simulateConversion')

describe('the explanation of a commission', () => {
  it('contains the tried signals, the rule, the base, the rounding, the limits and the due date', async () => {
    const program = await app.createProgram()
    const { coupon } = await createSeller(program, {
      commission_percent: 12.5,
      max_commissions: 12,
      max_commission_period_in_months: 12,
      days_before_commissions_are_due: 7,
    })
    const other = await createSeller(program)
    const { id: expired } = await recordVisit(program, other.link.token)
    const sale = { coupon, email: 'a@b.co', occurred_at: '2026-03-01T00:00:00Z' }
    await reportSale(program, sale)
    app.clock.advanceDays(61)
    const { commission, explanation } = await report(program, {
      amountCents: 1_004,
      referralId: expired,
      coupon,
      email: 'a@b.co',
    })
    expect(commission.explanation).toEqual(explanation)
    expect(explanation).toEqual({
      matchedBy: 'COUPON',
      signals: [
        { signal: 'REFERRAL_ID', outcome: 'EXPIRED' },
        { signal: 'COUPON', outcome: 'MATCHED' },
        { signal: 'EMAIL', outcome: 'NOT_TRIED' },
      ],
      rule: {
        rewardType: 'PERCENT',
        commissionPercent: 12.5,
        commissionAmountCents: null,
        commissionCurrency: 'usd',
        daysBeforeDue: 7,
        maxCommissions: 12,
        maxCommissionPeriodInMonths: 12,
        selfReferrals: 'HOLD',
      },
      limits: {
        commissions: 1,
        maxCommissions: 12,
        periodBeganAt: '2026-03-01T00:00:00.000Z',
        periodEndsAt: '2027-03-01T00:00:00.000Z',
      },
      baseCents: 1_004,
      baseCurrency: 'usd',
      exactAmount: '125.5',
      rounding: 'HALF_UP',
      calculatedCents: 126,
      dueReason: 'Due 7 days after the sale.',
      summary: [
        'Attributed by the coupon. Tried before: the referral id led to a referral that had expired.',
        '12.5 percent of 10.04 USD is 1.26 USD, rounded half up.',
      ],
    })
  })

  it('contains the rule at the time of the sale, and mentions a change by hand', async () => {
    const program = await app.createProgram()
    const { coupon, campaign } = await createSeller(program)
    const { commission } = await reportSale(program, { coupon })
    await program.put(`/campaigns/${campaign.id}`, { commission_amount_cents: 1, max_commissions: 1 })
    await program.put(`/commissions/${commission.id}`, { amount: 1_200 })
    const { commission: read } = await program.graphql(
      `query ($id: ID!) { commission(id: $id) { amountCents explanation { ${fields} } } }`,
      { id: commission.id },
    )
    expect(read.amountCents).toBe(1_200)
    expect(read.explanation).toMatchObject({
      calculatedCents: 1_000,
      rule: { rewardType: 'PERCENT', maxCommissions: null },
    })
    expect(read.explanation.summary).toContain('The amount was changed to 12.00 USD by hand.')
  })

  it('contains the effect of a refund; a negative commission explains its deduction', async () => {
    const program = await app.createProgram()
    const { coupon } = await createSeller(program, { days_before_commissions_are_due: 0 })
    const { commission, sale_id: sale } = await reportSale(program, { coupon })
    await program.post('/conversions/refund', { sale_id: sale, amount_cents: 2_500 })
    const [payout] = await listed(program, '/payouts')
    await program.post(`/payouts/${payout.id}/pay`)
    app.clock.advanceDays(1)
    const { body } = await program.post('/conversions/refund', { sale_id: sale, amount_cents: 5_000 })
    const explain = async (id: string) =>
      (await program.graphql(`query ($id: ID!) { commission(id: $id) { explanation { ${fields} } } }`, { id }))
        .commission.explanation
    expect(await explain(commission.id)).toMatchObject({
      baseCents: 7_500,
      calculatedCents: 750,
      summary: [
        'Attributed by the coupon.',
        '10 percent of 75.00 USD (100.00 USD before refunds) is 7.50 USD, rounded half up.',
      ],
    })
    expect(await explain(body.negative_commission.id)).toMatchObject({
      baseCents: 2_500,
      calculatedCents: 250,
      dueReason: 'Due at once, because a refund after payment lowers the next payout.',
      summary: [
        'Attributed by the coupon.',
        'Deducts 5.00 USD: 50.00 USD of the sale was refunded after the commission of 7.50 USD was paid.',
      ],
    })
  })
})

describe('the explanation of a sale without a commission contains the reason', () => {
  it.each([
    [
      { max_commissions: 1 },
      {},
      'MAX_COMMISSIONS_REACHED',
      'No commission: the referral already had 1 of at most 1 commissions.',
    ],
    [
      { max_commission_period_in_months: 1 },
      { occurredAt: '2026-03-02T00:00:00Z' },
      'COMMISSION_PERIOD_OVER',
      'No commission: the commission period of 1 months ended on 2026-03-01.',
    ],
    [{}, { amountCents: 4 }, 'AMOUNT_ROUNDS_TO_ZERO', 'No commission: the amount rounds to 0.'],
  ])('%j', async (campaign, sale, outcome, sentence) => {
    const program = await app.createProgram()
    const { coupon } = await createSeller(program, campaign)
    const first = { coupon, email: 'a@b.co', occurred_at: '2026-02-01T00:00:00Z' }
    await reportSale(program, first)
    const result = await report(program, { amountCents: 10_000, coupon, email: 'a@b.co', ...sale })
    expect(result.commission).toBeNull()
    expect(result.sale.outcome).toBe(outcome)
    expect(result.explanation.summary).toEqual(['Attributed by the coupon.', sentence])
  })
})

describe('self-referral', () => {
  const own = { email: 'ada@acme-partners.com' }
  async function createSelfSeller(policy?: string) {
    const program = await app.createProgram()
    const seller = await createSeller(program, {
      days_before_commissions_are_due: 0,
      ...(policy && { self_referrals: policy }),
    })
    await program.put(`/affiliates/${seller.affiliate.id}`, own)
    return { program, ...seller }
  }

  it('is held by default, and earns if the campaign says so', async () => {
    for (const [policy, expected] of [
      [undefined, { state: 'PENDING', heldReason: 'SELF_REFERRAL_EMAIL' }],
      ['allow', { state: 'DUE', heldReason: null }],
    ] as const) {
      const { program, coupon } = await createSelfSeller(policy)
      const { commission } = await report(program, { amountCents: 10_000, coupon, ...own })
      expect(commission).toMatchObject(expected)
    }
  })

  it.each([
    ['Ada+2@Acme-Partners.com', 'SELF_REFERRAL_EMAIL'],
    ['grace@acme-partners.com', 'SELF_REFERRAL_DOMAIN'],
  ])('hold: the commission for %s stays pending and in no payout until it is approved', async (email, heldReason) => {
    const { program, coupon } = await createSelfSeller('hold')
    const { commission, sale } = await report(program, { amountCents: 10_000, coupon, email })
    expect(commission).toMatchObject({ amountCents: 1_000, state: 'PENDING', heldReason })
    expect(commission.explanation.dueReason).toBe('Held. Once approved, due at the time of the sale.')
    expect(sale.outcome).toBe('HELD')
    expect(await listed(program, '/payouts')).toEqual([])
    expect(await listed(program, '/commissions?state=due')).toEqual([])
    expect(await listed(program, '/commissions?state=pending')).toHaveLength(1)
    const approve = () =>
      program.graphql(
        'mutation ($id: ID!) { approveCommission(input: { id: $id }) { commission { state heldReason } } }',
        { id: commission.id },
      )
    expect((await approve()).approveCommission.commission).toEqual({ state: 'DUE', heldReason: null })
    expect(await listed(program, '/payouts')).toMatchObject([{ amount: 1_000 }])
    expect((await approve()).approveCommission.commission.state).toBe('DUE')
  })

  it('hold: a voided commission cannot be approved', async () => {
    const { program, coupon } = await createSelfSeller('hold')
    const { commission } = await report(program, { amountCents: 10_000, coupon, ...own })
    await program.delete(`/commissions/${commission.id}`)
    const approve = program.graphql(
      'mutation ($id: ID!) { approveCommission(input: { id: $id }) { commission { state } } }',
      {
        id: commission.id,
      },
    )
    await expect(approve).rejects.toThrow("A void commission can't be approved.")
  })

  it("hold: compares the lead's e-mail when the sale has no e-mail", async () => {
    const { program, link } = await createSelfSeller('hold')
    const { id } = await createLead(program, link.token, own.email)
    const { commission } = await report(program, { amountCents: 10_000, referralId: id })
    expect(commission.heldReason).toBe('SELF_REFERRAL_EMAIL')
  })

  it('reject: records the sale without a commission', async () => {
    const { program, coupon } = await createSelfSeller('reject')
    const { commission, sale } = await report(program, { amountCents: 10_000, coupon, ...own })
    expect(commission).toBeNull()
    expect(sale.outcome).toBe('SELF_REFERRAL')
    const stranger = await report(program, { amountCents: 10_000, coupon, email: 'someone@else.test' })
    expect(stranger.commission.amountCents).toBe(1_000)
  })
})

it('the explanation names a coupon that was tried, and was archived', async () => {
  const program = await app.createProgram()
  const { affiliate, coupon, link } = await createSeller(program)
  await createLead(program, link.token, 'grace@example.com')
  const archive = 'mutation ($id: ID!) { archiveAffiliateCoupon(input: { id: $id }) { affiliateCoupon { id } } }'
  await program.graphql(archive, { id: (await program.get(`/affiliates/${affiliate.id}`)).body.coupon.id })
  const { explanation } = await report(program, { amountCents: 1_000, coupon, email: 'grace@example.com' })
  expect(explanation.summary[0]).toBe(
    "Attributed by the customer's e-mail. Tried before: the coupon was archived, or its campaign was.",
  )
})

describe('simulateConversion', () => {
  it('returns what reportConversion returns, and writes nothing', async () => {
    const program = await app.createProgram()
    const { coupon, affiliate } = await createSeller(program)
    const input = { amountCents: 4_900, coupon, email: 'a@b.co', externalId: 'inv_1' }
    const count = async () => [
      await app.database.db.sale.count({ where: { programId: program.id } }),
      await app.database.db.customer.count({ where: { programId: program.id } }),
      await app.database.db.referral.count({ where: { programId: program.id } }),
      await app.database.db.commission.count({ where: { programId: program.id } }),
    ]
    const simulated = await simulate(program, input)
    expect(await count()).toEqual([0, 0, 0, 0])
    expect(simulated.sale.affiliate.id).toBe(affiliate.id)
    const reported = await report(program, input)
    const withoutIds = (value: unknown) => JSON.parse(JSON.stringify(value).replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id'))
    expect(withoutIds(simulated)).toEqual(withoutIds(reported))
    expect(await count()).toEqual([1, 1, 1, 1])
    expect((await simulate(program, input)).duplicate).toBe(true)
  })

  it('fails as reportConversion does, with the reasons, and keeps no unattributed sale', async () => {
    const program = await app.createProgram()
    const failure = await simulate(program, { amountCents: 1, coupon: 'NONE' }).catch((error) => error.errors[0])
    expect(failure).toMatchObject({
      message: 'No active affiliate matches this sale.',
      extensions: { code: 'REFUSED', reasons: ['NO_MATCHING_AFFILIATE', 'COUPON_NOT_FOUND'] },
    })
    const { unattributedSales } = await program.graphql('{ unattributedSales { nodes { id } } }')
    expect(unattributedSales.nodes).toEqual([])
  })
})

describe('POST /conversions?dry_run=true', () => {
  it('200 returns what the report would return, and writes nothing', async () => {
    const program = await app.createProgram()
    const { coupon } = await createSeller(program)
    const sale = { amount_cents: 4_900, coupon, email: 'a@b.co' }
    const dry = await program.post('/conversions?dry_run=true', sale)
    expect(dry.status).toBe(200)
    expect(await listed(program, '/commissions')).toEqual([])
    expect(await listed(program, '/referrals')).toEqual([])
    const real = await program.post('/conversions?dry_run=false', sale)
    expect(real.status).toBe(201)
    const ids = { sale_id: expect.any(String), commission: { ...real.body.commission, id: expect.any(String) } }
    expect(dry.body).toEqual({ ...real.body, ...ids })
  })

  it('422 when the report would fail', async () => {
    const program = await app.createProgram()
    const { status, body } = await program.post('/conversions?dry_run=1', { amount_cents: 1, email: 'a@b.co' })
    expect([status, body.details]).toEqual([422, ['no_matching_affiliate', 'email_not_found']])
  })
  it.each(['yes', 'on', '', '2'])(
    '422 for "%s", and writes nothing, so that a mistyped dry run records no sale',
    async (dryRun) => {
      const program = await app.createProgram()
      const { coupon } = await createSeller(program)
      const { status, body } = await program.post(`/conversions?dry_run=${dryRun}`, { amount_cents: 4_900, coupon })
      expect([status, body.details]).toEqual([422, ['Dry run must be true or false']])
      expect(await listed(program, '/commissions')).toEqual([])
    },
  )
})

it('the explanation of a commission names payments that did not arrive or were undone, with the reason', async () => {
  const program = await app.createProgram()
  const { payout, commission } = await earner(program)
  const today = app.clock.now.toISOString().slice(0, 10)
  const runs = runsOf(program)
  const run = await runs.create({ method: 'PAYPAL' })
  await runs.markPaid(run.id)
  await runs.record(run.id, [{ payoutId: payout.id, state: 'RETURNED', reason: 'no account' }])
  const [next] = await listed(program, '/payouts?state=pending')
  await program.post(`/payouts/${next.id}/pay`)
  await runs.undo(next.id, 'entered twice')
  const read = await program.graphql(`{ commission(id: "${commission.id}") { explanation { summary } } }`)
  expect(read.commission.explanation.summary.slice(-2)).toEqual([
    `Unpaid again since ${today}: the payment was returned: no account.`,
    `Unpaid again since ${today}: the payout was undone: entered twice.`,
  ])
})
