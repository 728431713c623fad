import { Agent, createServer, type IncomingHttpHeaders, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { routes } from '../../src/rest/routes.ts'
import { isPureRead } from '../../src/server/entrance/reads.ts'
import { createTestApp } from '../support/app.ts'
import { createCountedDatabase, createTestDatabase } from '../support/database.ts'
import { isFull } from '../support/engine.ts'
import { createLead, createSeller, recordVisit, reportSale, unknownId } from '../support/factories.ts'

/** Statements are recorded on the embedded database only. */
const database = process.env.TEST_DATABASE_URL
  ? { ...(await createTestDatabase()), statements: [] as string[] }
  : await createCountedDatabase()
const app = await createTestApp({ database })
const program = await app.createProgram({ isSandbox: true })
for (const external_id of ['"quoted"', 'ümläut 😀', 'back\\slash\n']) {
  const { link, coupon } = await createSeller(program, { first_name: external_id, days_before_commissions_are_due: 10 })
  const { email } = await createLead(program, link.token)
  await reportSale(program, { email, amount_cents: 5000, external_id })
  await reportSale(program, {
    coupon,
    email: `customer-of-${link.token}@example.com`,
    external_id: `coupon ${external_id}`,
  })
}

const server = createServer(app.app.handle)
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
afterAll(() => server.close())

type Answer = { status: number; headers: IncomingHttpHeaders; text: string; isOfYoga: boolean }
type Asked = { secret?: string; headers?: Record<string, string>; body?: string; agent?: Agent }

const ask = (path: string, { secret = program.secret, headers = {}, body, agent }: Asked = {}) =>
  new Promise<Answer>((resolve, reject) => {
    const { port } = server.address() as AddressInfo
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
    const given = { Authorization: `Bearer ${secret}`, ...length, ...headers }
    const method = body === undefined ? 'GET' : 'POST'
    const request = send({ port, host: '127.0.0.1', path, method, headers: given, agent }, async (response) => {
      let text = ''
      for await (const chunk of response.setEncoding('utf8')) text += chunk
      // Yoga writes the names of headers in lower case.
      const isOfYoga = response.rawHeaders.includes('content-type')
      // The framing of the body is not compared.
      const { 'content-length': _, 'transfer-encoding': __, ...headers } = response.headers
      const { date, 'x-request-id': requestId, ...comparable } = headers
      expect([date, requestId]).toEqual([expect.any(String), expect.any(String)])
      resolve({ status: response.statusCode ?? 0, headers: comparable, text, isOfYoga })
    })
    request.once('error', reject)
    request.end(body)
  })

/** The service does not know the caller of a key before the key's first use. */
const askNewly = async (path: string, asked: Asked = {}) => ask(path, { ...asked, secret: (await createKey()).secret })

async function createKey(access = 'FULL') {
  const { createApiKey } = await app.operator(
    'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { secret apiKey { id } } }',
    { input: { programId: program.id, name: 'New', access } },
  )
  return { id: createApiKey.apiKey.id as string, secret: createApiKey.secret as string }
}

const json = { 'Content-Type': 'application/json' }
const graphql = (body: object, secret?: string) =>
  ask('/graphql', { secret, headers: json, body: JSON.stringify(body) })
/** Yoga chooses between media types with weights. */
const graphqlOfYoga = (body: object) =>
  ask('/graphql', { headers: { ...json, Accept: 'application/json;q=0.9' }, body: JSON.stringify(body) })

/** Writes of buffered data, such as the last use of a key, are no part of a request. */
beforeEach(() => app.app.flush())

/** Those of the contract, whose profile the key has. Not the list of events: each new key is an event. */
const paths = routes.filter(
  ({ method, operation, parent, path, isOfSuperset }) =>
    method === 'GET' && !parent && !isOfSuperset && path !== '/events' && isPureRead(operation.replace('Query.', '')),
)
const firstIds = new Map<string, string>()
for (const { path } of paths) {
  if (path.includes('{')) continue
  const { body } = await program.get(path)
  firstIds.set(path, body.data[0]?.id ?? unknownId)
}
const addresses = paths.flatMap(({ path }) =>
  path.includes('{id}')
    ? [firstIds.get(path.replace('/{id}', '')) as string, unknownId, 'no-id'].map((id) => path.replace('{id}', id))
    : ['', '?limit=2', '?limit=2&page=2', '?page=99', '?page=x', '?created=1&limit[]=1&%7e=%F0', '?campaign_id=x'].map(
        (query) => path + query,
      ),
)

it.each(addresses)('GET %s with a known key is answered as with a new one, and writes nothing', async (path) => {
  const expected = await askNewly(`/v1${path}`)
  await app.app.flush()
  database.statements.length = 0
  const found = await ask(`/v1${path}`)
  const { statements } = database
  expect(statements.filter((text) => /\b(insert|update|delete|lock|share)\b/i.test(text))).toEqual([])
  expect(found).toEqual(expected)
  const { etag } = found.headers
  if (!etag) return
  const cached = { 'If-None-Match': etag }
  const again = await ask(`/v1${path}`, { headers: cached })
  expect(again).toEqual(await askNewly(`/v1${path}`, { headers: cached }))
  expect([again.status, again.text]).toEqual([304, ''])
})

const rows = `id createdAt state affiliate { firstName links { nodes { url token } totalCount } campaign { commissionPercent } }`
const queries = [
  { query: '{ program { name clock } }' },
  {
    query: `query Named($n: Int = 2) { commissions(first: $n) { totalCount nodes { ${rows} } pageInfo { hasNextPage } } }`,
  },
  {
    query:
      '{ affiliates { edges { cursor node { firstName links(first: 1) { nodes { id } } more: links(last: 1) { nodes { id } } } } } }',
  },
  { query: 'query ($id: ID!) { affiliate(id: $id) { email coupon { token } } }', variables: { id: unknownId } },
  {
    query:
      '{ a: sales(first: 1) { nodes { externalId } } b: sales(first: 2) { nodes { externalId commissions { nodes { state } } } } }',
  },
  // Cursors read columns that are not selected.
  {
    query: `{ affiliates(first: 2, orderBy: { field: EMAIL, direction: ASC }) {
      nodes { firstName confirmedAt visitors } pageInfo { startCursor endCursor hasNextPage } } }`,
  },
  {
    query: `{ affiliates(first: 2, orderBy: { field: UPDATED_AT }) { edges { cursor node { state
      links { pageInfo { endCursor } edges { cursor node { token } } } sales(first: 1) { nodes { occurredAt } totalCount } } } } }`,
  },
  // Several ways lead to the rows.
  { query: '{ affiliates(first: 2) { one: nodes { email } two: nodes { createdAt coupon { token } } } }' },
  { query: '{ affiliates(first: 2) { nodes { email } edges { cursor node { createdAt } } } }' },
  { query: '{ affiliates(first: 2) { nodes { links { one: nodes { id } two: nodes { url } edges { cursor } } } } }' },
  { query: '{ affiliates(first: 2) { nodes { __typename } edges { cursor } pageInfo { endCursor } } }' },
  { query: '{ program { affiliates(first: 2) { nodes { email coupon { createdAt affiliate { email } } } } } }' },
  {
    query:
      '{ commissions { nodes { amountCents currency paidAt sale { occurredAt externalId customer { email } } } } }',
  },
  {
    query: '{ campaigns { nodes { isDefault private rewardType commissionPercent affiliates { nodes { email } } } } }',
  },
]

it.skipIf(!isFull).each(queries)(
  '$query is answered without Yoga, as Yoga answers it (needs ENGINE=full)',
  async (body) => {
    // The second time reads what was kept of the first.
    const answers = [await graphql(body), await graphql(body), await graphql(body, (await createKey()).secret)]
    const expected = await graphqlOfYoga(body)
    expect(JSON.parse(expected.text)).not.toHaveProperty('errors')
    expect(expected.isOfYoga).toBe(true)
    for (const answer of answers) expect(answer).toEqual({ ...expected, isOfYoga: false })
  },
)

it('a row with a value that cannot be written has the error that Yoga reports', async () => {
  const fields = '{ affiliates { nodes { confirmedAt email links { nodes { token } } campaign { name } } } }'
  const [body, other] = ['', 'query Other '].map((name) => ({ query: name + fields })) as [object, object]
  for (const known of [body, other, body]) await graphql(known)
  const set = (time: string) => database.db.$executeRawUnsafe(`update affiliates set confirmed_at = ${time}`)
  await set(`'infinity'`)
  try {
    const [plain, expected] = [await graphql(body), await graphqlOfYoga(other)].map(({ text }) => JSON.parse(text))
    expect(expected.errors[0]).toMatchObject({ path: ['affiliates', 'nodes', 0, 'confirmedAt'] })
    const withoutId = ({ extensions: _, locations: __, ...error }: Record<string, unknown>) => error
    expect(plain.data).toEqual(expected.data)
    expect(plain.errors.map(withoutId)).toEqual(expected.errors.map(withoutId))
  } finally {
    await set('created_at')
  }
})

it.skipIf(!isFull)(
  'a query with an error is answered by Yoga, also if it had none with other variables (needs ENGINE=full)',
  async () => {
    const query = 'query Some($first: Int) { affiliates(first: $first) { nodes { id } } }'
    await graphql({ query, variables: { first: 1 } })
    expect(await graphql({ query, variables: { first: 2 } })).toMatchObject({ isOfYoga: false, status: 200 })
    for (const variables of [{ first: 1000 }, { first: 'x' }]) {
      const { isOfYoga, text } = await graphql({ query, variables })
      expect([isOfYoga, JSON.parse(text).errors[0].extensions]).toEqual([
        true,
        expect.objectContaining({ code: expect.any(String) }),
      ])
    }
    expect((await graphql({ query, operationName: 'Other' })).status).toBe(400)
  },
)

it.skipIf(process.env.TEST_DATABASE_URL || !isFull)(
  'a query with an error runs once, and the next one is answered without Yoga (recorded on the embedded database with ENGINE=full only)',
  async () => {
    const query =
      'query Once($after: String) { affiliates(first: 2) { nodes { email } } sales(first: 2, after: $after) { nodes { id } } }'
    for (let times = 0; times < 2; times += 1) await graphql({ query })
    database.statements.length = 0
    const { isOfYoga, text } = await graphql({ query, variables: { after: 'broken' } })
    expect([isOfYoga, JSON.parse(text)]).toMatchObject([true, { errors: [{ path: ['sales'] }] }])
    expect(database.statements.filter((statement) => /from\s.*affiliates/is.test(statement))).toHaveLength(1)
    expect(await graphql({ query })).toMatchObject({ isOfYoga: false, status: 200 })
  },
)

it.skipIf(!isFull)('the connection of a large query stays usable (needs ENGINE=full)', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const body = { query: `{ program { name } } # ${'x'.repeat(19_000)}` }
  for (let times = 0; times < 3; times += 1) {
    const { status, isOfYoga } = await ask('/graphql', { headers: json, body: JSON.stringify(body), agent })
    expect([status, isOfYoga]).toEqual([200, false])
  }
  agent.destroy()
})

