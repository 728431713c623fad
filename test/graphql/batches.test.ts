import { beforeAll, expect, it } from 'vitest'
import { createLog } from '../../src/kernel/log.ts'
import { adminToken, createTestApp, type TestApp, type TestProgram } from '../support/app.ts'

const lines: { msg: string; operation?: string; mutations?: string[]; errorCode?: string }[] = []
let test: TestApp
let program: TestProgram
let token: string

beforeAll(async () => {
  const log = createLog('info', { destination: { write: (line: string) => void lines.push(JSON.parse(line)) } })
  test = await createTestApp({ log, limits: { perKey: 12, failedPerAddress: 60 } })
  program = await test.createProgram()
  const { id } = (await program.graphql('{ campaigns { nodes { id } } }')).campaigns.nodes[0]
  const affiliate = await program.graphql(
    `mutation ($id: ID!) { createAffiliate(input: { email: "ada@example.com", campaignId: $id }) { affiliate { id } } }`,
    { id },
  )
  const created = await program.graphql(
    'mutation ($id: ID!) { createAffiliateToken(input: { affiliateId: $id }) { token } }',
    { id: affiliate.createAffiliate.affiliate.id },
  )
  token = created.createAffiliateToken.token
})

/** A key of its own has a limit of its own. */
async function createKey(): Promise<string> {
  const { createApiKey } = await test.operator(
    'mutation ($id: ID!) { createApiKey(input: { programId: $id, name: "Another" }) { secret } }',
    { id: program.id },
  )
  return createApiKey.secret
}

const send = (batch: unknown, key: string, headers: Record<string, string> = {}) =>
  test.app.fetch(
    new Request('http://localhost:4000/graphql', {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(batch),
    }),
  )

it('answers the operations of a batch in their order', async () => {
  const response = await send(
    [
      { query: 'query Name($first: Int) { campaigns(first: $first) { totalCount } }', variables: { first: 1 } },
      {
        query: 'mutation Rename($id: ID!) { updateProgram(input: { id: $id, name: "Renamed" }) { program { name } } }',
        variables: { id: program.id },
      },
      { query: '{ nothing }' },
      { query: '{ program { name } }' },
    ],
    adminToken,
    { 'X-Program-Id': program.id },
  )
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(await response.json()).toMatchObject([
    { data: { campaigns: { totalCount: 1 } }, extensions: { cost: { limit: 50_000 } } },
    { data: { updateProgram: { program: { name: 'Renamed' } } } },
    { errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] },
    { data: { program: { name: 'Renamed' } } },
  ])
  const line = lines.findLast(({ msg }) => msg === 'request')
  expect(line).toMatchObject({
    operation: 'Name, Rename',
    mutations: ['updateProgram'],
    errorCode: 'GRAPHQL_VALIDATION_FAILED',
  })
})

it('has the rights of an affiliate token in each operation', async () => {
  const response = await send([{ query: '{ me { email } }' }, { query: '{ affiliates { totalCount } }' }], token)
  expect(await response.json()).toMatchObject([
    { data: { me: { email: 'ada@example.com' } } },
    { errors: [{ extensions: { code: 'FORBIDDEN' } }] },
  ])
})

it('holds the limits of costs for each operation', async () => {
  const dear = {
    query: '{ affiliates(first: 100) { nodes { sales(first: 100) { nodes { commissions { nodes { id } } } } } } }',
  }
  const response = await send([dear, { query: '{ program { name } }' }], await createKey())
  expect(await response.json()).toMatchObject([
    { errors: [{ extensions: { code: 'QUERY_TOO_COMPLEX', reasons: ['COST'] } }] },
    { data: { program: {} } },
  ])
})

it('counts each operation towards the limit of the key', async () => {
  const key = await createKey()
  const batch = Array.from({ length: 7 }, () => ({ query: '{ program { name } }' }))
  expect((await send(batch, key)).headers.get('ratelimit')).toContain('r=5;')
  const refused = await send(batch, key)
  expect(refused.status).toBe(429)
  expect(await refused.json()).toMatchObject({ errors: [{ extensions: { code: 'TOO_MANY_REQUESTS' } }] })
})

it('answers a subscription with an error, and the others with their results', async () => {
  const response = await send(
    [{ query: 'subscription { saleReported { id } }' }, { query: '{ program { name } }' }],
    await createKey(),
  )
  expect(await response.json()).toMatchObject([
    { errors: [{ extensions: { code: 'NOT_ACCEPTABLE' } }] },
    { data: { program: {} } },
  ])
})

it('answers in the media type that the client accepts', async () => {
  const accept = (Accept: string) => send([{ query: '{ __typename }' }], token, { Accept })
  const type = 'application/graphql-response+json'
  expect((await accept(type)).headers.get('content-type')).toBe(`${type}; charset=utf-8`)
  const stream = await accept('text/event-stream')
  expect(stream.status).toBe(406)
  expect(await stream.json()).toMatchObject({ errors: [{ extensions: { code: 'NOT_ACCEPTABLE' } }] })
})

const query = { query: '{ __typename }' }

it.each([
  ['an Idempotency-Key', [query], { 'Idempotency-Key': 'one' }, 'takes no Idempotency-Key'],
  ['no operations', [], {}, 'no operations'],
  ['too many operations', Array(11).fill(query), {}, 'has 11 operations; the limit is 10'],
  ['what is no operation', [query, 1], {}, 'Operation 2 of the batch is not a JSON object'],
])('refuses a batch with %s', async (_, batch, headers, message) => {
  const response = await send(batch, token, headers as Record<string, string>)
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({
    errors: [{ message: expect.stringContaining(message), extensions: { code: 'BAD_REQUEST' } }],
  })
})

it('says nothing about the body to callers without a key', async () => {
  const response = await send([], 'trib_sk_wrong')
  expect(response.status).toBe(401)
})
