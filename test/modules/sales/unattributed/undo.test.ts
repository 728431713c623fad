import { describe, expect, it } from 'vitest'
import { createTestApp, type TestProgram } from '../../../support/app.ts'
import { createAffiliate, createSeller } from '../../../support/factories.ts'

const app = await createTestApp()

const unattributed = async (program: TestProgram) =>
  (await program.graphql('{ unattributedSales { nodes { id externalId saleId email } } }')).unattributedSales.nodes

const sale = `sale { id externalId outcome affiliate { id } commissions { nodes { amountCents state kind } } }`

const attribute = async (program: TestProgram, id: string, affiliateId: string) =>
  (
    await program.graphql(`mutation ($input: AttributeSaleInput!) { attributeSale(input: $input) { ${sale} } }`, {
      input: { id, affiliateId },
    })
  ).attributeSale.sale

const undo = async (program: TestProgram, saleId: string, reason = 'The wrong Pedro') =>
  (
    await program.graphql(`mutation ($input: UndoAttributionInput!) { undoAttribution(input: $input) { ${sale} } }`, {
      input: { saleId, reason },
    })
  ).undoAttribution.sale

/** A sale that a person has attributed to an affiliate. */
async function createAttributed() {
  const program = await app.createProgram()
  const { affiliate, campaign } = await createSeller(program, { days_before_commissions_are_due: 0 })
  await program.post('/conversions', { amount_cents: 10_000, email: 'grace@example.com', external_id: 'inv_1' })
  const [kept] = await unattributed(program)
  const attributed = await attribute(program, kept.id, affiliate.id)
  return { program, affiliate, campaign, attributed }
}

describe('undoing an attribution by hand', () => {
  it('voids what it earned, and the sale waits for an affiliate again', async () => {
    const { program, attributed } = await createAttributed()
    expect(attributed.commissions.nodes).toMatchObject([{ amountCents: expect.any(Number), state: 'DUE' }])
    const undone = await undo(program, attributed.id)
    expect(undone.commissions.nodes).toMatchObject([{ amountCents: 0, state: 'VOID' }])
    expect(await undo(program, attributed.id)).toEqual(undone)
    expect(await unattributed(program)).toEqual([
      { id: expect.any(String), externalId: 'inv_1', saleId: attributed.id, email: 'grace@example.com' },
    ])
    const { history } = await program.graphql(
      `query ($id: ID!) { history(subject: SALE, id: $id) { nodes { action changes { field to } } } }`,
      { id: attributed.id },
    )
    expect(history.nodes[0]).toMatchObject({ action: 'UNDONE' })
    expect(history.nodes[0].changes).toContainEqual({ field: 'reason', to: 'The wrong Pedro' })
  })

  it('frees the later sales of the customer', async () => {
    const { program, attributed } = await createAttributed()
    await undo(program, attributed.id)
    const later = await program.post('/conversions', {
      amount_cents: 5_000,
      email: 'grace@example.com',
      external_id: 'inv_2',
    })
    expect(later.status).toBe(422)
  })

  it('lets another affiliate have the sale, or the same one again', async () => {
    const { program, affiliate, campaign, attributed } = await createAttributed()
    const other = await createAffiliate(program, { email: 'other@example.com', campaign_id: campaign.id })
    await undo(program, attributed.id)
    const [kept] = await unattributed(program)
    const moved = await attribute(program, kept.id, other.id)
    expect(moved).toMatchObject({ id: attributed.id, affiliate: { id: other.id } })
    expect(moved.commissions.nodes[0].amountCents).toBe(attributed.commissions.nodes[0].amountCents)
    expect(await unattributed(program)).toEqual([])
    await undo(program, attributed.id)
    const [again] = await unattributed(program)
    await attribute(program, again.id, affiliate.id)
    await undo(program, attributed.id)
    const [last] = await unattributed(program)
    const back = await attribute(program, last.id, affiliate.id)
    expect(back).toMatchObject({ outcome: 'EARNED', affiliate: { id: affiliate.id } })
    expect(back.commissions.nodes).toMatchObject([{ amountCents: attributed.commissions.nodes[0].amountCents }])
  })

  it('is followed by a correction if the commission is paid', async () => {
    const { program, attributed } = await createAttributed()
    const { payouts } = await program.graphql('{ payouts(first: 5) { nodes { id } } }')
    await program.graphql('mutation ($id: ID!) { payPayout(input: { id: $id }) { payout { id } } }', {
      id: payouts.nodes[0].id,
    })
    const cents = attributed.commissions.nodes[0].amountCents
    const undone = await undo(program, attributed.id)
    expect(undone.commissions.nodes).toMatchObject([{ amountCents: cents, state: 'PAID' }])
    const { commissions } = await program.graphql(
      '{ commissions(where: { kind: { equals: CORRECTION } }) { nodes { amountCents reason } } }',
    )
    expect(commissions.nodes).toMatchObject([{ amountCents: -cents, reason: expect.stringContaining('Pedro') }])
  })

  it('is refused for a sale that no person attributed, and without a reason', async () => {
    const { program, attributed } = await createAttributed()
    await expect(undo(program, attributed.id, ' ')).rejects.toThrow()
    const { affiliate } = await createSeller(program)
    await program.post('/affiliate_coupons', { affiliate_id: affiliate.id, token: 'ADA20' })
    const sold = await program.graphql(
      'mutation { reportConversion(input: { coupon: "ADA20", amountCents: 1000, externalId: "c" }) { saleId } }',
    )
    await expect(undo(program, sold.reportConversion.saleId)).rejects.toThrow('No person attributed this sale')
  })
})
