import { describe, expect, it } from 'vitest'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { createSeller, reportSale, unknownId } from '../../support/factories.ts'

const app = await createTestApp()

const record = async (program: TestProgram, input: object) =>
  (
    await program.graphql(
      `mutation ($input: RecordSaleInput!) {
        recordSale(input: $input) {
          sale {
            id externalId customerName currency attributedBy occurredAt outcome affiliate { id } customer { email }
            commissions { nodes { amountCents dueAt } } explanation { signals { signal outcome } }
          }
        }
      }`,
      { input },
    )
  ).recordSale.sale

const create = async (campaign: Record<string, unknown> = {}) => {
  const program = await app.createProgram()
  return { program, ...(await createSeller(program, campaign)) }
}

describe('recordSale', () => {
  it('records a sale of the named affiliate, whatever the customer did before', async () => {
    const { program, affiliate } = await create()
    const other = await createSeller(program)
    await reportSale(program, { coupon: other.coupon, email: 'grace@example.com' })
    const sale = await record(program, {
      affiliateId: affiliate.id,
      amountCents: 10_000,
      email: 'grace@example.com',
      customerName: 'Grace Hopper',
      externalId: 'inv_1',
      occurredAt: '2026-03-01T00:00:00Z',
    })
    expect(sale).toEqual({
      id: expect.any(String),
      externalId: 'inv_1',
      customerName: 'Grace Hopper',
      currency: 'usd',
      attributedBy: 'MANUAL',
      occurredAt: '2026-03-01T00:00:00.000Z',
      outcome: 'EARNED',
      affiliate: { id: affiliate.id },
      customer: { email: 'grace@example.com' },
      commissions: { nodes: [{ amountCents: 1_000, dueAt: '2026-03-31T00:00:00.000Z' }] },
      explanation: {
        signals: [
          { signal: 'REFERRAL_ID', outcome: 'NOT_GIVEN' },
          { signal: 'COUPON', outcome: 'NOT_GIVEN' },
          { signal: 'EMAIL', outcome: 'NOT_TRIED' },
          { signal: 'MANUAL', outcome: 'MATCHED' },
        ],
      },
    })
  })

  it('needs only an affiliate and an amount', async () => {
    const { program, affiliate } = await create()
    const sale = await record(program, { affiliateId: affiliate.id, amountCents: 5_000 })
    expect(sale).toMatchObject({ occurredAt: app.clock.now.toISOString(), customer: null, externalId: null })
    const { sales } = await program.graphql('{ sales { totalCount } }')
    expect(sales.totalCount).toBe(1)
  })

  it('counts once what billing reports again, and rejects an id that is recorded', async () => {
    const { program, affiliate, coupon } = await create()
    const input = { affiliateId: affiliate.id, amountCents: 5_000, externalId: 'inv_2' }
    await record(program, input)
    expect((await reportSale(program, { coupon, external_id: 'inv_2', amount_cents: 5_000 })).duplicate).toBe(true)
    await expect(record(program, input)).rejects.toThrow('External id is that of a sale that is recorded already')
  })

  it('takes the place of an unattributed sale with the same id, and the refunds that wait for it', async () => {
    const { program, affiliate } = await create()
    await program.post('/conversions', { amount_cents: 10_000, coupon: 'unknown', external_id: 'inv_3' })
    await program.graphql('mutation { refundSale(input: { externalId: "inv_3", amountCents: 4000 }) { __typename } }')
    const sale = await record(program, { affiliateId: affiliate.id, amountCents: 10_000, externalId: 'inv_3' })
    expect(sale.commissions.nodes).toMatchObject([{ amountCents: 600 }])
    const { unattributedSales } = await program.graphql('{ unattributedSales { totalCount } }')
    expect(unattributedSales.totalCount).toBe(0)
  })

  it('rejects an affiliate that is not active or not known, and a day ahead', async () => {
    const { program, affiliate } = await create()
    const input = { affiliateId: affiliate.id, amountCents: 5_000 }
    const late = { ...input, occurredAt: new Date(app.clock.now.getTime() + 2 * 86_400_000).toISOString() }
    await expect(record(program, late)).rejects.toThrow('Occurred at may lie at most one day ahead')
    for (const affiliateId of [unknownId, 'x'])
      await expect(record(program, { ...input, affiliateId })).rejects.toThrow('Affiliate not found.')
    await program.put(`/affiliates/${affiliate.id}`, { state: 'disabled' })
    await expect(record(program, input)).rejects.toThrow('The affiliate is not active.')
    const { sales } = await program.graphql('{ sales { totalCount } }')
    expect(sales.totalCount).toBe(0)
  })
})
