import { describe, expect, it } from 'vitest'
import { createTestApp, type TestProgram } from '../../../support/app.ts'
import { createLead, createSeller, listed, reportSale, unknownId } from '../../../support/factories.ts'

const app = await createTestApp()

const list = async (program: TestProgram) =>
  (
    await program.graphql(
      '{ unattributedSales { nodes { id externalId email coupon amountCents currency occurredAt signals { signal outcome } } } }',
    )
  ).unattributedSales.nodes

const attribute = async (program: TestProgram, id: string, affiliateId: string) =>
  (
    await program.graphql(
      `mutation ($id: ID!, $affiliateId: ID!) {
        attributeSale(input: { id: $id, affiliateId: $affiliateId }) {
          sale {
          id externalId attributedBy outcome affiliate { id } referral { id conversionState }
          commissions { nodes { amountCents state dueAt } } explanation { signals { signal outcome } summary }
          }
        }
      }`,
      { id, affiliateId },
    )
  ).attributeSale.sale

/** Reports a sale that matches no affiliate, and creates an affiliate that it can be attributed to. */
async function createUnattributed(fields: object = {}, campaign: Record<string, unknown> = {}) {
  const program = await app.createProgram()
  const seller = await createSeller(program, campaign)
  const sale = { amount_cents: 10_000, email: 'grace@example.com', external_id: 'inv_1', ...fields }
  const { status } = await program.post('/conversions', sale)
  expect(status).toBe(422)
  const [kept] = await list(program)
  return { program, kept, sale, ...seller }
}

describe('a sale that matches no active affiliate', () => {
  it('is kept with the report and the outcome of each signal', async () => {
    const { kept } = await createUnattributed({ coupon: 'NONE', occurred_at: '2026-03-01T00:00:00Z' })
    expect(kept).toEqual({
      id: expect.any(String),
      externalId: 'inv_1',
      email: 'grace@example.com',
      coupon: 'NONE',
      amountCents: 10_000,
      currency: 'usd',
      occurredAt: '2026-03-01T00:00:00.000Z',
      signals: [
        { signal: 'REFERRAL_ID', outcome: 'NOT_GIVEN' },
        { signal: 'COUPON', outcome: 'NOT_FOUND' },
        { signal: 'EMAIL', outcome: 'NOT_FOUND' },
      ],
    })
  })

  it('is kept once, with the values of the last report', async () => {
    const { program, sale } = await createUnattributed()
    await program.post('/conversions', { ...sale, amount_cents: 1 })
    expect(await list(program)).toMatchObject([{ amountCents: 1 }])
  })

  it('is kept with replacement characters for what cannot be stored', async () => {
    const program = await app.createProgram()
    const { status } = await program.post('/conversions', { amount_cents: 1, referral_id: 'a\u0000b\ud800' })
    expect(status).toBe(422)
    const { unattributedSales } = await program.graphql('{ unattributedSales { nodes { referralId } } }')
    expect(unattributedSales.nodes).toEqual([{ referralId: 'a\ufffdb\ufffd' }])
  })

  it('is not kept when the report is invalid', async () => {
    const program = await app.createProgram()
    await program.post('/conversions', { amount_cents: -1, email: 'a@b.co' })
    expect(await list(program)).toEqual([])
  })

  it('is deleted when a later report of it matches', async () => {
    const { program, sale, coupon } = await createUnattributed()
    await reportSale(program, { ...sale, coupon })
    expect(await list(program)).toEqual([])
  })

  it('is kept for 90 days', async () => {
    const { program, kept, affiliate } = await createUnattributed()
    app.clock.advanceDays(90)
    expect(await list(program)).toHaveLength(1)
    app.clock.advanceDays(1 / 86_400_000)
    expect(await list(program)).toEqual([])
    await expect(attribute(program, kept.id, affiliate.id)).rejects.toThrow(`Unattributed sale not found: ${kept.id}`)
    await program.post('/conversions', { amount_cents: 1, email: 'a@b.co' })
    expect(await app.database.db.unattributedSale.count({ where: { programId: program.id } })).toBe(1)
  })
})

