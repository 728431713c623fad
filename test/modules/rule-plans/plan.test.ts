import { describe, expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { createAffiliate, createCoupon, createSeller } from '../../support/factories.ts'

const app = await createTestApp()

const planQuery = `query ($input: PlanRulesInput!) { planRules(input: $input) { planId since sales changedSales
  changes { kind name campaign { id } }
  currencies { currency before { amount { cents } commissions } after { amount { cents } commissions } difference { cents }
    affiliates { affiliate { id } difference { cents } } }
  largestChanges { saleId before { cents } after { cents } whyBefore whyAfter } } }`
const applyMutation = `mutation ($input: ApplyRulesInput!) { applyRules(input: $input) { campaigns { id
  rules { id name startsAt endsAt reward { percent } } } } }`
const revertMutation = `mutation ($input: RevertRulesInput!) { revertRules(input: $input) { campaigns { id
  rules { id name reward { percent } } } } }`

/** A program with two affiliates of one campaign, who have sold for 100.00 and for 200.00 in the last month. */
async function createSold() {
  const program = await app.createProgram()
  const { campaign, affiliate, coupon } = await createSeller(program)
  const other = await createAffiliate(program, { campaign_id: campaign.id })
  const theirs = await createCoupon(program, other.id)
  const report = async (token: string, amount_cents: number, more = {}) =>
    (await program.post('/conversions', { coupon: token, amount_cents, ...more })).body
  await report(coupon, 10_000)
  await report(theirs.token, 20_000)
  app.clock.advanceDays(20)
  const plan = async (rules: object[], more = {}) =>
    (await program.graphql(planQuery, { input: { rules, ...more } })).planRules
  const apply = async (rules: object[], planId: string, more = {}) =>
    (await program.graphql(applyMutation, { input: { rules, planId, ...more } })).applyRules.campaigns
  const revert = async () => (await program.graphql(revertMutation, { input: {} })).revertRules.campaigns
  const rule = (name: string, percent: number, more: object = {}) => {
    return { campaignId: campaign.id, name, reward: { percent }, appliesTo: 'ALL_SALES', ...more }
  }
  return { program, campaign, affiliate, other, coupon, theirs: theirs.token, report, plan, apply, revert, rule }
}

describe('planRules', () => {
  it('replays past sales by the present rules and by the planned ones, and writes nothing', async () => {
    const { program, campaign, affiliate, plan, rule } = await createSold()
    const planned = await plan([rule('Ada', 30, { conditions: { affiliateIds: [affiliate.id] } })])
    expect(planned).toMatchObject({ sales: 2, changedSales: 1 })
    expect(planned.changes).toEqual([{ kind: 'CREATED', name: 'Ada', campaign: { id: campaign.id } }])
    expect(planned.currencies).toEqual([
      {
        currency: 'usd',
        before: { amount: { cents: 3_000 }, commissions: 2 },
        after: { amount: { cents: 5_000 }, commissions: 2 },
        difference: { cents: 2_000 },
        affiliates: [{ affiliate: { id: affiliate.id }, difference: { cents: 2_000 } }],
      },
    ])
    expect(planned.largestChanges).toMatchObject([
      {
        before: { cents: 1_000 },
        after: { cents: 3_000 },
        whyBefore: "The campaign's own reward applies.",
        whyAfter: 'The rule "Ada" applies.',
      },
    ])
    expect(await app.database.db.commissionRuleVersion.count({ where: { programId: program.id } })).toBe(0)
  })

  it('keeps the deal of customers from before the range for a rule for new customers', async () => {
    const { plan, rule, report, coupon } = await createSold()
    await report(coupon, 1_000, { email: 'old@example.com' })
    app.clock.advanceDays(10)
    const since = app.clock.now.toISOString()
    await report(coupon, 1_000, { email: 'old@example.com' })
    await report(coupon, 1_000, { email: 'new@example.com' })
    const { currencies } = await plan([rule('New', 50, { appliesTo: 'NEW_CUSTOMERS' })], { since })
    expect(currencies).toMatchObject([{ before: { amount: { cents: 200 } }, after: { amount: { cents: 600 } } }])
  })

  it('replays caps and tiers in the order in which sales occurred, with the corrections that follow', async () => {
    const { plan, rule, report, coupon } = await createSold()
    for (const occurredAt of [3, 2, 1])
      await report(coupon, 10_000, {
        occurred_at: new Date(app.clock.now.getTime() - occurredAt * 60_000).toISOString(),
      })
    const costWith = async (more: object) => {
      const { currencies } = await plan([rule('Tiers', 0, more)])
      return currencies[0].after.amount.cents
    }
    const steps = [
      { from: 0, percent: 10 },
      { from: 3, percent: 20 },
    ]
    const tiers = (appliesTo: string) => {
      return { reward: { tiers: { measure: 'CONVERSIONS', period: 'EVER', appliesTo, steps } } }
    }
    // One affiliate has four sales of 100.00, the other one has one of 200.00.
    expect(await costWith(tiers('ABOVE'))).toBe(3 * 1_000 + 2_000 + 2_000)
    expect(await costWith(tiers('WHOLE_PERIOD'))).toBe(4 * 2_000 + 2_000)
    expect(await costWith({ reward: { percent: 50 }, cap: { perYearCents: 12_000 } })).toBe(12_000 + 10_000)
  })

  it('knows the codes, the payment and the groups of past sales', async () => {
    const { program, affiliate, plan, rule, report, coupon, theirs } = await createSold()
    const { createAffiliateGroup } = await program.graphql(
      `mutation ($input: CreateAffiliateGroupInput!) { createAffiliateGroup(input: $input) { affiliateGroup { id } } }`,
      { input: { name: 'Partners', affiliateIds: [affiliate.id] } },
    )
    const groupIds = [createAffiliateGroup.affiliateGroup.id]
    await report(`unknown,${coupon}`, 1_000, { email: 'a@example.com' })
    await report(coupon, 1_000, { email: 'a@example.com', coupon: theirs })
    const since = app.clock.now.toISOString()
    const conditions = { couponTokens: [theirs] }
    expect((await plan([rule('Code', 100, { conditions })], { since })).changedSales).toBe(1)
    expect((await plan([rule('Group', 100, { conditions: { groupIds } })], { since })).changedSales).toBe(1)
    // The second sale is a later payment of the customer, though through another affiliate.
    expect((await plan([rule('Later', 100, { conditions: { payment: 'RENEWAL' } })], { since })).changedSales).toBe(1)
  })

  it('reports every problem, and where it is', async () => {
    const { plan, rule } = await createSold()
    const bad = [rule('A', 10), rule('A', 20), { ...rule('B', 10), conditions: { affiliateIds: ['nobody'] } }]
    const problems = [
      { message: 'Name is that of another rule of the campaign', path: ['input', 'rules', 1, 'name'] },
      { message: 'Affiliate not found: nobody', path: ['input', 'rules', 2, 'conditions', 'affiliateIds', 0] },
    ]
    const { errors } = await plan(bad).catch((error) => error)
    expect(errors[0].extensions.problems).toMatchObject(problems)
    expect((await plan([])).changes).toEqual([])
  })
})

describe('applyRules', () => {
  it('makes the planned rules valid from now on, as one entry of the history', async () => {
    const { program, campaign, report, coupon, plan, apply, rule } = await createSold()
    const rules = [rule('All', 20), rule('Large', 40, { conditions: { minimumAmountCents: 50_000 } })]
    const [applied] = await apply(rules, (await plan(rules)).planId)
    expect(applied.rules.map(({ name }: any) => name)).toEqual(['Large', 'All'])
    expect((await report(coupon, 10_000)).commission.amount).toBe(2_000)
    const { planId, changes } = await plan(rules)
    expect(changes).toEqual([])
    expect(await apply(rules, planId)).toEqual([])
    const { history } = await program.graphql(
      `{ history(subject: PROGRAM, id: "${program.id}", first: 10) { nodes { action } } }`,
    )
    expect(history.nodes.filter(({ action }: any) => action === 'RULES_APPLIED')).toHaveLength(1)
    const [{ rules: less }] = await apply([rule('All', 25)], (await plan([rule('All', 25)])).planId)
    expect(less).toMatchObject([{ id: applied.rules[1].id, name: 'All', reward: { percent: 25 } }])
    expect(campaign.id).toBe(applied.id)
  })

  it('refuses a plan that is out of date, and a plan of other rules', async () => {
    const { program, plan, apply, rule } = await createSold()
    const { planId } = await plan([rule('All', 20)])
    const refused = expect.objectContaining({ message: expect.stringContaining('Plan again.') })
    await expect(apply([rule('All', 21)], planId)).rejects.toEqual(refused)
    await program.graphql(
      `mutation ($input: CreateCommissionRuleInput!) { createCommissionRule(input: $input) { commissionRule { id } } }`,
      { input: rule('Other', 1) },
    )
    await expect(apply([rule('All', 20)], planId)).rejects.toEqual(refused)
  })

  it('takes a moment to come: until then the old rule holds', async () => {
    const { report, coupon, plan, apply, rule } = await createSold()
    await apply([rule('All', 20)], (await plan([rule('All', 20)])).planId)
    app.clock.advanceDays(1)
    const from = new Date(app.clock.now.getTime() + 86_400_000).toISOString()
    await apply([rule('All', 30)], (await plan([rule('All', 30)])).planId, { from })
    expect((await report(coupon, 10_000)).commission.amount).toBe(2_000)
    expect((await plan([rule('All', 30)])).changes).toEqual([])
    app.clock.advanceDays(1)
    expect((await report(coupon, 10_000)).commission.amount).toBe(3_000)
  })
})

it('revertRules brings back no rule for a group that is deleted', async () => {
  const { program, affiliate, plan, apply, revert, rule } = await createSold()
  const { createAffiliateGroup } = await program.graphql(
    `mutation ($input: CreateAffiliateGroupInput!) { createAffiliateGroup(input: $input) { affiliateGroup { id } } }`,
    { input: { name: 'Partners', affiliateIds: [affiliate.id] } },
  )
  const { id } = createAffiliateGroup.affiliateGroup
  const rules = [rule('Group', 20, { conditions: { groupIds: [id] } })]
  await apply(rules, (await plan(rules)).planId)
  app.clock.advanceDays(1)
  await apply([], (await plan([])).planId)
  app.clock.advanceDays(1)
  await program.graphql('mutation ($id: ID!) { deleteAffiliateGroup(input: { id: $id }) { deletedId } }', { id })
  await expect(revert()).rejects.toThrow(`Affiliate group not found: ${id}`)
})

it('revertRules makes the rules from before the last change valid again, and itself can be reverted', async () => {
  const { report, coupon, plan, apply, revert, rule } = await createSold()
  await apply([rule('All', 20)], (await plan([rule('All', 20)])).planId)
  app.clock.advanceDays(1)
  await apply([rule('All', 30), rule('More', 1)], (await plan([rule('All', 30), rule('More', 1)])).planId)
  app.clock.advanceDays(1)
  expect(await revert()).toMatchObject([{ rules: [{ name: 'All', reward: { percent: 20 } }] }])
  expect((await report(coupon, 10_000)).commission.amount).toBe(2_000)
  app.clock.advanceDays(1)
  expect((await revert())[0].rules).toHaveLength(2)
})

describe('progress', () => {
  it('of a plan is read by another request while its sales are replayed', async () => {
    const { program, rule, report, coupon } = await createSold()
    for (let index = 0; index < 250; index += 1) await report(coupon, 1_000)
    const rules = [rule('Everybody', 20)]
    const read = async () => {
      const text = 'query ($input: PlanRulesInput!) { planRules(input: $input) { progress { replayed total } } }'
      return (await program.graphql(text, { input: { rules } })).planRules.progress
    }
    expect(await read()).toBeNull()
    const planned = program.graphql(planQuery, { input: { rules } })
    const seen: { replayed: number; total: number }[] = []
    const isOver = planned.then(() => true)
    while (!(await Promise.race([isOver, new Promise((done) => setTimeout(done, 1, false))]))) {
      const progress = await read()
      if (progress) seen.push(progress)
    }
    expect((await planned).planRules.sales).toBe(252)
    expect(seen.every(({ replayed, total }) => replayed <= total && total === 252)).toBe(true)
    expect(await read()).toBeNull()
  })
})
