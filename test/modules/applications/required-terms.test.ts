import { expect, it } from 'vitest'
import { releaseAllAccepted } from '../../../src/modules/commissions/terms.ts'
import { createTestApp, graphqlClient, type TestProgram } from '../../support/app.ts'
import { createSeller, recordLead, recordVisit, reportSale } from '../../support/factories.ts'

const test = await createTestApp()

const publish = (program: TestProgram, requiredFrom: string | null) =>
  program.graphql(
    'mutation ($requiredFrom: DateTime) { publishTerms(input: { text: "Be fair.", requiredFrom: $requiredFrom }) { terms { version } } }',
    { requiredFrom },
  )

const inDays = (days: number) => new Date(test.clock.now.getTime() + days * 86_400_000).toISOString()

const commissions = async (program: TestProgram) =>
  (
    await program.graphql(
      '{ commissions(first: 20, orderBy: { field: CREATED_AT, direction: ASC }) { nodes { heldReason } } }',
    )
  ).commissions.nodes.map(({ heldReason }: any) => heldReason)

async function asAffiliate(program: TestProgram, id: string) {
  const { createAffiliateToken } = await program.graphql(
    'mutation ($id: ID!) { createAffiliateToken(input: { affiliateId: $id }) { token } }',
    { id },
  )
  return graphqlClient(test.app.fetch, { Authorization: `Bearer ${createAffiliateToken.token}` })
}

let number = 0
const sell = (program: TestProgram, coupon: string) => {
  number += 1
  const email = `customer-${number}@customer.test`
  return reportSale(program, { coupon, email, external_id: `sale-${number}`, amount_cents: 10_000 })
}

it('after the day of the terms, new commissions are held until the affiliate accepts', async () => {
  const program = await test.createProgram()
  const seller = await createSeller(program, { days_before_commissions_are_due: 0 })
  await publish(program, inDays(3))
  await sell(program, seller.coupon)
  expect(await commissions(program)).toEqual([null])
  test.clock.advanceDays(3)
  await sell(program, seller.coupon)
  expect(await commissions(program)).toEqual([null, 'TERMS_NOT_ACCEPTED'])
  expect((await program.get('/payouts')).body.data).toMatchObject([{ amount: 1000 }])
  const ada = await asAffiliate(program, seller.affiliate.id)
  await ada('mutation { acceptTerms(input: { version: 1 }) { version } }')
  expect(await commissions(program)).toEqual([null, null])
  expect((await program.get('/payouts')).body.data).toMatchObject([{ amount: 2000 }])
  await sell(program, seller.coupon)
  expect(await commissions(program)).toEqual([null, null, null])
})

it('a newer version without a day does not end the hold, and accepting it does', async () => {
  const program = await test.createProgram()
  const seller = await createSeller(program)
  await publish(program, inDays(0))
  await publish(program, null)
  await sell(program, seller.coupon)
  expect(await commissions(program)).toEqual(['TERMS_NOT_ACCEPTED'])
  const ada = await asAffiliate(program, seller.affiliate.id)
  await ada('mutation { acceptTerms(input: { version: 2 }) { version } }')
  expect(await commissions(program)).toEqual([null])
})

it('commissions of leads and of sales through a link are held too, and a manager can approve them', async () => {
  const program = await test.createProgram()
  const { campaign, link } = await createSeller(program)
  const rule = { campaignId: campaign.id, name: 'Leads', appliesTo: 'ALL_SALES', reward: { leadAmountCents: 500 } }
  await program.graphql(
    'mutation ($input: CreateCommissionRuleInput!) { createCommissionRule(input: $input) { commissionRule { id } } }',
    { input: rule },
  )
  await publish(program, inDays(0))
  const { id } = await recordVisit(program, link.token)
  await recordLead(program, id, 'grace@customer.test')
  await reportSale(program, { email: 'grace@customer.test', amount_cents: 10_000 })
  expect(await commissions(program)).toEqual(['TERMS_NOT_ACCEPTED', 'TERMS_NOT_ACCEPTED'])
  const { nodes } = (await program.graphql('{ commissions(first: 1) { nodes { id } } }')).commissions
  await program.graphql('mutation ($ids: [ID!]!) { approveCommissions(input: { ids: $ids }) { commissions { id } } }', {
    ids: [nodes[0].id],
  })
  expect((await commissions(program)).filter((reason: unknown) => reason !== null)).toHaveLength(1)
})

it('a hold that a crash left after the acceptance ends by itself', async () => {
  const program = await test.createProgram()
  const seller = await createSeller(program)
  await publish(program, inDays(0))
  await sell(program, seller.coupon)
  const { db } = test.database
  const { id: affiliateId } = await db.affiliate.findFirstOrThrow({ where: { programId: program.id } })
  await releaseAllAccepted({ db, now: () => test.clock.now })
  expect(await commissions(program)).toEqual(['TERMS_NOT_ACCEPTED'])
  await db.termsAcceptance.create({
    data: { programId: program.id, affiliateId, version: 1, acceptedAt: test.clock.now },
  })
  await releaseAllAccepted({ db, now: () => test.clock.now })
  await releaseAllAccepted({ db, now: () => test.clock.now })
  expect(await commissions(program)).toEqual([null])
})
