import { describe, expect, it } from 'vitest'
import { createTestApp, restClient, type TestProgram } from '../../support/app.ts'
import { createAffiliate, createCampaign, createSeller, reportSale } from '../../support/factories.ts'

// Errors name fields as the request named them, and states in the words of the key.

const test = await createTestApp()
const program = await test.createProgram()
const { affiliate, campaign, coupon } = await createSeller(program)
const { commission } = await reportSale(program, { coupon })

async function clientWith(of: TestProgram, input: string) {
  const { createApiKey } = await test.operator(
    `mutation ($id: ID!) { createApiKey(input: { programId: $id, name: "Client", ${input} }) { secret } }`,
    { id: of.id },
  )
  return restClient(test.app.fetch, { Authorization: `Bearer ${createApiKey.secret}` })
}

const clients = {
  contract: program,
  superset: await clientWith(program, 'profile: SUPERSET'),
  convention: await clientWith(program, 'profile: SUPERSET, words: CONVENTION'),
}

const bodies: [path: string, body: object, details: string[]][] = [
  [`/affiliates/${affiliate.id}`, { paypal_email: 'null' }, ['Paypal email is not a valid e-mail address']],
  [`/affiliates/${affiliate.id}`, { wallet_a_email: 'x' }, ['Wallet a email is not a valid e-mail address']],
  [`/affiliates/${affiliate.id}`, { wise_email: 'x' }, ['Wise email is not a valid e-mail address']],
  [
    `/campaigns/${campaign.id}`,
    { days_until_commissions_are_due: 'soon', max_commission_period_months: -1, commission_amount_currency: 'x' },
    [
      'Commission amount currency is not an ISO 4217 currency code',
      'Days until commissions are due must be a whole number from 0 to 36500',
      'Max commission period months must be a whole number from 1 to 1200',
    ],
  ],
  [`/commissions/${commission.id}`, { amount: -1 }, [expect.stringMatching(/^Amount must be/) as never]],
]

describe.each(Object.entries(clients))('with a key of the kind %s', (kind, client) => {
  it.each(bodies)('PUT %s %j names the fields that were sent', async (path, body, details) => {
    const answer = await client.put(path, body)
    expect(answer.status).toBe(422)
    expect(answer.body.details.sort()).toEqual(details)
  })

  it('an unknown state of commissions is answered with the words of the key', async () => {
    const { status, body } = await client.get('/commissions?state=x')
    const words = kind === 'convention' ? 'pending, due, paid, voided' : 'pending, due, paid, void'
    expect([status, body.details]).toEqual([422, [`State must be one of: ${words}`]])
  })

  it.each([
    ['/commissions?state=pending,void', 1],
    ['/commissions?state=voided,due', 0],
    ['/commissions?state=pending,&state=', 1],
    ['/referrals?conversion_state=lead,conversion', 1],
    ['/referrals?conversion_state=lead,visitor', 0],
    ['/affiliates?state=active,disabled', 1],
  ])('a comma list is several values: GET %s', async (path, count) => {
    const { status, body } = await client.get(path)
    expect([status, body.pagination?.total_count]).toEqual([200, count])
  })
})

it('affiliates are filtered by the token of a link, in any case and with other filters', async () => {
  const own = await test.createProgram()
  const other = await createCampaign(own)
  const ada = await createAffiliate(own, { email: 'ada@example.com', token: 'Ada-1' })
  await createAffiliate(own, { email: 'bob@example.com', token: 'bob' })
  const ids = async (query: string) =>
    (await own.get(`/affiliates?${query}`)).body.data.map(({ id }: { id: string }) => id)
  expect(await ids('link_token=ada-1')).toEqual([ada.id])
  expect(await ids('link_token=ADA-1&state=active')).toEqual([ada.id])
  expect(await ids(`link_token=ada-1&campaign_id=${other.id}`)).toEqual([])
  expect(await ids('link_token=nobody')).toEqual([])
  expect(await ids('link_token=')).toHaveLength(2)
})

it('a read of a referral and of the payouts of an affiliate know no other program', async () => {
  const stranger = await test.createProgram()
  const [referral] = (await program.get('/referrals')).body.data
  expect((await program.get(`/referrals/${referral.id}`)).body).toEqual(referral)
  expect((await stranger.get(`/referrals/${referral.id}`)).status).toBe(404)
  expect((await program.get(`/affiliates/${affiliate.id}/payouts`)).status).toBe(200)
  expect((await stranger.get(`/affiliates/${affiliate.id}/payouts`)).status).toBe(404)
})
