import { describe, expect, it } from 'vitest'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { createSeller, listed, reportSale, unknownId } from '../../support/factories.ts'

const app = await createTestApp()

const voiding = `mutation ($ids: [ID!]!, $reason: String) {
  voidCommissions(input: { ids: $ids, reason: $reason }) { commissions { id state history { nodes { action reason } } } }
}`
const approving =
  'mutation ($ids: [ID!]!) { approveCommissions(input: { ids: $ids }) { commissions { id state heldReason } } }'
const problemsOf = (run: Promise<unknown>): Promise<string[]> =>
  run.then(
    () => expect.unreachable('it was not refused'),
    ({ errors: [{ extensions }] }) => extensions.problems.map(({ message }: { message: string }) => message),
  )

/** Due commissions of one affiliate, of 10.00 each. */
async function earn(program: TestProgram, count: number) {
  const seller = await createSeller(program, { days_before_commissions_are_due: 0 })
  for (let i = 0; i < count; i++)
    await reportSale(program, { coupon: seller.coupon, amount_cents: 10_000, email: `c${i}@customers.test` })
  const commissions = await listed(program, '/commissions')
  return { seller, ids: commissions.map(({ id }) => id as string) }
}
const amountsOf = async (program: TestProgram) => (await listed(program, '/payouts')).map(({ amount }) => amount)

describe('voidCommissions', () => {
  it('voids all with the reason, returns each once, and lowers the open payout', async () => {
    const program = await app.createProgram()
    const { ids } = await earn(program, 3)
    const [first, second] = ids as [string, string]
    expect(await amountsOf(program)).toEqual([3000])
    const { voidCommissions } = await program.graphql(voiding, { ids: [second, first, second], reason: 'Chargeback' })
    expect(voidCommissions.commissions).toEqual(
      [second, first].map((id) => ({
        id,
        state: 'VOID',
        history: {
          nodes: [
            { action: 'VOIDED', reason: 'Chargeback' },
            { action: 'EARNED', reason: null },
          ],
        },
      })),
    )
    expect(await amountsOf(program)).toEqual([1000])
  })

  it('voids nothing if one is paid or unknown, and names it', async () => {
    const program = await app.createProgram()
    const { ids } = await earn(program, 2)
    const [first, second] = ids as [string, string]
    const now = app.clock.now.toISOString()
    await program.graphql(
      'mutation ($id: ID!, $at: DateTime) { amendCommission(input: { id: $id, paidAt: $at }) { commission { id } } }',
      { id: second, at: now },
    )
    expect(await problemsOf(program.graphql(voiding, { ids: [first, second] }))).toEqual([
      `A paid commission can't be voided. Its id is ${second}.`,
    ])
    expect(await problemsOf(program.graphql(voiding, { ids: [first, unknownId] }))).toEqual([
      `Commission not found: ${unknownId}`,
    ])
    expect(await amountsOf(program)).toEqual([1000])
  })
})

describe('approveCommissions', () => {
  it('approves held ones, and nothing if one is void', async () => {
    const program = await app.createProgram()
    const { seller } = await earn(program, 1)
    const hold = 'mutation ($id: ID!) { updateCampaign(input: { id: $id, selfReferrals: HOLD }) { campaign { id } } }'
    await program.graphql(hold, { id: seller.campaign.id })
    for (const amount of [1_000, 2_000])
      await reportSale(program, { coupon: seller.coupon, amount_cents: amount, email: seller.affiliate.email })
    const { commissions } = await program.graphql('{ commissions { nodes { id heldReason } } }')
    const ids = commissions.nodes.map(({ id }: { id: string }) => id)
    expect(commissions.nodes.filter(({ heldReason }: { heldReason: string }) => heldReason)).toHaveLength(2)
    await program.graphql(voiding, { ids: [ids[0]] })
    expect(await problemsOf(program.graphql(approving, { ids }))).toEqual([
      `A void commission can't be approved. Its id is ${ids[0]}.`,
    ])
    const { approveCommissions } = await program.graphql(approving, { ids: ids.slice(1) })
    expect(approveCommissions.commissions).toEqual(
      ids.slice(1).map((id: string) => ({ id, state: 'DUE', heldReason: null })),
    )
  })
})
