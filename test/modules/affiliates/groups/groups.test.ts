import { describe, expect, it } from 'vitest'
import { createTestApp } from '../../../support/app.ts'
import { createAffiliate, createSeller } from '../../../support/factories.ts'

const app = await createTestApp()
const program = await app.createProgram()

const fields = '{ id name affiliateCount }'

async function change(name: string, input: object, selection = `affiliateGroup ${fields}`) {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`
  const text = `mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} } }`
  const { affiliateGroup, ...rest } = (await program.graphql(text, { input }))[name]
  return affiliateGroup ?? rest
}
const create = (name: string, affiliateIds?: string[]) => change('createAffiliateGroup', { name, affiliateIds })
const errorOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'none',
    (error) => String(error),
  )

async function groupsOf(id: string): Promise<string[]> {
  const { affiliate } = await program.graphql('query ($id: ID!) { affiliate(id: $id) { groups { name } } }', { id })
  return affiliate.groups.map(({ name }: { name: string }) => name)
}

describe('groups', () => {
  it('have any number of affiliates, who are in any number of groups', async () => {
    const [ada, bob] = [await createAffiliate(program, {}), await createAffiliate(program, {})]
    const partners = await create('Partners', [ada.id, bob.id, ada.id])
    expect(partners).toMatchObject({ name: 'Partners', affiliateCount: 2 })
    const { id } = await create('Early birds')
    expect(await change('addAffiliatesToGroup', { id, affiliateIds: [ada.id] })).toMatchObject({ affiliateCount: 1 })
    expect(await change('addAffiliatesToGroup', { id, affiliateIds: [ada.id] })).toMatchObject({ affiliateCount: 1 })
    expect([await groupsOf(ada.id), await groupsOf(bob.id)]).toEqual([['Early birds', 'Partners'], ['Partners']])
    await change('removeAffiliatesFromGroup', { id: partners.id, affiliateIds: [ada.id, bob.id] })
    expect([await groupsOf(ada.id), await groupsOf(bob.id)]).toEqual([['Early birds'], []])
    await change('updateAffiliateGroup', { id, name: 'Founders' })
    expect(await groupsOf(ada.id)).toEqual(['Founders'])
  })

  it('are in the history of the affiliate', async () => {
    const { id } = await createAffiliate(program, {})
    await create('Alpha', [id])
    const beta = await create('Beta', [id])
    await change('removeAffiliatesFromGroup', { id: beta.id, affiliateIds: [id] })
    const text = 'query ($id: ID!) { affiliate(id: $id) { history(first: 3) { nodes { changes { field from to } } } } }'
    const { affiliate } = await program.graphql(text, { id })
    expect(affiliate.history.nodes.flatMap(({ changes }: any) => changes)).toEqual([
      { field: 'groups', from: 'Alpha, Beta', to: 'Alpha' },
      { field: 'groups', from: 'Alpha', to: 'Alpha, Beta' },
      { field: 'groups', from: null, to: 'Alpha' },
    ])
  })

  it('have names that differ in more than case', async () => {
    const { id } = await create('Ｇold')
    expect(await errorOf(create('gOLD'))).toContain('Name is already the name of a group.')
    expect(await change('updateAffiliateGroup', { id, name: 'GOLD' })).toMatchObject({ name: 'GOLD' })
    expect(await errorOf(create('a;b'))).toContain('must not contain semicolons')
  })

  it('refuse affiliates that do not exist, and change nothing then', async () => {
    const { id } = await createAffiliate(program, {})
    const group = await create('Careful')
    const attempt = change('addAffiliatesToGroup', { id: group.id, affiliateIds: [id, 'x'] })
    expect(await errorOf(attempt)).toContain('Affiliate not found: x')
    expect(await groupsOf(id)).toEqual([])
  })
})

describe('lists', () => {
  it('filter affiliates, sales and commissions by group', async () => {
    const { affiliate, coupon } = await createSeller(program)
    const { id } = await create('Sellers', [affiliate.id])
    await program.post('/conversions', { coupon, amount_cents: 10_000 })
    const text = `query ($in: AffiliateWhere!) { affiliates(where: $in) { totalCount nodes { id } }
      sales(where: { affiliate: $in }) { totalCount } commissions(where: { affiliate: $in }) { totalCount } }`
    const found = await program.graphql(text, { in: { groupId: { equals: id } } })
    expect(found).toEqual({
      affiliates: { totalCount: 1, nodes: [{ id: affiliate.id }] },
      sales: { totalCount: 1 },
      commissions: { totalCount: 1 },
    })
    const count = async (groupId: object) => (await program.graphql(text, { in: { groupId } })).affiliates.totalCount
    const all = (await program.graphql('{ affiliates { totalCount } }')).affiliates.totalCount
    expect(await count({ not: id })).toBe(all - 1)
    expect((await count({ equals: null })) + (await count({ not: null }))).toBe(all)
    await change('removeAffiliatesFromGroup', { id, affiliateIds: [affiliate.id] })
    expect(await count({ equals: id })).toBe(0)
  })

  it('of groups are sorted by name', async () => {
    const { affiliateGroups } = await program.graphql(
      '{ affiliateGroups(orderBy: [{ field: NAME, direction: ASC }]) { totalCount nodes { name } } }',
    )
    const names = affiliateGroups.nodes.map(({ name }: { name: string }) => name.toLowerCase())
    expect(names.length).toBe(affiliateGroups.totalCount)
    expect(names).toEqual(names.toSorted())
  })
})

describe('commission rules', () => {
  const ruleText = `mutation ($input: CreateCommissionRuleInput!) { createCommissionRule(input: $input) {
    commissionRule { id conditions { groupIds } } } }`
  const createRule = async (campaignId: string, groupIds: string[], more: object = {}) => {
    const input = { campaignId, name: 'Deal', appliesTo: 'ALL_SALES', conditions: { groupIds }, ...more }
    const given = { ...input, reward: { percent: 25 } }
    return (await program.graphql(ruleText, { input: given })).createCommissionRule.commissionRule
  }
  const report = async (coupon: string, occurredAt?: string) => {
    const text = `mutation ($input: ReportConversionInput!) { reportConversion(input: $input) {
      commission { amountCents } explanation { summary commissionRule { runnerUp { reason } } } } }`
    const { commission, explanation } = (
      await program.graphql(text, { input: { amountCents: 10_000, coupon, occurredAt } })
    ).reportConversion
    return { amountCents: commission.amountCents, ...explanation }
  }

  it('apply to affiliates of a group, and say so where the affiliate is in none', async () => {
    const { campaign, affiliate, coupon } = await createSeller(program)
    const { id } = await create('Ruled')
    expect((await createRule(campaign.id, [id])).conditions).toEqual({ groupIds: [id] })
    const before = await report(coupon)
    expect(before).toMatchObject({ amountCents: 1_000, commissionRule: { runnerUp: { reason: 'OTHER_GROUP' } } })
    expect(before.summary).toContain('The rule "Deal" does not: it is for other groups of affiliates.')
    app.clock.advanceDays(1)
    await change('addAffiliatesToGroup', { id, affiliateIds: [affiliate.id] })
    expect((await report(coupon)).amountCents).toBe(2_500)
  })

  it('look at the groups of when a sale occurred, also after the affiliate left and the group was deleted', async () => {
    const { campaign, affiliate, coupon } = await createSeller(program)
    const { id } = await create('Season', [affiliate.id])
    const rule = await createRule(campaign.id, [id])
    app.clock.advanceDays(2)
    const during = app.clock.now.toISOString()
    app.clock.advanceDays(2)
    await change('removeAffiliatesFromGroup', { id, affiliateIds: [affiliate.id] })
    expect([(await report(coupon)).amountCents, (await report(coupon, during)).amountCents]).toEqual([1_000, 2_500])
    await program.graphql(
      'mutation ($input: EndCommissionRuleInput!) { endCommissionRule(input: $input) { __typename } }',
      { input: { id: rule.id } },
    )
    expect(await change('deleteAffiliateGroup', { id }, 'deletedId')).toEqual({ deletedId: id })
    expect((await report(coupon, during)).amountCents).toBe(2_500)
  })

  it('keep a group from being deleted until they end', async () => {
    const { campaign, affiliate } = await createSeller(program, { name: 'Spring' })
    const { id } = await create('Kept', [affiliate.id])
    const endsAt = new Date(app.clock.now.getTime() + 86_400_000).toISOString()
    await createRule(campaign.id, [id], { endsAt })
    const refusal = await errorOf(change('deleteAffiliateGroup', { id }, 'deletedId'))
    expect(refusal).toContain('because commission rules name it: "Deal" of the campaign "Spring". End them')
    expect(await groupsOf(affiliate.id)).toEqual(['Kept'])
    app.clock.advanceDays(1)
    await change('deleteAffiliateGroup', { id }, 'deletedId')
    expect(await groupsOf(affiliate.id)).toEqual([])
  })

  it('refuse a group that does not exist', async () => {
    const { campaign } = await createSeller(program)
    expect(await errorOf(createRule(campaign.id, ['x']))).toContain('Affiliate group not found: x')
  })
})
