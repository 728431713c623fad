import { expect, it } from 'vitest'
import { statementsIn, verifyStatements } from '../../../clients/verifier/src/index.ts'
import { publicKeys } from '../../../src/modules/statements/keys.ts'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { createAffiliate, createSeller, listed, reportSale } from '../../support/factories.ts'
import { brief, closeMonth, type ReadStatement } from '../../support/statements.ts'
import { verifyAgain } from './second-verifier.ts'

const test = await createTestApp({ startsAt: '2026-10-10T12:00:00.000Z' })
const until = (time: string) => test.clock.advanceMinutes((Date.parse(time) - test.clock.now.getTime()) / 60_000)

/** Each change is made a minute after the one before. */
const change = async (program: TestProgram, name: 'changeSale' | 'amendCommission', input: object) => {
  test.clock.advanceMinutes(1)
  const type = name === 'changeSale' ? 'ChangeSaleInput' : 'AmendCommissionInput'
  await program.graphql(`mutation ($input: ${type}!) { ${name}(input: $input) { __typename } }`, { input })
}

/** Closes a month, and verifies its statements with both verifiers. */
async function proven(program: TestProgram, month: string): Promise<Map<string, ReadStatement>> {
  const statements = await closeMonth(program, month)
  const keys = { keys: await publicKeys(test.database.db, program.id) }
  for (const json of statements.map((one) => JSON.parse(one.json))) {
    expect((await verifyStatements(statementsIn('file', json), keys)).findings).toEqual([])
    expect(() => verifyAgain([json], keys)).not.toThrow()
  }
  return new Map(statements.map((one) => [one.affiliateId, one]))
}

it('a sale that went to another affiliate, was changed there and came back in one month, is verified', async () => {
  const program = await test.createProgram()
  const { affiliate, campaign, coupon } = await createSeller(program, { days_before_commissions_are_due: 0 })
  const other = await createAffiliate(program, { campaign_id: campaign.id })
  const { sale_id: id, commission } = await reportSale(program, { coupon, amount_cents: 10_000 })
  await change(program, 'changeSale', { id, affiliateId: other.id })
  await change(program, 'amendCommission', { id: commission.id, amountCents: 700 })
  await change(program, 'changeSale', { id, affiliateId: affiliate.id })
  until('2026-11-01T00:00:00.000Z')
  const statements = await proven(program, '2026-10')
  const [own, others] = [affiliate.id, other.id].map((one) => statements.get(one) as ReadStatement)
  expect(own && brief(own)).toEqual([
    ['commission', 1_000],
    ['moved_away', -1_000],
    ['moved_here', 700],
  ])
  expect(others && brief(others)).toEqual([
    ['moved_here', 1_000],
    ['amended', -300],
    ['moved_away', -700],
  ])
  // Its amount at the other affiliate is not told.
  const { lines } = JSON.parse((own as ReadStatement).json)
  expect(lines[1].commission.after).toEqual({ amountCents: '0', state: 'elsewhere' })
})

it('a sale under tiers for the whole period that kept its step when its amount changed is verified', async () => {
  const program = await test.createProgram()
  const { affiliate, campaign, coupon } = await createSeller(program, { days_before_commissions_are_due: 0 })
  const steps = [
    { from: 0, percent: 5 },
    { from: 20_000, percent: 10 },
  ]
  const reward = { tiers: { measure: 'REVENUE', period: 'MONTH', appliesTo: 'WHOLE_PERIOD', steps } }
  await program.graphql(
    'mutation ($input: CreateCommissionRuleInput!) { createCommissionRule(input: $input) { commissionRule { id } } }',
    { input: { campaignId: campaign.id, name: 'More', appliesTo: 'ALL_SALES', reward } },
  )
  const { sale_id: id, commission } = await reportSale(program, { coupon, amount_cents: 10_000 })
  await change(program, 'amendCommission', { id: commission.id, amountCents: 700 })
  await change(program, 'changeSale', { id, amountCents: 30_000 })
  until('2026-12-01T00:00:00.000Z')
  const one = (await proven(program, '2026-11')).get(affiliate.id) as ReadStatement
  expect(brief(one)).toEqual([
    ['commission', 500],
    ['amended', 200],
  ])
  expect(JSON.parse(one.json).lines[1].calculation).toMatchObject({ tier: null, saleCents: '30000', by: 'person' })
})

it('a refund that was deducted after the payment, and is reversed, is said to be reversed', async () => {
  const program = await test.createProgram()
  const { affiliate, coupon } = await createSeller(program, { days_before_commissions_are_due: 0 })
  await reportSale(program, { coupon, external_id: 'back', amount_cents: 10_000 })
  const [payout] = await listed(program, '/payouts')
  await program.post(`/payouts/${payout.id}/pay`)
  test.clock.advanceMinutes(1)
  await program.graphql('mutation { refundSale(input: { externalId: "back", refundExternalId: "r" }) { sale { id } } }')
  test.clock.advanceMinutes(1)
  await program.graphql('mutation { reverseRefund(input: { externalId: "r" }) { refund { id } } }')
  until('2027-01-01T00:00:00.000Z')
  const one = (await proven(program, '2026-12')).get(affiliate.id) as ReadStatement
  expect(brief(one)).toEqual([
    ['commission', 1_000],
    ['payment', -1_000],
    ['refund', -1_000],
    ['refund_reversed', 1_000],
  ])
})
