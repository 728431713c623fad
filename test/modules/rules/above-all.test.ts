import { expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { createSeller, reportSale } from '../../support/factories.ts'

const app = await createTestApp()
const program = await app.createProgram()

async function createRule(campaignId: string, reward: object, more: object = {}) {
  const { createCommissionRule } = await program.graphql(
    `mutation ($input: CreateCommissionRuleInput!) { createCommissionRule(input: $input) {
      commissionRule { reward { percent isAboveAll } } } }`,
    { input: { campaignId, name: 'Launch', appliesTo: 'ALL_SALES', reward, ...more } },
  )
  return createCommissionRule.commissionRule.reward
}

const problemsOf = async (run: Promise<unknown>) =>
  run.then(
    () => [],
    ({ errors }) => errors[0].extensions.problems.map(({ path, message }: any) => [path.join('.'), message]),
  )

const aboveAll = 'Percent must be at most 100, unless the rule has `confirmAboveAll: true`'
const confirmed = { confirmAboveAll: true }
const tiers = (percent: number) => ({
  tiers: { measure: 'CONVERSIONS', period: 'MONTH', appliesTo: 'ABOVE', steps: [{ from: 0, percent }] },
})

it('a percentage above 100 is refused, unless the rule confirms it', async () => {
  const { campaign, coupon } = await createSeller(program)
  const create = (reward: object, more?: object) => createRule(campaign.id, reward, more)
  expect(await problemsOf(create({ percent: 100.01 }))).toEqual([['input.reward.percent', aboveAll]])
  expect(await problemsOf(create(tiers(150)))).toEqual([['input.reward.tiers.steps.0.percent', aboveAll]])
  expect(await problemsOf(create({ percent: 1_000.5 }, confirmed))).toEqual([
    ['input.reward.percent', 'Percent must be a number from 0 to 1000 with at most two decimal places'],
  ])
  expect(await create({ percent: 100 }, confirmed)).toEqual({ percent: 100, isAboveAll: false })
  expect(await create({ percent: 150 }, confirmed)).toEqual({ percent: 150, isAboveAll: true })
  const { commission, sale_id } = await reportSale(program, { coupon, amount_cents: 1_001, external_id: 'inv' })
  expect(commission.amount).toBe(1_502)
  await program.post('/conversions/refund', { external_id: 'inv', amount_cents: 501 })
  const { sale } = await program.graphql(
    'query ($id: ID!) { sale(id: $id) { commissions { nodes { amountCents } } } }',
    {
      id: sale_id,
    },
  )
  expect(sale.commissions.nodes).toEqual([{ amountCents: 750 }])
  const huge = { coupon, email: 'huge@example.com', amount_cents: Number.MAX_SAFE_INTEGER }
  expect(await program.post('/conversions', huge)).toMatchObject({
    status: 422,
    body: { details: ['Amount cents earns a commission above 9007199254740991. Check the amount, and the rule'] },
  })
})

it('steps of tiers can be above 100 too', async () => {
  const { campaign, coupon } = await createSeller(program)
  expect(await createRule(campaign.id, tiers(200), confirmed)).toMatchObject({ isAboveAll: true })
  expect((await reportSale(program, { coupon, amount_cents: 500 })).commission.amount).toBe(1_000)
})
