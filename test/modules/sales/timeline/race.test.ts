import { expect, it } from 'vitest'
import { createTestApp } from '../../../support/app.ts'
import { createLead, createSeller } from '../../../support/factories.ts'

const app = await createTestApp()

it('of two sales at once through different referrals of one customer, one is the first payment', async () => {
  const program = await app.createProgram()
  const sellers = [await createSeller(program), await createSeller(program)]
  for (const { campaign } of sellers)
    await program.graphql(
      'mutation ($input: CreateCommissionRuleInput!) { createCommissionRule(input: $input) { commissionRule { id } } }',
      {
        input: {
          ...{ campaignId: campaign.id, name: 'First', appliesTo: 'ALL_SALES', conditions: { payment: 'FIRST' } },
          reward: { percent: 50 },
        },
      },
    )
  app.clock.advanceMinutes(10)
  const rounds = Array.from({ length: 8 }, (_, round) => `customer-${round}@example.com`)
  for (const email of rounds) {
    const leads = [await createLead(program, sellers[0]?.link.token as string, email)]
    leads.push(await createLead(program, sellers[1]?.link.token as string, email))
    const reports = await Promise.all(
      leads.map(({ id }) => program.post('/conversions', { referral_id: id, amount_cents: 10_000 })),
    )
    expect(reports.map(({ status }) => status)).toEqual([201, 201])
  }
  const { commissions } = await program.graphql('{ commissions(first: 50) { nodes { amountCents } } }')
  const amounts = commissions.nodes.map((one: any) => one.amountCents)
  expect(amounts.filter((cents: number) => cents === 5_000)).toHaveLength(rounds.length)
  expect(amounts).toHaveLength(2 * rounds.length)
})
