import { describe, expect, it } from 'vitest'
import { examine } from '../../../src/modules/doctor/service.ts'
import { createTestApp, restClient } from '../../support/app.ts'
import { createSeller, listed, reportSale } from '../../support/factories.ts'

const app = await createTestApp()
const program = await app.createProgram()
const { createApiKey } = await app.operator(
  `mutation ($id: ID!) { createApiKey(input: { programId: $id, name: "Superset", profile: SUPERSET }) { secret } }`,
  { id: program.id },
)
const superset = restClient(app.app.fetch, { Authorization: `Bearer ${createApiKey.secret}` })

const give = async (affiliateId: string, fields: object = {}) => {
  const { createCommission } = await program.graphql(
    `mutation ($input: CreateCommissionInput!) { createCommission(input: $input) {
      commission { id kind reason externalId amountCents currency state dueAt occurredAt sale { id } referral { id } campaignId }
    } }`,
    { input: { affiliateId, kind: 'BONUS', amountCents: 5_000, currency: 'usd', reason: 'Best in spring', ...fields } },
  )
  return createCommission.commission
}
const openPayout = async (affiliateId: string) =>
  (await listed(program, `/payouts?affiliate_id=${affiliateId}&state=pending`))[0]
const now = () => app.clock.now.toISOString()

describe('createCommission', () => {
  it('gives a bonus that is due at once and in the next payout', async () => {
    const { affiliate, campaign } = await createSeller(program)
    const bonus = await give(affiliate.id)
    expect(bonus).toEqual({
      id: expect.any(String),
      kind: 'BONUS',
      reason: 'Best in spring',
      externalId: null,
      amountCents: 5_000,
      currency: 'usd',
      state: 'DUE',
      dueAt: now(),
      occurredAt: now(),
      sale: null,
      referral: null,
      campaignId: campaign.id,
    })
    expect(await openPayout(affiliate.id)).toMatchObject({ amount: 5_000, currency: 'usd' })
  })

  it('deducts a negative correction from what is due', async () => {
    const { affiliate } = await createSeller(program)
    await give(affiliate.id)
    await give(affiliate.id, { kind: 'CORRECTION', amountCents: -1_200, reason: 'Paid twice in March' })
    const payout = await openPayout(affiliate.id)
    expect(payout.amount).toBe(3_800)
    const { body } = await program.post(`/payouts/${payout.id}/pay`)
    expect(body).toMatchObject({ state: 'paid', amount: 3_800 })
    const states = (await listed(program, `/commissions?affiliate_id=${affiliate.id}`)).map(({ state }) => state)
    expect(states).toEqual(['paid', 'paid'])
  })

  it('carries a correction forward that is more than what is due', async () => {
    const { affiliate } = await createSeller(program)
    await give(affiliate.id, { kind: 'CORRECTION', amountCents: -900 })
    expect(await openPayout(affiliate.id)).toBeUndefined()
    await give(affiliate.id, { amountCents: 1_000 })
    expect(await openPayout(affiliate.id)).toMatchObject({ amount: 100 })
  })

  it('explains who gave it and why, and keeps the reason in its history', async () => {
    const { affiliate } = await createSeller(program)
    const { id } = await give(affiliate.id, { kind: 'CORRECTION', amountCents: -1_200, reason: 'Paid twice' })
    const { commission } = await program.graphql(
      `query ($id: ID!) { commission(id: $id) {
        explanation { summary dueReason matchedBy baseCents calculatedCents }
        history { nodes { action reason actor { kind } } }
      } }`,
      { id },
    )
    expect(commission).toEqual({
      explanation: {
        summary: ['A correction that deducts 12.00 USD, by the API key Tests on 2026-03-10: Paid twice.'],
        dueReason: 'Due at once, because it waits for no return of a sale.',
        matchedBy: null,
        baseCents: -1_200,
        calculatedCents: -1_200,
      },
      history: { nodes: [{ action: 'EARNED', reason: 'Paid twice', actor: { kind: 'API_KEY' } }] },
    })
  })

  it('creates one commission for one external id', async () => {
    const { affiliate } = await createSeller(program)
    const first = await give(affiliate.id, { externalId: 'bonus_1' })
    const second = await give(affiliate.id, { externalId: 'bonus_1', amountCents: 7, reason: 'Other' })
    expect(second).toEqual(first)
    const { affiliate: other } = await createSeller(program)
    const racing = await Promise.all([affiliate, other].map(({ id }) => give(id, { externalId: 'bonus_2' })))
    expect(racing[0]).toEqual(racing[1])
  })

  it.each([
    ['a negative bonus', { amountCents: -1 }, 'Amount cents must be positive for a bonus'],
    ['no amount', { amountCents: 0 }, 'Amount cents must not be 0'],
    ['a blank reason', { reason: ' ' }, "Reason can't be blank"],
    ['an unknown affiliate', { affiliateId: '019b8d62-7a80-7a31-8c52-3f0b9d6e0001' }, 'Affiliate not found'],
  ])('rejects %s', async (_what, fields, message) => {
    const { affiliate } = await createSeller(program)
    await expect(give(affiliate.id, fields)).rejects.toThrow(message)
    expect(await listed(program, `/commissions?affiliate_id=${affiliate.id}`)).toEqual([])
  })

  it('gives a disabled affiliate no bonus, but a correction', async () => {
    const { affiliate } = await createSeller(program)
    await program.put(`/affiliates/${affiliate.id}`, { state: 'disabled' })
    await expect(give(affiliate.id)).rejects.toThrow('The affiliate is not active, so it gets no bonus.')
    expect(await give(affiliate.id, { kind: 'CORRECTION', amountCents: -100 })).toMatchObject({ amountCents: -100 })
  })

  it('can be voided, and a bonus amended; the amount of a correction stays', async () => {
    const { affiliate } = await createSeller(program)
    const bonus = await give(affiliate.id)
    const correction = await give(affiliate.id, { kind: 'CORRECTION', amountCents: -500 })
    expect((await program.put(`/commissions/${bonus.id}`, { amount: 4_000 })).body.amount).toBe(4_000)
    const { status, body } = await program.put(`/commissions/${correction.id}`, { amount: 0 })
    expect([status, body.error]).toEqual([422, expect.stringContaining("amount of a correction can't be changed")])
    expect((await openPayout(affiliate.id)).amount).toBe(3_500)
    expect((await program.delete(`/commissions/${correction.id}`)).body.state).toBe('void')
    expect((await openPayout(affiliate.id)).amount).toBe(4_000)
  })

  it('counts as earned in analytics and in the sums of the affiliate, but as no sale', async () => {
    const { affiliate, coupon } = await createSeller(program, { days_before_commissions_are_due: 0 })
    await reportSale(program, { coupon, amount_cents: 10_000 })
    await give(affiliate.id, { kind: 'CORRECTION', amountCents: -300 })
    const { affiliate: read } = await program.graphql(
      `query ($id: ID!) { affiliate(id: $id) { analytics(range: { preset: LAST_30_DAYS }) { totals { commissionAccrued { cents } sales } }
        commissions(where: { kind: { equals: CORRECTION } }) { totalCount nodes { amountCents } } } }`,
      { id: affiliate.id },
    )
    expect(read.commissions).toEqual({ totalCount: 1, nodes: [{ amountCents: -300 }] })
    expect(read.analytics).toEqual({ totals: { commissionAccrued: { cents: 700 }, sales: 1 } })
  })

  it('leaves data in which the doctor finds nothing', async () => {
    expect(await examine(app.database, { programId: program.id })).toEqual([])
  })
})

