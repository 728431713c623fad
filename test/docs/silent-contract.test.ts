import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createTestApp } from '../support/app.ts'
import {
  createAffiliate,
  createCampaign,
  createCoupon,
  createSeller,
  reportSale,
  unknownId,
} from '../support/factories.ts'

const { createProgram, clock } = await createTestApp()
const program = await createProgram()
const due = { days_before_commissions_are_due: 0 }
const lists = ['affiliates', 'campaigns', 'affiliate_links', 'affiliate_coupons', 'referrals', 'commissions', 'payouts']

/** The commission of a new sale. */
const earn = async (campaign: Record<string, unknown> = due) => {
  const { coupon, affiliate } = await createSeller(program, campaign)
  return { affiliate, coupon, ...(await reportSale(program, { coupon, email: 'grace@example.com' })) }
}
const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status
const stateOf = async (path: string) => (await program.get(path)).body.state
/** The problems of a body without any field. */
const missing = async (path: string) => (await program.post(path, {})).body.details

const checks: Record<string, () => Promise<void>> = {
  'form of ids': async () => {
    const { id, created_at } = await createAffiliate(program)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/)
    expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(Date.parse(created_at))
  },
  'form of link tokens': async () => {
    const { id } = await createAffiliate(program)
    const create = (token: string) => statusOf(program.post('/affiliate_links', { affiliate_id: id, token }))
    expect([await create('Ada-1'), await create('ada-1'), await create('a_b'), await create('a'.repeat(101))]).toEqual([
      201, 422, 422, 422,
    ])
  },
  'states of an affiliate': async () => {
    const { id } = await createAffiliate(program)
    for (const state of ['disabled', 'suspicious', 'active', 'suspicious', 'disabled', 'active'])
      expect((await program.put(`/affiliates/${id}`, { state })).body.state).toBe(state)
    expect(await statusOf(program.put(`/affiliates/${id}`, { state: 'banned' }))).toBe(422)
  },
  'states of a payout': async () => {
    const { affiliate } = await earn()
    const [payout] = (await program.get(`/payouts?affiliate_id=${affiliate.id}`)).body.data
    expect([payout.state, (await program.post(`/payouts/${payout.id}/pay`)).body.state]).toEqual(['pending', 'paid'])
  },
  'transitions of a commission': async () => {
    const { commission } = await earn({ days_before_commissions_are_due: 1 })
    const path = `/commissions/${commission.id}`
    expect(await stateOf(path)).toBe('pending')
    clock.advanceDays(1)
    expect(await stateOf(path)).toBe('due')
    await program.delete(path)
    expect(await stateOf(path)).toBe('void')
  },
  'transitions of a referral': async () => {
    const { affiliate } = await earn()
    const path = `/referrals?affiliate_id=${affiliate.id}`
    expect((await program.get(path)).body.data[0].conversion_state).toBe('conversion')
  },
  'commission of a new sale': async () => {
    expect((await earn({ days_before_commissions_are_due: 1 })).commission.state).toBe('pending')
    expect((await earn()).commission.state).toBe('due')
  },
  'required to create an affiliate': async () => {
    expect(await missing('/affiliates')).toEqual(["Email can't be blank"])
  },
  'required to create a campaign': async () => {
    expect(await missing('/campaigns')).toHaveLength(3)
  },
  'required to create a link': async () => {
    expect(await missing('/affiliate_links')).toHaveLength(1)
  },
  'required to create a coupon': async () => {
    expect(await missing('/affiliate_coupons')).toHaveLength(2)
  },
  'status of a created link or coupon': async () => {
    const { id } = await createAffiliate(program)
    expect(await statusOf(program.post('/affiliate_links', { affiliate_id: id }))).toBe(201)
    expect(await statusOf(program.post('/affiliate_coupons', { affiliate_id: id, token: 'SILENT' }))).toBe(201)
  },
  'fields that a PUT leaves out': async () => {
    const { id } = await createAffiliate(program, { first_name: 'Ada', last_name: 'Byron' })
    const { body } = await program.put(`/affiliates/${id}`, { last_name: 'Lovelace' })
    expect([body.first_name, body.last_name]).toEqual(['Ada', 'Lovelace'])
  },
  'read-only fields in a PUT': async () => {
    const campaign = await createCampaign(program)
    const { status, body } = await program.put(`/campaigns/${campaign.id}`, { ...campaign, id: unknownId, object: 'x' })
    expect([status, body.id, body.object]).toEqual([200, campaign.id, 'campaign'])
  },
  'parameters of every list': async () => {
    for (const list of lists) {
      const { status, body } = await program.get(
        `/${list}?page=9&limit=1&updated_since=2020-01-01&updated_until=2020-01-02`,
      )
      expect([list, status, body.data, body.pagination.total_count]).toEqual([list, 200, [], 0])
    }
  },
  'lists of links and coupons': async () => {
    const { id, links } = await createAffiliate(program)
    const coupon = await createCoupon(program, id)
    const listed = async (path: string) => (await program.get(`${path}?affiliate_id=${id}`)).body
    const [ofLinks, ofCoupons] = [await listed('/affiliate_links'), await listed('/affiliate_coupons')]
    expect(ofLinks).toEqual({ pagination: expect.objectContaining({ total_count: 1 }), data: links })
    expect(ofCoupons).toEqual({ pagination: expect.objectContaining({ total_count: 1 }), data: [coupon] })
  },
  'filter of referrals': async () => {
    expect(await statusOf(program.get('/referrals?conversion_state=lead'))).toBe(200)
    expect(await statusOf(program.get('/referrals?conversion_state=customer'))).toBe(422)
  },
  'filter of commissions and payouts': async () => {
    expect(await statusOf(program.get('/commissions?state=due'))).toBe(200)
    expect(await statusOf(program.get('/commissions?state=open'))).toBe(422)
    expect(await statusOf(program.get('/payouts?state=pending'))).toBe(200)
  },
  'page size': async () => {
    const limitOf = async (query: string) => (await program.get(`/payouts${query}`)).body.pagination.limit
    expect([await limitOf(''), await limitOf('?limit=10'), await limitOf('?limit=500')]).toEqual([25, 10, 100])
  },
  'status of an amended commission': async () => {
    const { status, body } = await program.put(`/commissions/${(await earn()).commission.id}`, { amount: 700 })
    expect([status, body.amount]).toEqual([200, 700])
  },
  'status of a voided commission': async () => {
    const path = `/commissions/${(await earn()).commission.id}`
    const [first, second] = [await program.delete(path), await program.delete(path)]
    expect([first.status, first.body.state]).toEqual([200, 'void'])
    expect([second.status, second.body]).toEqual([200, first.body])
  },
  'status of a paid payout': async () => {
    const { affiliate } = await earn()
    const [payout] = (await program.get(`/payouts?affiliate_id=${affiliate.id}`)).body.data
    const [first, second] = [
      await program.post(`/payouts/${payout.id}/pay`),
      await program.post(`/payouts/${payout.id}/pay`),
    ]
    expect([first.status, first.body.state]).toEqual([200, 'paid'])
    expect([second.status, second.body]).toEqual([200, first.body])
  },
  'status of a recorded conversion': async () => {
    const { coupon } = await earn()
    const sale = { coupon, amount_cents: 100, external_id: 'silent-1' }
    const [first, second] = [await program.post('/conversions', sale), await program.post('/conversions', sale)]
    expect([first.status, first.body.duplicate, second.status, second.body.duplicate]).toEqual([201, false, 200, true])
  },
  'status of a failed conversion': async () => {
    const { status, body } = await program.post('/conversions', { amount_cents: 100 })
    expect([status, typeof body.error]).toEqual([422, 'string'])
  },
  'status of an unknown id': async () => {
    const { status, body } = await program.get(`/affiliates/${unknownId}`)
    expect([status, body]).toEqual([404, { error: `Affiliate not found: ${unknownId}` }])
  },
  'status of invalid input': async () => {
    const { status, body } = await program.post('/affiliates', { email: 'nobody' })
    expect([status, Object.keys(body)]).toEqual([422, ['error', 'details']])
  },
  'status of a taken token or e-mail': async () => {
    const { email, links } = await createAffiliate(program)
    expect((await program.post('/affiliates', { email })).body.details).toEqual(['Email has already been taken'])
    const { status, body } = await program.post('/affiliates', { email: 'new@example.com', token: links[0].token })
    expect([status, body.details]).toEqual([422, ['Token is already in use.']])
  },
  'rate limits': async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, () => program.get('/campaigns?limit=1')))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  },
}

const section =
  readFileSync('docs/rest.md', 'utf8').split('## Where the contract is silent')[1]?.split('\n## ')[0] ?? ''
const questions = [...section.matchAll(/^\| (.+?) \| .+ \|$/gm)].map(([, question]) => question).slice(1)

it('each decision of docs/rest.md has a check', () => {
  expect(questions.toSorted()).toEqual(Object.keys(checks).toSorted())
})

it.each(Object.keys(checks))('decides: %s', async (question) => {
  await checks[question]?.()
})
