import { beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestProgram } from './support/app.ts'
import { createAffiliate, createLead, createSeller, listed, recordVisit, reportSale } from './support/factories.ts'

// The program `ours` has records of every type. The program `theirs` has another key, and tries to access them.

const app = await createTestApp()
const ours = await app.createProgram()
const theirs = await app.createProgram()
const noneOfTheirBusiness = 'customer-of-ours@example.com'

const seller = await createSeller(ours, { days_before_commissions_are_due: 0 })
await ours.put(`/affiliates/${seller.affiliate.id}`, { email: 'ours@example.com', billing_customer_id: 'cus_ours' })
const paidSale = await reportSale(ours, { coupon: seller.coupon, email: noneOfTheirBusiness, external_id: 'inv_1' })
const [paidPayout] = await listed(ours, '/payouts')
await ours.post(`/payouts/${paidPayout.id}/pay`)
await reportSale(ours, { coupon: seller.coupon, email: noneOfTheirBusiness })
const [payout] = await listed(ours, '/payouts?state=pending')
const [commission] = await listed(ours, '/commissions?state=due')
const visitor = await recordVisit(ours, seller.link.token)
const lead = await createLead(ours, seller.link.token, 'lead-of-ours@example.com')
const { id: affiliateId } = seller.affiliate
const { id: campaignId } = seller.campaign

const lists = ['affiliates', 'campaigns', 'affiliate_links', 'affiliate_coupons', 'referrals', 'commissions', 'payouts']
const snapshot = (program: TestProgram) => Promise.all(lists.map((list) => listed(program, `/${list}?limit=100`)))
const before = await snapshot(ours)

/** Runs after every test: the records of `ours` are unchanged. */
async function expectNothingChanged() {
  expect(await snapshot(ours)).toEqual(before)
}

describe('by an id in the path', () => {
  it.each([
    ['GET', `/affiliates/${affiliateId}`],
    ['PUT', `/affiliates/${affiliateId}`],
    ['POST', `/affiliates/${affiliateId}/links`],
    ['GET', `/affiliates/${affiliateId}/sso`],
    ['GET', `/affiliate_links/${seller.link.id}`],
    ['PUT', `/affiliate_links/${seller.link.id}`],
    ['GET', `/affiliate_coupons/${before[3]?.[0].id}`],
    ['GET', `/payouts/${payout.id}`],
    ['GET', `/campaigns/${campaignId}`],
    ['PUT', `/campaigns/${campaignId}`],
    ['GET', `/commissions/${commission.id}`],
    ['PUT', `/commissions/${commission.id}`],
    ['DELETE', `/commissions/${commission.id}`],
    ['GET', `/commissions/${paidSale.commission.id}`],
    ['DELETE', `/commissions/${paidSale.commission.id}`],
    ['POST', `/payouts/${payout.id}/pay`],
    ['PUT', `/payouts/${payout.id}/pay`],
    ['POST', `/payouts/${paidPayout.id}/pay`],
  ])('%s %s returns 404, as for an unknown id', async (method, path) => {
    const body = { name: 'Taken over', first_name: 'Taken over', amount: 1, token: 'taken-over', state: 'disabled' }
    const init = method === 'PUT' || method === 'POST' ? { body: JSON.stringify(body) } : {}
    const call = (to: string) => theirs.send(to, { method, headers: { 'Content-Type': 'application/json' }, ...init })
    const answer = await call(path)
    expect(answer.status).toBe(404)
    const [, id = ''] = /\/([0-9a-f-]{36})/.exec(path) ?? []
    const unknown = id.replace(/.{4}$/, 'dead')
    const nobody = await call(path.replace(id, unknown))
    expect(answer.body).toEqual(JSON.parse(JSON.stringify(nobody.body).replaceAll(unknown, id)))
    await expectNothingChanged()
  })
})

describe('by a reference in a body', () => {
  it.each([
    ['POST', '/affiliates', { email: 'a@theirs.test', campaign_id: campaignId }, 'Campaign not found.'],
    ['POST', '/affiliate_links', { affiliate_id: affiliateId, token: 'x' }, 'Affiliate not found.'],
    ['POST', '/affiliate_coupons', { affiliate_id: affiliateId, token: 'x' }, 'Affiliate not found.'],
  ])('%s %s returns 422', async (method, path, fields, detail) => {
    const { status, body } = await theirs.send(path, {
      method,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(fields),
    })
    expect(status).toBe(422)
    expect(body.details).toEqual([detail])
    await expectNothingChanged()
  })

  it('PUT /affiliates/{id} cannot move an affiliate into our campaign', async () => {
    const own = await createAffiliate(theirs)
    const { status, body } = await theirs.put(`/affiliates/${own.id}`, { campaign_id: campaignId })
    expect(status).toBe(422)
    expect(body.details).toEqual(['Campaign not found.'])
  })
})

