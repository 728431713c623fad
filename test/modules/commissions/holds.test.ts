import { expect, it } from 'vitest'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { createSeller, reportSale } from '../../support/factories.ts'
import { createStripeFeed, sendStripe, stripeEvent } from '../../support/stripe.ts'

const app = await createTestApp()

type Held = { id: string; state: string; heldReason: string | null; heldReasons: string[] }

/** A due commission that is held as a self-referral, and a feed through which disputes come. */
async function earn(program: TestProgram) {
  const { affiliate, campaign, coupon } = await createSeller(program, { days_before_commissions_are_due: 0 })
  const hold = 'mutation ($id: ID!) { updateCampaign(input: { id: $id, selfReferrals: HOLD }) { campaign { id } } }'
  await program.graphql(hold, { id: campaign.id })
  await reportSale(program, { coupon, email: affiliate.email, amount_cents: 10_000, external_id: 'pi_1' })
  const feed = await createStripeFeed(program)
  const dispute = async (type: 'created' | 'closed', status: string) => {
    const event = { id: 'du_1', object: 'dispute', currency: 'usd', amount: 10_000, charge: 'ch_1' }
    await sendStripe(app, feed.url, stripeEvent(`charge.dispute.${type}`, { ...event, payment_intent: 'pi_1', status }))
    await app.app.deriveFeeds()
  }
  return { dispute, commission: await commissionOf(program) }
}

async function commissionOf(program: TestProgram): Promise<Held> {
  const { commissions } = await program.graphql('{ commissions { nodes { id state heldReason heldReasons } } }')
  return commissions.nodes[0]
}
const approving = 'mutation ($id: ID!) { approveCommission(input: { id: $id }) { commission { heldReasons } } }'
const approvingAll = 'mutation ($id: ID!) { approveCommissions(input: { ids: [$id] }) { commissions { heldReasons } } }'
const messageOf = (run: Promise<unknown>): Promise<string> =>
  run.then(
    () => expect.unreachable('it was not refused'),
    ({ errors: [{ message }] }) => message,
  )

it('an approval ends what a person decides, and an open dispute goes on holding the commission', async () => {
  const program = await app.createProgram()
  const { dispute, commission } = await earn(program)
  expect(commission).toMatchObject({ heldReasons: ['SELF_REFERRAL_EMAIL'] })
  await dispute('created', 'needs_response')
  const both = ['SELF_REFERRAL_EMAIL', 'DISPUTE']
  expect(await commissionOf(program)).toMatchObject({ heldReason: both[0], heldReasons: both })
  const { approveCommission } = await program.graphql(approving, { id: commission.id })
  expect(approveCommission.commission).toEqual({ heldReasons: ['DISPUTE'] })
  for (const mutation of [approving, approvingAll])
    expect(await messageOf(program.graphql(mutation, { id: commission.id }))).toContain(
      'The customer disputes the payment',
    )
  expect(await commissionOf(program)).toMatchObject({ state: 'PENDING', heldReason: 'DISPUTE' })
  await dispute('closed', 'won')
  expect(await commissionOf(program)).toMatchObject({ state: 'DUE', heldReason: null, heldReasons: [] })
  const { commission: shown } = await program.graphql(
    'query ($id: ID!) { commission(id: $id) { history { nodes { action reason changes { field to } } } } }',
    { id: commission.id },
  )
  const facts = shown.history.nodes.map(({ action, reason }: Record<string, string>) => [action, reason])
  expect(facts).toEqual([
    ['APPROVED', 'dispute closed'],
    ['APPROVED', null],
    ['HELD', 'dispute'],
    ['HELD', 'self_referral_email'],
    ['EARNED', null],
  ])
  expect(shown.history.nodes.map(({ changes }: any) => changes.find(({ field }: any) => field === 'held')?.to)).toEqual(
    ['false', undefined, undefined, 'true', undefined],
  )
})

it('the end of a dispute ends only the dispute, and the approval does the rest', async () => {
  const program = await app.createProgram()
  const { dispute, commission } = await earn(program)
  await dispute('created', 'needs_response')
  const where =
    'query ($reason: HeldReason!) { commissions(where: { heldReasons: { equals: $reason } }) { totalCount } }'
  for (const reason of ['DISPUTE', 'SELF_REFERRAL_EMAIL'])
    expect((await program.graphql(where, { reason })).commissions.totalCount).toBe(1)
  const { sales } = await program.graphql('{ sales { nodes { explanation { summary } } } }')
  expect(sales.nodes[0].explanation.summary).toEqual(
    expect.arrayContaining([
      'Held as a possible self-referral until a person approves or cancels it.',
      'Held while the customer disputes the payment.',
    ]),
  )
  await dispute('closed', 'won')
  expect(await commissionOf(program)).toMatchObject({ state: 'PENDING', heldReasons: ['SELF_REFERRAL_EMAIL'] })
  await program.graphql(approvingAll, { id: commission.id })
  expect(await commissionOf(program)).toMatchObject({ state: 'DUE', heldReasons: [] })
  await dispute('created', 'needs_response')
  expect(await commissionOf(program)).toMatchObject({ state: 'DUE' })
})