describe('dismissUnattributedSale', () => {
  const change = (program: TestProgram, verb: 'dismiss' | 'restore', id: string) =>
    program.graphql(
      `mutation ($id: ID!) { ${verb}UnattributedSale(input: { id: $id }) {
        unattributedSale { id dismissedAt dismissedBy { kind apiKey { name } } }
      } }`,
      { id },
    )
  const ids = async (program: TestProgram, condition: string) =>
    (
      await program.graphql(`{ unattributedSales(where: { dismissedAt: ${condition} }) { totalCount nodes { id } } }`)
    ).unattributedSales.nodes.map(({ id }: { id: string }) => id)

  it('lists the sale separately, with the person who dismissed it and the time, until it is restored', async () => {
    const { program, kept, sale } = await createUnattributed()
    const dismissedAt = app.clock.now.toISOString()
    const dismissed = {
      id: kept.id,
      dismissedAt,
      dismissedBy: { kind: 'API_KEY', apiKey: { name: expect.any(String) } },
    }
    const answer = await change(program, 'dismiss', kept.id)
    expect(answer.dismissUnattributedSale.unattributedSale).toEqual(dismissed)
    app.clock.advanceDays(1)
    expect((await change(program, 'dismiss', kept.id)).dismissUnattributedSale.unattributedSale).toEqual(dismissed)
    await program.post('/conversions', sale)
    expect(await ids(program, '{ equals: null }')).toEqual([])
    expect(await ids(program, '{ not: null }')).toEqual([kept.id])
    const restored = await change(program, 'restore', kept.id)
    expect(restored.restoreUnattributedSale.unattributedSale).toEqual({
      id: kept.id,
      dismissedAt: null,
      dismissedBy: null,
    })
    expect(await ids(program, '{ equals: null }')).toEqual([kept.id])
  })

  it('does not keep a later report or a person from attributing the sale', async () => {
    const reported = await createUnattributed()
    await change(reported.program, 'dismiss', reported.kept.id)
    await reportSale(reported.program, { ...reported.sale, coupon: reported.coupon })
    expect(await list(reported.program)).toEqual([])
    const byHand = await createUnattributed()
    await change(byHand.program, 'dismiss', byHand.kept.id)
    expect((await attribute(byHand.program, byHand.kept.id, byHand.affiliate.id)).outcome).toBe('EARNED')
  })

  it('finds no sale of another program', async () => {
    const { program, kept } = await createUnattributed()
    const stranger = await app.createProgram()
    for (const verb of ['dismiss', 'restore'] as const)
      for (const id of [kept.id, unknownId, 'x'])
        await expect(change(stranger, verb, id)).rejects.toThrow(`Unattributed sale not found: ${id}`)
    expect(await ids(program, '{ equals: null }')).toEqual([kept.id])
  })
})

describe('attributeSale', () => {
  it('records the sale for the affiliate: referral, commission and explanation', async () => {
    const { program, kept, affiliate } = await createUnattributed({ occurred_at: '2026-03-01T00:00:00Z' })
    const sale = await attribute(program, kept.id, affiliate.id)
    expect(sale).toMatchObject({
      externalId: 'inv_1',
      attributedBy: 'MANUAL',
      outcome: 'EARNED',
      affiliate: { id: affiliate.id },
      referral: { conversionState: 'CONVERSION' },
      commissions: { nodes: [{ amountCents: 1_000, dueAt: '2026-03-31T00:00:00.000Z' }] },
    })
    expect(sale.explanation.signals.at(-1)).toEqual({ signal: 'MANUAL', outcome: 'MATCHED' })
    expect(await list(program)).toEqual([])
    expect((await program.get(`/affiliates/${affiliate.id}`)).body).toMatchObject({
      visitors: 1,
      leads: 1,
      conversions: 1,
    })
  })

  it('attributes later sales with the same e-mail to that affiliate', async () => {
    const { program, kept, affiliate } = await createUnattributed()
    await attribute(program, kept.id, affiliate.id)
    const { commission } = await reportSale(program, { email: 'grace@example.com' })
    expect(commission.affiliate_id).toBe(affiliate.id)
  })

  it("uses the customer's referral of the affiliate, even if it has expired", async () => {
    const program = await app.createProgram()
    const { affiliate, link } = await createSeller(program)
    const { id, email } = await createLead(program, link.token)
    await program.put(`/affiliates/${affiliate.id}`, { state: 'disabled' })
    await program.post('/conversions', { amount_cents: 10_000, email })
    await program.put(`/affiliates/${affiliate.id}`, { state: 'active' })
    const [kept] = await list(program)
    expect((await attribute(program, kept.id, affiliate.id)).referral.id).toBe(id)
  })

  it('applies the rule at the time of the sale', async () => {
    const { program, kept, affiliate, campaign } = await createUnattributed()
    app.clock.advanceDays(1)
    await program.put(`/campaigns/${campaign.id}`, { commission_percent: 50, days_before_commissions_are_due: 0 })
    app.clock.advanceDays(1)
    const other = await createSeller(program, { commission_percent: 90 })
    await program.put(`/affiliates/${affiliate.id}`, { campaign_id: other.campaign.id })
    const sale = await attribute(program, kept.id, affiliate.id)
    expect(sale.commissions.nodes).toMatchObject([{ amountCents: 1_000, state: 'PENDING' }])
  })

  it('works once: a second attribution is not found, and a report of the sale is a duplicate', async () => {
    const { program, kept, affiliate, sale } = await createUnattributed()
    const attributed = await attribute(program, kept.id, affiliate.id)
    await expect(attribute(program, kept.id, affiliate.id)).rejects.toThrow('not found')
    expect((await program.post('/conversions', sale)).body).toMatchObject({ duplicate: true, sale_id: attributed.id })
  })

  it('rejects an unknown or inactive affiliate, and keeps the unattributed sale', async () => {
    const { program, kept, affiliate } = await createUnattributed()
    await expect(attribute(program, kept.id, unknownId)).rejects.toThrow('Affiliate not found.')
    await program.put(`/affiliates/${affiliate.id}`, { state: 'disabled' })
    await expect(attribute(program, kept.id, affiliate.id)).rejects.toThrow('The affiliate is not active.')
    expect(await list(program)).toHaveLength(1)
  })

  it('does not find sales or affiliates of another program', async () => {
    const { program, kept, affiliate } = await createUnattributed()
    const stranger = await app.createProgram()
    const theirs = await createSeller(stranger)
    await expect(attribute(stranger, kept.id, theirs.affiliate.id)).rejects.toThrow('not found')
    await expect(attribute(program, kept.id, theirs.affiliate.id)).rejects.toThrow('Affiliate not found.')
    expect(await listed(program, '/commissions')).toEqual([])
    expect(affiliate.conversions).toBe(0)
  })
})