describe('by the signals of a sale', () => {
  it.each([
    ['a visitor', { referral_id: visitor.id }],
    ['a lead', { referral_id: lead.id }],
    ["a lead's e-mail", { email: lead.email }],
    ["a customer's e-mail", { email: noneOfTheirBusiness }],
    ['a coupon', { coupon: seller.coupon }],
    ['all of them', { referral_id: lead.id, coupon: seller.coupon, email: noneOfTheirBusiness }],
  ])('%s of ours matches no affiliate', async (_label, signals) => {
    const { status, body } = await theirs.post('/conversions', { amount_cents: 100, ...signals })
    expect(status).toBe(422)
    expect(body).toMatchObject({ error: 'No active affiliate matches this sale.' })
    await expectNothingChanged()
  })

  it('an external id of ours can be used again', async () => {
    const their = await createSeller(theirs)
    const sale = { amount_cents: 100, coupon: their.coupon, external_id: 'inv_1' }
    const { status, body } = await theirs.post('/conversions', sale)
    expect(status).toBe(201)
    expect(body.sale_id).not.toBe(paidSale.sale_id)
    expect((await theirs.post('/conversions', { external_id: 'inv_1' })).body.sale_id).toBe(body.sale_id)
    expect((await ours.post('/conversions', { external_id: 'inv_1' })).body.sale_id).toBe(paidSale.sale_id)
    await expectNothingChanged()
  })
})

describe('by a filter', () => {
  const filters = [
    `affiliate_id=${affiliateId}`,
    `campaign_id=${campaignId}`,
    'email=ours@example.com',
    `email=${noneOfTheirBusiness}`,
    'billing_customer_id=cus_ours',
  ]
  it.each(lists)('GET /%s shows nothing of ours', async (list) => {
    const ids = before.flat().map(({ id }) => id)
    for (const filter of ['', ...filters]) {
      const { status, body } = await theirs.get(`/${list}?limit=100&${filter}`)
      expect(status).toBe(200)
      for (const id of ids) expect(JSON.stringify(body)).not.toContain(id)
    }
  })
})

describe('by unique values', () => {
  it('an e-mail, a link token and a coupon token of ours can be used again', async () => {
    const made = await theirs.post('/affiliates', { email: 'ours@example.com', token: seller.link.token })
    expect(made.status).toBe(201)
    expect(made.body.links[0].token).toBe(seller.link.token)
    const fields = { affiliate_id: made.body.id, token: seller.coupon }
    expect((await theirs.post('/affiliate_coupons', fields)).status).toBe(201)
    // The same tokens now belong to an affiliate of each program.
    await recordVisit(theirs, seller.link.token)
    const sale = await reportSale(theirs, { coupon: seller.coupon })
    expect(sale.commission.affiliate_id).toBe(made.body.id)
    await expectNothingChanged()
  })
})

describe('over GraphQL', () => {
  it.each([
    `{ affiliate(id: "${affiliateId}") { email } }`,
    `{ campaign(id: "${campaignId}") { name } }`,
    `{ commission(id: "${commission.id}") { amountCents } }`,
    `{ payout(id: "${payout.id}") { amountCents } }`,
    `{ referral(id: "${lead.id}") { id } }`,
  ])('%s is null', async (query) => {
    expect(Object.values(await theirs.graphql(query))).toEqual([null])
    await expectNothingChanged()
  })

  it.each([
    `mutation { updateAffiliate(input: { id: "${affiliateId}", firstName: "X" }) { affiliate { id } } }`,
    `mutation { updateCampaign(input: { id: "${campaignId}", name: "X" }) { campaign { id } } }`,
    `mutation { amendCommission(input: { id: "${commission.id}", amountCents: 1 }) { commission { id } } }`,
    `mutation { voidCommission(input: { id: "${commission.id}" }) { commission { id } } }`,
    `mutation { payPayout(input: { id: "${payout.id}" }) { payout { id } } }`,
    `mutation { recordLead(input: { referralId: "${visitor.id}", email: "x@example.com" }) { referral { id } } }`,
  ])('%s returns NOT_FOUND', async (query) => {
    const error = await theirs.graphql(query).catch((failed) => failed)
    expect(error.errors).toEqual([
      expect.objectContaining({ extensions: expect.objectContaining({ code: 'NOT_FOUND' }) }),
    ])
    await expectNothingChanged()
  })

  it.each([
    `mutation { createAffiliate(input: { email: "b@theirs.test", campaignId: "${campaignId}" }) { affiliate { id } } }`,
    `mutation { createAffiliateLink(input: { affiliateId: "${affiliateId}" }) { affiliateLink { id } } }`,
    `mutation { createAffiliateCoupon(input: { affiliateId: "${affiliateId}", token: "x" }) { affiliateCoupon { id } } }`,
    `mutation { createSsoLink(input: { affiliateId: "${affiliateId}" }) { url } }`,
  ])('%s returns INVALID_INPUT', async (query) => {
    const error = await theirs.graphql(query).catch((failed) => failed)
    expect(error.errors[0].extensions.code).toBe('INVALID_INPUT')
    await expectNothingChanged()
  })

  it('lists and relations show nothing of ours', async () => {
    const answer = await theirs.graphql(`{
      affiliates { nodes { id campaign { id } links { nodes { id } } coupon { id } } }
      commissions { nodes { id sale { id affiliate { id } } referral { id link { id } } payout { id commissions { nodes { id } } } } }
      referrals { nodes { id affiliate { id } campaign { id } coupon { id } } }
      payouts { nodes { id affiliate { id } } }
      program { id }
    }`)
    for (const { id } of before.flat()) expect(JSON.stringify(answer)).not.toContain(id)
  })
})

describe('by a link token that only ours has', () => {
  let token: string
  beforeAll(async () => {
    const affiliate = await ours.graphql('{ affiliates { nodes { links { nodes { token } } } } }')
    token = affiliate.affiliates.nodes[0].links.nodes[0].token
  })

  it('a visit is not recorded', async () => {
    const stranger = await app.createProgram()
    await expect(recordVisit(stranger, token)).rejects.toThrow('not found')
    await expectNothingChanged()
  })
})
