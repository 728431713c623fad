import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLog } from '../../src/kernel/log.ts'
import { createTestApp, restClient, type TestApp, type TestProgram } from '../support/app.ts'

const lines: { msg: string; address?: string }[] = []
let test: TestApp
let program: TestProgram
let base: string
const limits = { perKey: 5, perAddress: 40, failedPerAddress: 4 }
const server = createServer((request, response) => test.app.handle(request, response))

beforeAll(async () => {
  const log = createLog('info', { destination: { write: (line: string) => void lines.push(JSON.parse(line)) } })
  test = await createTestApp({ limits, log, tracking: { trustedProxies: 1 } })
  program = await test.createProgram()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

const numbers = Array.from({ length: 200 }, (_, n) => n + 1)[Symbol.iterator]()
/** Requests of a client with an address of its own. */
const clientAt = (address = `192.0.2.${numbers.next().value}`) => {
  const call = (path: string, secret: string, init: RequestInit = {}) =>
    fetch(base + path, { headers: { Authorization: `Bearer ${secret}`, 'X-Forwarded-For': address }, ...init })
  return { address, get: (secret: string) => call('/v1/affiliates', secret) }
}

const createKey = async (): Promise<string> => {
  const { createApiKey } = await test.operator(
    `mutation ($id: ID!) { createApiKey(input: { programId: $id, name: "Another" }) { secret } }`,
    { id: program.id },
  )
  return createApiKey.secret
}

it('counts the requests of each API key, and says what is left', async () => {
  const [secret, other] = [await createKey(), await createKey()]
  const fields = ({ headers }: Response) => ['ratelimit-policy', 'ratelimit'].map((name) => headers.get(name))
  expect(fields(await clientAt().get(secret))).toEqual(['"key";q=5;w=60', '"key";r=4;t=60'])
  for (let n = 0; n < 4; n += 1) expect((await clientAt().get(secret)).status).toBe(200)
  const refused = await clientAt().get(secret)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(fields(refused)[0]).toBe('"key";q=5;w=60')
  expect(await refused.json()).toEqual({ error: expect.stringMatching(/^Too many requests\. Try again in \d+ second/) })
  expect((await clientAt().get(other)).status).toBe(200)
})

it('says so in GraphQL by a code', async () => {
  const secret = await createKey()
  const send = () =>
    fetch(`${base}/graphql`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: '{ affiliates { totalCount } }' }),
    })
  for (let n = 0; n < 5; n += 1) expect((await send()).headers.get('ratelimit')).toContain(`r=${4 - n};`)
  const refused = await send()
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await refused.json()).toMatchObject({
    errors: [{ extensions: { code: 'TOO_MANY_REQUESTS', retryable: true } }],
  })
})

it('counts the requests of each address', async () => {
  const { get } = clientAt()
  const keys = await Promise.all(Array.from({ length: 9 }, createKey))
  const statuses: number[] = []
  for (const key of keys) for (let n = 0; n < 5; n += 1) statuses.push((await get(key)).status)
  expect(statuses).toEqual([...Array(40).fill(200), ...Array(5).fill(429)])
  expect((await clientAt().get(await createKey())).status).toBe(200)
})

it('rejects an address with failed authentications, and still accepts keys that are known', async () => {
  const [known, unknown] = [await createKey(), await createKey()]
  await clientAt().get(known)
  const { get, address } = clientAt()
  lines.length = 0
  const statuses = []
  for (let n = 0; n < 8; n += 1) statuses.push((await get(`wrong-${n}`)).status)
  expect(statuses).toEqual([...Array(4).fill(401), ...Array(4).fill(429)])
  const askedAt = performance.now()
  const refused = await get('wrong')
  // The next guess of a client that waits for the answer is delayed.
  expect(performance.now() - askedAt).toBeGreaterThan(90)
  expect(refused.headers.get('ratelimit-policy')).toBe('"authentication";q=4;w=60')
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  // Another client behind the same address is not locked out; a key that was never used is.
  expect((await get(known)).status).toBe(200)
  expect((await get(unknown)).status).toBe(429)
  expect((await clientAt().get(unknown)).status).toBe(200)
  const told = lines.filter(({ msg }) => msg === 'address failed to authenticate too often')
  expect(told).toMatchObject([{ address, failures: 4 }])
  // Four failures, and the three requests that were answered.
  expect(lines.filter(({ msg }) => msg === 'request').length).toBeLessThan(10)
})

it('does not limit callers without an address', async () => {
  const { get } = restClient(test.app.fetch, { Authorization: 'Bearer nobody' })
  for (let n = 0; n < 10; n += 1) expect((await get('/affiliates')).status).toBe(401)
})
