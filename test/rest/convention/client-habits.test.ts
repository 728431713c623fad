import { beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp, type TestProgram } from '../../support/app.ts'
import { recordVisit } from '../../support/factories.ts'

/** Habits of clients that the convention does not list. */
let test: TestApp
let program: TestProgram
let affiliate: any

beforeAll(async () => {
  test = await createTestApp()
  program = await test.createProgram()
  affiliate = (await program.post('/affiliates', { email: 'ada@example.com', token: 'ada' })).body
  await program.post('/affiliate_coupons', { affiliate_id: affiliate.id, token: 'ADA20' })
})

describe('upper-case ids', () => {
  it('are accepted in paths, bodies and filters', async () => {
    const [id, campaignId] = [affiliate.id.toUpperCase(), affiliate.campaign.id.toUpperCase()]
    expect((await program.get(`/affiliates/${id}`)).body.id).toBe(affiliate.id)
    expect((await program.get(`/affiliate_links?affiliate_id=${id}`)).body.data).toHaveLength(1)
    expect((await program.get(`/affiliates?campaign_id=${campaignId}`)).body.data).toHaveLength(1)
    expect((await program.post('/affiliate_links', { affiliate_id: id, token: 'more' })).status).toBe(201)
    const other = await program.post('/affiliates', { email: 'bob@example.com', campaign_id: campaignId })
    expect(other.body.campaign.id).toBe(affiliate.campaign.id)
    expect((await program.get(`/affiliates/${'X'.repeat(36)}`)).status).toBe(404)
  })

  it('are accepted for the referral of a sale', async () => {
    const { id } = await recordVisit(program, 'ada')
    const sale = await program.post('/conversions', { referral_id: id.toUpperCase(), amount_cents: 1000 })
    expect([sale.status, sale.body.commission.affiliate_id]).toEqual([201, affiliate.id])
  })
})

describe('JSON numbers in text fields', () => {
  it('are read as text', async () => {
    const body = { coupon: 'ADA20', amount_cents: 100, external_id: 1001 }
    expect((await program.post('/conversions', body)).status).toBe(201)
    expect((await program.post('/conversions', { ...body, external_id: '1001' })).body.duplicate).toBe(true)
  })

  it.each(['1234567890123456788', '1e400'])('return 422 when a number is not exact: %s', async (external_id) => {
    const { status, body } = await program.send('/conversions', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: `{"coupon": "ADA20", "amount_cents": 100, "external_id": ${external_id}}`,
    })
    expect([status, body.details]).toEqual([422, ['External id is a number that loses digits: send it as text']])
    const asText = await program.post('/conversions', { coupon: 'ADA20', amount_cents: 100, external_id })
    expect(asText.status).toBe(201)
  })
})

describe('an update that changes nothing', () => {
  it.each(['affiliates', 'campaigns'])('of %s leaves the row unchanged', async (noun) => {
    const id = noun === 'affiliates' ? affiliate.id : affiliate.campaign.id
    const before = (await program.get(`/${noun}/${id}`)).body
    test.clock.advanceMinutes(5)
    for (const body of [{}, before]) expect((await program.put(`/${noun}/${id}`, body)).body).toEqual(before)
    const name = noun === 'affiliates' ? 'first_name' : 'name'
    const changed = (await program.put(`/${noun}/${id}`, { ...before, [name]: 'Other' })).body
    expect([changed[name], changed.updated_at > before.updated_at]).toEqual(['Other', true])
  })
})

it("accepts times slightly ahead of the server's clock", async () => {
  const { body } = await program.post('/conversions', { coupon: 'ADA20', amount_cents: 5000 })
  const paid_at = new Date(test.clock.now.getTime() + 30_000).toISOString()
  const paid = await program.put(`/commissions/${body.commission.id}`, { paid_at })
  expect([paid.status, paid.body.state, paid.body.paid_at]).toEqual([200, 'paid', paid_at])
  expect((await program.put(`/commissions/${body.commission.id}`, { paid_at })).status).toBe(200)
})

it('error messages use the names of fields that the route has', async () => {
  const { body } = await program.post('/conversions', { coupon: 'ADA20', amount_cents: 5000 })
  const { body: refused } = await program.put(`/commissions/${body.commission.id}`, { amount: -1 })
  expect(refused.details).toEqual(['Amount must be a whole number from 0 to 9007199254740991'])
})