it('a payload that is not a query reaches Yoga', async () => {
  for (const body of ['{', '{"query":1}', '{"query":"{ program { name } }","extensions":{}}', 'x'.repeat(30_000)]) {
    const { isOfYoga } = await ask('/graphql', { headers: json, body })
    expect([body.slice(0, 20), isOfYoga]).toEqual([body.slice(0, 20), true])
  }
})

const report = (body: string, secret?: string) => ask('/v1/conversions', { secret, headers: json, body })
const reportNewly = (body: string) => askNewly('/v1/conversions', { headers: json, body })

it('a sale is reported with a known key as with a new one', async () => {
  const { coupon, link } = await createSeller(program, { days_before_commissions_are_due: 10 })
  const { id } = await recordVisit(program, link.token)
  const sale = { coupon, amount_cents: 5000, external_id: 'known ü' }
  const first = await report(JSON.stringify(sale))
  expect([first.status, JSON.parse(first.text)]).toMatchObject([201, { duplicate: false }])
  const other = await reportNewly(JSON.stringify({ ...sale, external_id: 'new' }))
  expect(Object.keys(other.headers)).toEqual(Object.keys(first.headers))
  expect(Object.keys(JSON.parse(other.text))).toEqual(Object.keys(JSON.parse(first.text)))
  const bodies = [
    sale,
    { ...sale, referral_id: id, amount_cents: 1, expand: 'referral' },
    { ...sale, amount_cents: -1, external_id: 'invalid' },
    { external_id: 'no signal', amount_cents: 1 },
    { coupon: 'unknown', external_id: 'no match', amount_cents: 1 },
    [],
  ].map((body) => JSON.stringify(body))
  for (const body of [...bodies, '{', '\ufeff{}', '']) expect(await report(body)).toEqual(await reportNewly(body))
})

