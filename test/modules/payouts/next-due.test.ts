import { expect, it } from 'vitest'
import { createTestApp, graphqlClient } from '../../support/app.ts'
import { createSeller, reportSale } from '../../support/factories.ts'

const app = await createTestApp()

it('the next due date of an affiliate is that of a commission which is not held, in the currency', async () => {
  const program = await app.createProgram()
  const { affiliate, coupon, campaign } = await createSeller(program, {
    days_before_commissions_are_due: 10,
    self_referrals: 'hold',
  })
  await reportSale(program, { coupon, email: affiliate.email })
  const read = async () => {
    const { affiliate: row } = await program.graphql(
      `{ affiliate(id: "${affiliate.id}") { usd: nextDueAt(currency: "usd") eur: nextDueAt(currency: "eur") } }`,
    )
    return row
  }
  expect(await read()).toEqual({ usd: null, eur: null })
  await program.put(`/campaigns/${campaign.id}`, { days_before_commissions_are_due: 20 })
  const { commission } = await reportSale(program, { coupon, email: 'somebody@customers.test' })
  const { commission: later } = await reportSale(program, { coupon, email: 'somebody@customers.test', currency: 'eur' })
  expect(await read()).toEqual({ usd: commission.due_at, eur: later.due_at })
  const token = await program.graphql(
    `mutation { createAffiliateToken(input: { affiliateId: "${affiliate.id}" }) { token } }`,
  )
  const portal = graphqlClient(app.app.fetch, { Authorization: `Bearer ${token.createAffiliateToken.token}` })
  expect(await portal('{ me { nextDueAt(currency: "usd") } }')).toEqual({ me: { nextDueAt: commission.due_at } })
  app.clock.advanceDays(21)
  expect(await read()).toEqual({ usd: null, eur: null })
})
