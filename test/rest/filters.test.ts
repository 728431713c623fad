import { describe, expect, it } from 'vitest'
import { createTestApp } from '../support/app.ts'
import { createAffiliate, createCampaign, createSeller, listed, reportSale, unknownId } from '../support/factories.ts'

const app = await createTestApp()
const program = await app.createProgram()

describe('a value outside a documented enum', () => {
  it.each([
    ['/referrals', 'conversion_state', ['visitor', 'lead', 'conversion']],
    ['/commissions', 'state', ['pending', 'due', 'paid', 'void']],
    ['/payouts', 'state', ['pending', 'paid']],
    ['/affiliates', 'state', ['active', 'disabled', 'suspicious']],
  ])('422 on %s?%s, and names the allowed ones', async (path, name, allowed) => {
    for (const query of [`${name}=nonsense`, `${name}[]=${allowed[0]}&${name}[]=nonsense`]) {
      const { status, body } = await program.get(`${path}?${query}`)
      expect(status).toBe(422)
      expect(body.details).toHaveLength(1)
      for (const value of allowed) expect(body.details[0]).toContain(value)
    }
    for (const value of allowed) expect((await program.get(`${path}?${name}=${value}`)).status).toBe(200)
  })

  it('returns 422 with all problems at once', async () => {
    const { body } = await program.get('/commissions?state=nonsense&page=0&limit=x&updated_since=y')
    expect(body.details).toHaveLength(4)
  })
})

describe('GET /affiliates', () => {
  it('filters by state, campaign, e-mail and billing customer, and by all of them', async () => {
    const campaign = await createCampaign(program)
    const ada = await createAffiliate(program, { email: 'Ada@Example.com', campaign_id: campaign.id })
    const grace = await createAffiliate(program, { email: 'grace+x@example.com', billing_customer_id: 'cus_1' })
    await program.put(`/affiliates/${grace.id}`, { state: 'suspicious' })
    const ids = async (query: string) => (await listed(program, `/affiliates?${query}`)).map(({ id }) => id)
    expect(await ids('')).toEqual([grace.id, ada.id])
    expect(await ids('state=active')).toEqual([ada.id])
    expect(await ids('state[]=suspicious&state[]=disabled')).toEqual([grace.id])
    expect(await ids(`campaign_id=${campaign.id}`)).toEqual([ada.id])
    expect(await ids('email=aDA@example.com')).toEqual([ada.id])
    expect(await ids('email=grace%2Bx%40example.com')).toEqual([grace.id])
    expect(await ids('email=grace')).toEqual([])
    expect(await ids('billing_customer_id=cus_1')).toEqual([grace.id])
    expect(await ids('stripe_customer_id=cus_1')).toEqual([grace.id])
    expect(await ids('email=ada@example.com&state=disabled')).toEqual([])
    expect(await ids(`campaign_id=${unknownId}`)).toEqual([])
    expect(await ids('campaign_id=nonsense')).toEqual([])
    expect(await ids('email=&state=&campaign_id=&billing_customer_id=')).toEqual([grace.id, ada.id])
  })
})

it('total_count counts the filtered rows', async () => {
  const own = await app.createProgram()
  const { coupon } = await createSeller(own)
  for (let i = 0; i < 3; i++) await reportSale(own, { coupon })
  const [{ id }] = await listed(own, '/commissions')
  await own.delete(`/commissions/${id}`)
  const { body } = await own.get('/commissions?state=pending&limit=1&page=2')
  expect(body.pagination).toMatchObject({ count: 1, total_count: 2, total_pages: 2, next_page: null, previous_page: 1 })
})

it('updated_since finds updated rows, not only new ones', async () => {
  const own = await app.createProgram()
  const [{ campaign, affiliate, coupon }, other] = [await createSeller(own), await createSeller(own)]
  const { commission } = await reportSale(own, { coupon })
  await reportSale(own, { coupon: other.coupon })
  app.clock.advanceDays(1)
  const since = `updated_since=${app.clock.now.toISOString()}`
  const ids = async (path: string) => (await listed(own, `${path}?${since}`)).map(({ id }) => id)
  for (const path of ['/campaigns', '/affiliates', '/commissions', '/referrals']) expect(await ids(path)).toEqual([])
  await own.put(`/campaigns/${campaign.id}`, { name: 'Changed' })
  await own.put(`/affiliates/${affiliate.id}`, { first_name: 'Changed' })
  await own.put(`/commissions/${commission.id}`, { amount: 1 })
  expect(await ids('/campaigns')).toEqual([campaign.id])
  expect(await ids('/affiliates')).toEqual([affiliate.id])
  expect(await ids('/commissions')).toEqual([commission.id])
  app.clock.advanceDays(40)
  const [payout] = await listed(own, `/payouts?affiliate_id=${affiliate.id}`)
  app.clock.advanceDays(1)
  const later = `updated_since=${app.clock.now.toISOString()}`
  await own.post(`/payouts/${payout.id}/pay`)
  for (const path of ['/payouts', '/commissions']) expect(await listed(own, `${path}?${later}`)).toHaveLength(1)
})

it.each(['2026-03-10T13:00:00 01:00', '2026-03-10 13:00:00 01:00', '2026-03-10T13:00 0100'])(
  'a date whose plus became a blank is understood: %s',
  async (since) => {
    const program = await app.createProgram()
    await program.post('/affiliates', { email: 'a@b.co' })
    const found = async (name: string) =>
      (await program.get(`/affiliates?${name}=${since.replaceAll(' ', '+')}`)).body.pagination?.total_count
    const isPast = Date.parse('2026-03-10T12:00:00Z') <= app.clock.now.getTime()
    expect([await found('updated_since'), await found('updated_until')]).toEqual(isPast ? [1, 0] : [0, 1])
  },
)