it('a sale is not reported with a key that was revoked, or may only read', async () => {
  const { coupon } = await createSeller(program, { days_before_commissions_are_due: 10 })
  const revoked = await createUsedKey()
  await app.operator('mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { apiKey { id } } }', { id: revoked.id })
  const reading = await createUsedKey('READ')
  const body = JSON.stringify({ coupon, amount_cents: 5000, external_id: 'not allowed' })
  const answers = [await report(body, revoked.secret), await report(body, reading.secret)]
  expect(answers.map(({ status }) => status)).toEqual([401, 403])
  expect(JSON.parse((await report(body)).text)).toMatchObject({ duplicate: false })
})

async function createUsedKey(access = 'FULL') {
  const { id, secret } = await createKey(access)
  const query = { query: '{ program { name } }' }
  expect([(await ask('/v1/affiliates', { secret })).status, (await graphql(query, secret)).status]).toEqual([200, 200])
  return { id, secret, query }
}

it('a revoked key is refused by the next request', async () => {
  for (const first of ['rest', 'graphql']) {
    const { id, secret, query } = await createUsedKey()
    await app.operator('mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { apiKey { id } } }', { id })
    const read = () => ask('/v1/affiliates', { secret })
    const answers =
      first === 'rest' ? [await read(), await graphql(query, secret)] : [await graphql(query, secret), await read()]
    expect(answers.map(({ status }) => status)).toEqual([401, 401])
  }
})

it('a changed key has its new profile from the next request on', async () => {
  const { id, secret } = await createUsedKey()
  await app.operator('mutation ($id: ID!) { updateApiKey(input: { id: $id, profile: SUPERSET }) { apiKey { id } } }', {
    id,
  })
  const { text, headers } = await ask('/v1/affiliates?limit=1', { secret })
  expect(JSON.parse(text).data[0]).toHaveProperty('paypal_email')
  expect(headers).toHaveProperty('ratelimit-limit')
})

it("the program's clock and name are those of the request", async () => {
  const states = async () => JSON.parse((await ask('/v1/commissions')).text).data.map(({ state }: any) => state)
  expect(new Set(await states())).toEqual(new Set(['pending']))
  await program.graphql(
    'mutation ($id: ID!) { advanceClock(input: { programId: $id, days: 11 }) { program { id } } }',
    { id: program.id },
  )
  expect(new Set(await states())).toEqual(new Set(['due']))
  const query = { query: '{ program { name } }' }
  await app.operator('mutation ($id: ID!) { updateProgram(input: { id: $id, name: "Renamed" }) { program { id } } }', {
    id: program.id,
  })
  expect(JSON.parse((await graphql(query)).text).data.program.name).toBe('Renamed')
})
