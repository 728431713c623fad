import { expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { createSeller, listed, reportSale, unknownId } from '../../support/factories.ts'
import { createPage, roomy } from '../../support/tracking.ts'

const app = await createTestApp({ tracking: roomy })
const program = await app.createProgram()
const page = createPage(app.app, program)
const visited = async (fields = {}) => {
  const seller = await createSeller(program, fields)
  const { body } = await page.visit(seller.link.token)
  return { ...seller, id: body.referral_id as string }
}

it('returns 200 and makes the visitor a lead, before and after the visit is counted', async () => {
  const { affiliate, id } = await visited()
  const { status, body } = await page.lead(id, { email: 'ada@example.com', name: 'Ada' })
  expect([status, body]).toEqual([200, { referral_id: id, conversion_state: 'lead' }])
  await app.app.flush()
  expect((await program.get(`/affiliates/${affiliate.id}`)).body).toMatchObject({ visitors: 1, leads: 1 })
  expect((await page.lead(id, { email: 'somebody-else@example.com' })).body.conversion_state).toBe('lead')
  expect(await listed(program, '/referrals?email=ada@example.com')).toMatchObject([{ id }])
  expect((await program.get(`/affiliates/${affiliate.id}`)).body).toMatchObject({ visitors: 1, leads: 1 })
})

it("attributes a sale with the lead's e-mail to the referral, which becomes a conversion", async () => {
  const { id } = await visited()
  await page.lead(id, { email: 'buyer@example.com' })
  const { commission } = await reportSale(program, { email: 'buyer@example.com' })
  expect(commission).toMatchObject({ amount: 1000 })
  expect((await page.lead(id, { email: 'buyer@example.com' })).body.conversion_state).toBe('conversion')
})

it("returns 404 for another program's referral and for an unknown one", async () => {
  const { id } = await visited()
  const other = createPage(app.app, await app.createProgram())
  expect((await other.lead(id)).status).toBe(404)
  expect((await page.lead(unknownId)).status).toBe(404)
  expect(await listed(program, '/referrals?email=grace@example.com')).toEqual([])
})

it('returns 422 for an expired referral and for an invalid e-mail', async () => {
  const { id } = await visited({ days_before_referrals_expire: 1 })
  const wrong = await page.lead(id, { email: 'grace' })
  expect([wrong.status, wrong.body]).toEqual([
    422,
    { error: 'Could not record the lead.', details: ['Email is not a valid e-mail address'] },
  ])
  app.clock.advanceDays(1)
  const late = await page.lead(id)
  expect([late.status, late.body]).toEqual([422, { error: 'The referral has expired.' }])
})

it('does not record leads of bots', async () => {
  const { id } = await visited()
  const { status, body } = await page.lead(id, { email: 'bot@example.com' }, { 'User-Agent': 'python-requests/2.32' })
  expect([status, body]).toEqual([200, { referral_id: null, conversion_state: null }])
  expect(await listed(program, '/referrals?email=bot@example.com')).toEqual([])
})