describe('POST /commissions', () => {
  const body = (affiliateId: string) => ({
    affiliate_id: affiliateId,
    kind: 'bonus',
    amount_cents: 5_000,
    currency: 'usd',
    reason: 'Best in spring',
  })

  it('201 for a key with the superset profile, with the kind and the reason', async () => {
    const { affiliate } = await createSeller(program)
    const { status, body: given } = await superset.post('/commissions', body(affiliate.id))
    expect([status, given]).toMatchObject([
      201,
      { object: 'commission', kind: 'bonus', reason: 'Best in spring', amount: 5_000, state: 'due' },
    ])
    expect((await superset.get(`/commissions/${given.id}?expand=sale`)).body).toEqual(given)
  })

  it("405 for a key with the contract's profile, whose lists show it with the contract's fields", async () => {
    const { affiliate, campaign } = await createSeller(program)
    const refused = await program.post('/commissions', body(affiliate.id))
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    const { id } = await give(affiliate.id)
    expect(await listed(program, `/commissions?affiliate_id=${affiliate.id}`)).toEqual([
      {
        id,
        object: 'commission',
        currency: 'usd',
        amount: 5_000,
        state: 'due',
        due_at: now(),
        paid_at: null,
        campaign_id: campaign.id,
        affiliate_id: affiliate.id,
      },
    ])
  })

  it('sends the event commission.created, with its kind and without a sale', async () => {
    const { affiliate } = await createSeller(program)
    const { body: given } = await superset.post('/commissions', body(affiliate.id))
    const events = await listed(program, '/events?limit=100')
    const event = events.find((one: any) => one.type === 'commission.created' && one.subject_id === given.id)
    expect(event.data).toMatchObject({ kind: 'bonus', reason: 'Best in spring', amount: 5_000, sale: null })
  })
})
