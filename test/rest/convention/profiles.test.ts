import { beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, restClient, type TestApp, type TestProgram } from '../../support/app.ts'

let test: TestApp
let program: TestProgram
let superset: ReturnType<typeof restClient>
let keyId: string

const createKey = `mutation ($input: CreateApiKeyInput!) {
  createApiKey(input: $input) { secret apiKey { id profile words } }
}`
const updateKey = `mutation ($input: UpdateApiKeyInput!) { updateApiKey(input: $input) { apiKey { name profile words } } }`

async function makeKey(input: object) {
  const { createApiKey } = await test.operator(createKey, {
    input: { programId: program.id, name: 'Client', ...input },
  })
  return createApiKey
}

const clientOf = (secret: string) => restClient(test.app.fetch, { Authorization: `Bearer ${secret}` })

beforeAll(async () => {
  test = await createTestApp()
  program = await test.createProgram()
  const { secret, apiKey } = await makeKey({ profile: 'SUPERSET' })
  superset = clientOf(secret)
  keyId = apiKey.id
  const { body: affiliate } = await program.post('/affiliates', {
    email: 'ada@example.com',
    paypal_email: 'ada@pay.test',
  })
  await program.post('/affiliate_coupons', { affiliate_id: affiliate.id, token: 'ADA20' })
  await program.post('/conversions', { coupon: 'ADA20', amount_cents: 4900, email: 'grace@example.com' })
})

describe('an API key', () => {
  it("has the contract's profile and words by default", async () => {
    expect((await makeKey({})).apiKey).toMatchObject({ profile: 'CONTRACT', words: 'CONTRACT' })
    const made = await makeKey({ profile: 'SUPERSET', words: 'CONVENTION' })
    expect(made.apiKey).toMatchObject({ profile: 'SUPERSET', words: 'CONVENTION' })
  })

  it("cannot be created or updated with the convention's words but without the superset profile", async () => {
    await expect(makeKey({ words: 'CONVENTION' })).rejects.toThrow(
      "Words can be the convention's only with the superset profile",
    )
    const { apiKey } = await makeKey({})
    const input = { id: apiKey.id, words: 'CONVENTION' }
    await expect(test.operator(updateKey, { input })).rejects.toThrow('superset')
  })

  it('uses a changed profile from the next request on, in both directions', async () => {
    const { secret, apiKey } = await makeKey({})
    const client = clientOf(secret)
    const keys = async () => Object.keys((await client.get('/affiliates')).body.data[0])
    expect(await keys()).not.toContain('paypal_email')
    const change = (input: object) => test.operator(updateKey, { input: { id: apiKey.id, ...input } })
    expect((await change({ profile: 'SUPERSET', words: 'CONVENTION' })).updateApiKey.apiKey).toMatchObject({
      name: 'Client',
      profile: 'SUPERSET',
      words: 'CONVENTION',
    })
    expect(await keys()).toContain('paypal_email')
    expect((await change({ profile: 'CONTRACT' })).updateApiKey.apiKey.words).toBe('CONTRACT')
    expect(await keys()).not.toContain('paypal_email')
  })

  it('can be changed by an operator only', async () => {
    await expect(program.graphql(updateKey, { input: { id: keyId, profile: 'CONTRACT' } })).rejects.toThrow('operator')
  })
})

describe('expand', () => {
  const forms = [
    'expand=affiliate',
    'expand[]=affiliate',
    'expand%5B%5D=sale&expand%5B%5D=affiliate',
    'expand=sale&expand[]=affiliate',
    'expand=sale,affiliate',
    'expand[0]=affiliate',
  ]
  it.each(forms)('?%s adds the affiliate to a commission', async (query) => {
    const [commission] = (await superset.get(`/commissions?${query}`)).body.data
    expect(commission.affiliate).toMatchObject({
      object: 'affiliate',
      email: 'ada@example.com',
      paypal_email: 'ada@pay.test',
    })
  })

  it.each(['', '?expand=', '?expand[]=nothing', '?expand=sale'])('GET /commissions%s does not', async (query) => {
    const [commission] = (await superset.get(`/commissions${query}`)).body.data
    expect(commission).not.toHaveProperty('affiliate')
    expect(commission.sale).toMatchObject({ charge_amount_cents: 4900, referral: { object: 'referral' } })
  })

  it.each(forms)('?%s is ignored for a key with the contract profile', async (query) => {
    const plain = await program.get('/commissions')
    expect((await program.get(`/commissions?${query}`)).body).toEqual(plain.body)
  })

  it('is read from a JSON body, with and without brackets', async () => {
    const [{ id, amount }] = (await superset.get('/commissions')).body.data
    for (const expand of [{ expand: ['affiliate'] }, { expand: 'affiliate' }, { 'expand[]': ['affiliate'] }])
      expect((await superset.put(`/commissions/${id}`, { amount, ...expand })).body).toHaveProperty('affiliate')
  })

  it('is read from a form', async () => {
    const [commission] = (await superset.get('/commissions')).body.data
    const init = {
      method: 'PUT',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: `amount=${commission.amount}&expand%5B%5D=affiliate`,
    }
    expect((await superset.send(`/commissions/${commission.id}`, init)).body.affiliate.email).toBe('ada@example.com')
  })
})

it('`deleted` is only in the response that voids a commission', async () => {
  const { body } = await program.post('/conversions', { coupon: 'ADA20', amount_cents: 900 })
  const { id } = body.commission
  expect((await superset.delete(`/commissions/${id}`)).body).toMatchObject({ id, state: 'void', deleted: true })
  expect((await superset.get(`/commissions/${id}`)).body).not.toHaveProperty('deleted')
  expect((await program.delete(`/commissions/${id}`)).body).not.toHaveProperty('deleted')
})
