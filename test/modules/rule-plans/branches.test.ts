import { expect, it } from 'vitest'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { createAffiliate, createCoupon, createLead, createSeller, reportSale } from '../../support/factories.ts'
import { brief, closeMonth } from '../../support/statements.ts'

const test = await createTestApp({ startsAt: '2026-10-10T12:00:00.000Z' })

const fields = `id name state sales changedSales differenceCount finishedAt reason
  differences { affiliate { id } month currency beforeCents afterCents differenceCents }`
const create = async (program: TestProgram, input: object) => {
  const query = `mutation ($input: CreateBranchInput!) { createBranch(input: $input) { branch { ${fields} } } }`
  return (await program.graphql(query, { input })).createBranch.branch
}
const accept = async (program: TestProgram, id: string, reason: string) => {
  const query = `mutation ($id: ID!, $reason: String!) { acceptBranch(input: { id: $id, reason: $reason }) { branch { ${fields} } } }`
  return (await program.graphql(query, { id, reason })).acceptBranch.branch
}
const corrections = async (program: TestProgram) => {
  const query =
    '{ commissions(first: 50, where: { kind: { equals: CORRECTION } }) { nodes { amountCents reason affiliate { id } } } }'
  const { commissions } = await program.graphql(query)
  return commissions.nodes.map(({ amountCents, reason, affiliate }: any) => [affiliate.id, amountCents, reason])
}
const since = '2026-10-01T00:00:00Z'

it('another rate for a group is a table, and becomes corrections of the open month once', async () => {
  const program = await test.createProgram()
  const { affiliate: ada, campaign, coupon } = await createSeller(program, { days_before_commissions_are_due: 0 })
  const bob = await createAffiliate(program, { campaign_id: campaign.id })
  await createCoupon(program, bob.id, 'BOB10')
  const { createAffiliateGroup } = await program.graphql(
    'mutation ($ids: [ID!]) { createAffiliateGroup(input: { name: "Partners", affiliateIds: $ids }) { affiliateGroup { id } } }',
    { ids: [ada.id] },
  )
  const groupId = createAffiliateGroup.affiliateGroup.id
  await reportSale(program, { coupon, external_id: 'a1', amount_cents: 10_000 })
  await reportSale(program, { coupon: 'BOB10', external_id: 'b1', amount_cents: 10_000 })
  await program.graphql(
    'mutation { refundSale(input: { externalId: "a1", amountCents: 5000, refundExternalId: "r" }) { sale { id } } }',
  )
  test.clock.advanceDays(24)
  await reportSale(program, { coupon, external_id: 'a2', amount_cents: 2_000 })
  await closeMonth(program, '2026-10')
  test.clock.advanceMinutes(1)

  const rules = [
    {
      campaignId: campaign.id,
      name: 'Partners',
      appliesTo: 'ALL_SALES',
      reward: { percent: 25 },
      conditions: { groupIds: [groupId] },
    },
  ]
  const branch = await create(program, { name: 'Partners at 25 %', since, rules })
  expect(branch).toMatchObject({ state: 'OPEN', sales: 3, changedSales: 2, differenceCount: 2 })
  expect(branch.differences).toEqual([
    {
      affiliate: { id: ada.id },
      month: '2026-10',
      currency: 'usd',
      beforeCents: 500,
      afterCents: 1_250,
      differenceCents: 750,
    },
    {
      affiliate: { id: ada.id },
      month: '2026-11',
      currency: 'usd',
      beforeCents: 200,
      afterCents: 500,
      differenceCents: 300,
    },
  ])
  expect(await corrections(program)).toEqual([])

  const same = await create(program, { name: 'The same', since, rules })
  test.clock.advanceMinutes(1)
  expect(await accept(program, branch.id, 'Agreed in spring')).toMatchObject({
    state: 'ACCEPTED',
    reason: 'Agreed in spring',
  })
  const given = [
    [ada.id, 300, 'Agreed in spring (2026-11)'],
    [ada.id, 750, 'Agreed in spring (2026-10)'],
  ]
  expect((await corrections(program)).sort((a: any, b: any) => a[1] - b[1])).toEqual(given)
  await accept(program, branch.id, 'Again')
  expect(await corrections(program)).toHaveLength(2)
  await expect(accept(program, same.id, 'Twice')).rejects.toThrow('Another branch was accepted')
  // What was accepted is part of the past of the next branch.
  expect(await create(program, { name: 'The same again', since, rules })).toMatchObject({ differenceCount: 0 })

  test.clock.advanceDays(30)
  const november = (await closeMonth(program, '2026-11')).find(({ affiliateId }) => affiliateId === ada.id)
  expect(november && brief(november)).toEqual([
    ['commission', 200],
    ['correction', 750],
    ['correction', 300],
  ])
})

it('with the coupon first, a sale moves to the owner of its coupon', async () => {
  const program = await test.createProgram()
  const { affiliate: ada, campaign, coupon } = await createSeller(program)
  const bob = await createAffiliate(program, { campaign_id: campaign.id })
  const referral = await createLead(program, bob.links[0].token)
  await reportSale(program, { referral_id: referral.id, coupon, external_id: 'x', amount_cents: 10_000 })
  const now = test.clock.now.toISOString()
  test.clock.advanceMinutes(1)
  const from = new Date(Date.parse(now) - 86_400_000).toISOString()
  const branch = await create(program, { name: 'Coupons first', since: from, attribution: 'COUPON_FIRST' })
  const month = now.slice(0, 7)
  const row = { month, currency: 'usd' }
  expect(branch).toMatchObject({ sales: 1, changedSales: 1 })
  expect(
    branch.differences.map(({ affiliate, differenceCents }: any) => [affiliate.id, differenceCents]).sort(),
  ).toEqual(
    [
      [ada.id, 1_000],
      [bob.id, -1_000],
    ].sort(),
  )
  expect(branch.differences[0]).toMatchObject(row)
  const { discardBranch } = await program.graphql(
    'mutation ($id: ID!) { discardBranch(input: { id: $id }) { branch { state } } }',
    { id: branch.id },
  )
  expect(discardBranch.branch.state).toBe('DISCARDED')
  await expect(accept(program, branch.id, 'Late')).rejects.toThrow('was discarded')
  expect(await corrections(program)).toEqual([])
})

it('a branch that changes nothing, or is about the future, is rejected', async () => {
  const program = await test.createProgram()
  await expect(create(program, { name: 'Nothing', since })).rejects.toThrow('would change nothing')
  const later = { name: 'Later', since: '2030-01-01T00:00:00Z', attribution: 'COUPON_FIRST' }
  await expect(create(program, later)).rejects.toThrow('must be before now')
})

it('a branch is refused if its sales have changed since, so that nothing that was refunded is paid', async () => {
  const program = await test.createProgram()
  const { campaign, coupon } = await createSeller(program)
  await reportSale(program, { coupon, external_id: 's', amount_cents: 10_000 })
  test.clock.advanceMinutes(1)
  const rules = [{ campaignId: campaign.id, name: 'All', appliesTo: 'ALL_SALES', reward: { percent: 20 } }]
  const branch = await create(program, { name: 'Twice as much', since, rules })
  expect(branch.differences).toMatchObject([{ differenceCents: 1_000 }])
  test.clock.advanceMinutes(1)
  await program.graphql('mutation { refundSale(input: { externalId: "s" }) { sale { id } } }')
  await expect(accept(program, branch.id, 'Late')).rejects.toThrow('have changed since')
  expect(await corrections(program)).toEqual([])
  const again = await create(program, { name: 'Twice as much', since, rules })
  expect(again).toMatchObject({ differenceCount: 0 })
})
