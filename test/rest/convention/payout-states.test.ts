import { beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, restClient, type TestApp, type TestProgram } from '../../support/app.ts'

/** Three payouts: one paid, one that can be paid, and one below its campaign's minimum. */
let test: TestApp
let program: TestProgram
const names = new Map<string, string>()

async function clientWith(input: string) {
  const { createApiKey } = await test.operator(
    `mutation ($id: ID!) { createApiKey(input: { programId: $id, name: "Client", ${input} }) { secret } }`,
    { id: program.id },
  )
  return restClient(test.app.fetch, { Authorization: `Bearer ${createApiKey.secret}` })
}

beforeAll(async () => {
  test = await createTestApp()
  program = await test.createProgram()
  const { body: strict } = await program.post('/campaigns', {
    name: 'Strict',
    url: 'https://acme.test',
    commission_percent: 20,
    minimum_payout_cents: 5000,
  })
  for (const [name, campaign_id, amount_cents] of [
    ['paid', '', 1000],
    ['due', strict.id, 25_000],
    ['small', strict.id, 24_995],
  ] as const) {
    const { body } = await program.post('/affiliates', { email: `${name}@example.com`, campaign_id })
    names.set(body.id, name)
    await program.post('/affiliate_coupons', { affiliate_id: body.id, token: name })
    await program.post('/conversions', { coupon: name, amount_cents })
  }
  test.clock.advanceDays(31)
  const payouts = (await program.get('/payouts')).body.data
  const paid = payouts.find(({ affiliate_id }: any) => names.get(affiliate_id) === 'paid')
  await program.post(`/payouts/${paid.id}/pay`)
})

type Client = Awaited<ReturnType<typeof clientWith>>
const listed = async (client: Client, query: string) => {
  const { status, body } = await client.get(`/payouts${query}`)
  if (status !== 200) return [status, body.details]
  return body.data.map(({ affiliate_id, state }: any) => `${names.get(affiliate_id)} ${state}`).sort()
}

describe("in the convention's words", () => {
  it.each([
    ['', ['due due', 'paid paid', 'small pending']],
    ['?state=due', ['due due']],
    ['?state=pending', ['small pending']],
    ['?state[]=due&state[]=paid', ['due due', 'paid paid']],
    ['?state=', ['due due', 'paid paid', 'small pending']],
    ['?state[]=processing', []],
    ['?state=completed', []],
    ['?state[]=Failed&state[]=processing', []],
    ['?state[]=failed&state[]=paid', ['paid paid']],
    ['?state[]=failed&state[]=', []],
    ['?state=lost', [422, ['State must be one of: pending, due, processing, paid, failed']]],
    ['?state[]=failed&state[]=lost', [422, ['State must be one of: pending, due, processing, paid, failed']]],
  ])('GET /payouts%s', async (query, expected) => {
    expect(await listed(await clientWith('profile: SUPERSET, words: CONVENTION'), query)).toEqual(expected)
  })

  it('a read by id returns the same state, and a payout cannot be paid before it is due', async () => {
    const client = await clientWith('profile: SUPERSET, words: CONVENTION')
    const [{ id }] = (await client.get('/payouts?state=pending')).body.data
    expect((await client.get(`/payouts/${id}`)).body.state).toBe('pending')
    expect((await client.put(`/payouts/${id}/pay`)).status).toBe(422)
  })
})

describe("in the contract's words", () => {
  it.each([
    ['', ['due pending', 'paid paid', 'small pending']],
    ['?state=due', ['due pending']],
    ['?state=pending', ['due pending', 'small pending']],
    ['?state[]=pending&state[]=due', ['due pending', 'small pending']],
    ['?convention_state=due', ['due pending', 'paid paid', 'small pending']],
    ['?state[]=processing&state[]=failed', []],
    ['?state[]=completed&state[]=pending', ['due pending', 'small pending']],
    ['?state=due,paid', ['due pending', 'paid paid']],
    ['?state=Due', ['due pending']],
    ['?state[]=due&state[]=', ['due pending']],
    ['?state[]=pending&state[]=due&state[]=processing&state[]=paid', ['due pending', 'paid paid', 'small pending']],
    ['?state=lost', [422, ['State must be one of: pending, paid, failed']]],
    ['?state=due,lost', [422, ['State must be one of: pending, due, processing, paid, failed']]],
  ])('GET /payouts%s, with either profile', async (query, expected) => {
    for (const client of [program, await clientWith('profile: SUPERSET')])
      expect(await listed(client, query)).toEqual(expected)
  })
})

it('an empty page of states that no payout has is a complete page', async () => {
  const client = await clientWith('profile: SUPERSET, words: CONVENTION')
  const { status, body } = await client.get('/payouts?state[]=processing&limit=5')
  expect([status, body.data, body.pagination]).toMatchObject([200, [], { limit: 5, total_count: 0, total_pages: 0 }])
})

describe('states of affiliates in the convention', () => {
  it.each(['inactive', 'pending', 'deactivated'])('GET /affiliates?state=%s matches nothing', async (state) => {
    for (const client of [program, await clientWith('profile: SUPERSET')]) {
      const count = async (query: string) => (await client.get(`/affiliates?${query}`)).body.pagination.total_count
      expect(await count(`state=${state}`)).toBe(0)
      expect(await count(`state[]=${state}&state[]=active`)).toBe(3)
      expect(await count(`state=active,${state}`)).toBe(3)
      expect((await client.get(`/affiliates?state[]=${state}&state[]=gone`)).status).toBe(422)
    }
  })
})
