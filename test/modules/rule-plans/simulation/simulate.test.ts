import { expect, it } from 'vitest'
import { createTestApp, type TestProgram } from '../../../support/app.ts'
import { createLead, createSeller, reportSale, unknownId } from '../../../support/factories.ts'

const app = await createTestApp()

const range = { preset: 'LAST_90_DAYS' }

async function simulate(program: TestProgram, rules: object, more: object = {}) {
  const { simulateCampaign } = await program.graphql(
    `query ($input: SimulateCampaignInput!) { simulateCampaign(input: $input) {
      sales currencies {
        currency sales difference { amountCents }
        before { amount { amountCents } commissions averagePerSale { amountCents } }
        after { amount { amountCents } commissions averagePerSale { amountCents } }
        affiliates { affiliate { id } before { amountCents } after { amountCents } difference { amountCents } }
      }
    } }`,
    { input: { rules, range, ...more } },
  )
  return simulateCampaign
}

const costs = async (program: TestProgram, rules: object, more: object = {}) => {
  const { currencies } = await simulate(program, rules, more)
  return Object.fromEntries(
    currencies.map(({ currency, before, after }: any) => [
      currency,
      [before.amount.amountCents, before.commissions, after.amount.amountCents, after.commissions],
    ]),
  )
}

it('unchanged rules give the actual costs, with limits, refunds and changes by hand', async () => {
  const program = await app.createProgram()
  const seller = await createSeller(program, {
    commission_percent: 12.5,
    max_commissions: 2,
    days_before_commissions_are_due: 0,
  })
  const { coupon, link } = seller
  for (let n = 0; n < 4; n += 1) await reportSale(program, { coupon, email: 'a@example.com', amount_cents: 333 + n })
  const { email } = await createLead(program, link.token)
  const { sale_id: refunded } = await reportSale(program, { email })
  await program.post('/conversions/refund', { sale_id: refunded, amount_cents: 2_500 })
  const { sale_id: whole } = await reportSale(program, { coupon })
  await program.post('/conversions/refund', { sale_id: whole })
  const { commission } = await reportSale(program, { coupon, currency: 'eur' })
  await program.delete(`/commissions/${commission.id}`)
  await reportSale(program, { coupon, currency: 'eur', amount_cents: 800 })
  expect(await costs(program, {})).toEqual({ usd: [42 + 42 + 938, 3, 42 + 42 + 938, 3], eur: [100, 1, 100, 1] })
})

it('another rate, a fixed amount, other limits', async () => {
  const program = await app.createProgram()
  const { coupon, affiliate } = await createSeller(program)
  for (let n = 0; n < 3; n += 1) {
    await reportSale(program, { coupon, email: 'b@example.com' })
    app.clock.advanceDays(20)
  }
  expect(await costs(program, { commissionPercent: 25 })).toEqual({ usd: [3_000, 3, 7_500, 3] })
  expect(await costs(program, { maxCommissions: 2 })).toEqual({ usd: [3_000, 3, 2_000, 2] })
  expect(await costs(program, { maxCommissionPeriodInMonths: 1 })).toEqual({ usd: [3_000, 3, 2_000, 2] })
  expect(await costs(program, { commissionAmountCents: 700, commissionCurrency: 'eur' })).toEqual({
    usd: [3_000, 3, 0, 0],
    eur: [0, 0, 2_100, 3],
  })
  const { sales, currencies } = await simulate(program, { commissionPercent: 5, maxCommissions: 1 })
  expect(sales).toBe(3)
  expect(currencies[0]).toEqual({
    currency: 'usd',
    sales: 3,
    difference: { amountCents: -2_500 },
    before: { amount: { amountCents: 3_000 }, commissions: 3, averagePerSale: { amountCents: 1_000 } },
    after: { amount: { amountCents: 500 }, commissions: 1, averagePerSale: { amountCents: 167 } },
    affiliates: [
      {
        affiliate: { id: affiliate.id },
        before: { amountCents: 3_000 },
        after: { amountCents: 500 },
        difference: { amountCents: -2_500 },
      },
    ],
  })
})

it('a shorter expiry loses later first sales, until a coupon converts the referral', async () => {
  const program = await app.createProgram()
  const { link } = await createSeller(program)
  const { email } = await createLead(program, link.token)
  app.clock.advanceDays(10)
  await reportSale(program, { email })
  await reportSale(program, { email })
  expect(await costs(program, { daysBeforeReferralsExpire: 10 })).toEqual({ usd: [2_000, 2, 0, 0] })
  expect(await costs(program, { daysBeforeReferralsExpire: 11 })).toEqual({ usd: [2_000, 2, 2_000, 2] })
})

it('limits also count sales before the range', async () => {
  const program = await app.createProgram()
  const { coupon } = await createSeller(program)
  await reportSale(program, { coupon, email: 'c@example.com' })
  app.clock.advanceDays(2)
  await reportSale(program, { coupon, email: 'c@example.com' })
  const today = { range: { preset: 'TODAY' } }
  expect(await costs(program, { maxCommissions: 1 }, today)).toEqual({ usd: [1_000, 1, 0, 0] })
  expect(await costs(program, { maxCommissions: 2 }, today)).toEqual({ usd: [1_000, 1, 1_000, 1] })
})

it('simulates only sales of the given campaign, and rejects unknown campaigns and invalid rules', async () => {
  const program = await app.createProgram()
  const one = await createSeller(program)
  const other = await createSeller(program, { commission_percent: 50 })
  await reportSale(program, { coupon: one.coupon })
  await reportSale(program, { coupon: other.coupon })
  expect(await costs(program, { commissionPercent: 1 })).toEqual({ usd: [6_000, 2, 200, 2] })
  expect(await costs(program, {}, { campaignId: other.campaign.id })).toEqual({ usd: [5_000, 1, 5_000, 1] })
  await expect(simulate(program, {}, { campaignId: unknownId })).rejects.toThrow('Campaign not found')
  await expect(simulate(program, { commissionPercent: 101 })).rejects.toThrow('Commission percent must be')
  await expect(simulate(program, {}, { timeZone: 'Moon/Crater' })).rejects.toThrow('Time zone is not the name')
  await expect(simulate(await app.createProgram(), {}, { campaignId: one.campaign.id })).rejects.toThrow('not found')
})
