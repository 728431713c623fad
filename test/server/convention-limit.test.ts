import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { createTestApp, restClient, type TestApp, type TestProgram } from '../support/app.ts'

let test: TestApp
let program: TestProgram
let superset: ReturnType<typeof restClient>

beforeAll(async () => {
  test = await createTestApp({ requestsPer30Seconds: 3 })
})

beforeEach(async () => {
  program = await test.createProgram()
  superset = await supersetClient()
})

async function supersetClient() {
  const { createApiKey } = await test.operator(
    `mutation ($id: ID!) { createApiKey(input: { programId: $id, name: "Client", profile: SUPERSET }) { secret } }`,
    { id: program.id },
  )
  return restClient(test.app.fetch, { Authorization: `Bearer ${createApiKey.secret}` })
}

afterEach(() => {
  vi.useRealTimers()
})

const limitOf = (headers: Headers) =>
  ['limit', 'remaining', 'reset'].map(
    (name) => headers.get(`ratelimit-${name}`) && Number(headers.get(`ratelimit-${name}`)),
  )

it('every response to a superset key reports the remaining requests, also errors and 304', async () => {
  const first = await superset.get('/affiliates')
  expect(limitOf(first.headers)).toEqual([3, 2, 30])
  const same = await superset.send('/affiliates', { headers: { 'If-None-Match': first.headers.get('etag') as string } })
  expect([same.status, limitOf(same.headers)?.slice(0, 2)]).toEqual([304, [3, 1]])
  const missing = await superset.get('/affiliates/nobody')
  expect([missing.status, limitOf(missing.headers)?.slice(0, 2)]).toEqual([404, [3, 0]])
})

it('returns 429 with Retry-After when the limit is exceeded, and accepts requests again afterwards', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  for (let turn = 0; turn < 3; turn += 1) expect((await superset.get('/payouts')).status).toBe(200)
  vi.setSystemTime(Date.now() + 10_000)
  const refused = await superset.post('/affiliates/', { email: 'ada@example.com' })
  expect(refused.status).toBe(429)
  expect(refused.body).toEqual({ error: 'Too many requests. Try again in 20 seconds.' })
  expect(refused.headers.get('retry-after')).toBe('20')
  expect(limitOf(refused.headers)).toEqual([3, 0, 20])
  vi.setSystemTime(Date.now() + 20_001)
  const { status, body } = await superset.get('/affiliates')
  expect([status, body.data]).toEqual([200, []])
})

it('counts each key separately, and does not limit contract keys', async () => {
  for (let turn = 0; turn < 4; turn += 1) await superset.get('/affiliates')
  expect((await (await supersetClient()).get('/affiliates')).status).toBe(200)
  for (let turn = 0; turn < 5; turn += 1) {
    const { status, headers } = await program.get('/affiliates')
    expect([status, limitOf(headers)]).toEqual([200, [null, null, null]])
  }
})

it('never rejects a reported sale', async () => {
  const { id } = (await program.post('/affiliates', { email: 'ada@example.com' })).body
  await program.post('/affiliate_coupons', { affiliate_id: id, token: 'ADA20' })
  for (let turn = 0; turn < 4; turn += 1) await superset.get('/affiliates')
  const { status, headers } = await superset.post('/conversions', { coupon: 'ADA20', amount_cents: 100 })
  expect([status, limitOf(headers)]).toEqual([201, [null, null, null]])
})
