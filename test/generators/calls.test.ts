import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { createOpenApiDocument } from '../../src/rest/openapi/document.ts'
import { createSupersetKey } from '../rest/convention/keys.ts'
import { createWorld } from '../rest/convention/replay.ts'
import { createTestApp, type TestProgram } from '../support/app.ts'
import { itEvery } from '../support/cells.ts'
import { copyProgram } from '../support/copy-program.ts'
import { createAffiliate, listed, reportSale } from '../support/factories.ts'
import { createInvoice } from '../support/invoices.ts'
import { earner, runsOf } from '../support/payout-runs.ts'

// Calls each operation with the clients that run.ts generates. Only a generated client knows how a document is read.

const test = await createTestApp({ requestsPer30Seconds: 10_000 })
const server = createServer(test.app.handle)
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
const plainFetch = globalThis.fetch
let secret = ''
// The clients take the one that they find when they are loaded.
globalThis.fetch = (given, init) => {
  const request = given instanceof Request ? given : new Request(base + given, init)
  request.headers.set('Authorization', `Bearer ${secret}`)
  return plainFetch(request)
}
afterAll(async () => {
  globalThis.fetch = plainFetch
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

const template = await test.createProgram()
const names = await createOneOfEach(template)

/** The id of one resource for each first word of a path, and what bodies name. */
async function createOneOfEach(program: TestProgram) {
  const world = await createWorld(program)
  const without = await createAffiliate(program, { email: 'without@example.com' })
  await reportSale(program, { coupon: 'ADA20', email: 'refunded@example.com', external_id: 'inv_refunded' })
  await reportSale(program, { coupon: 'ADA20', email: 'sold@example.com', external_id: 'inv_1001' })
  await program.post('/conversions/refund', { external_id: 'inv_refunded', refund_external_id: 're_1001' })
  const { payout } = await earner(program)
  const run = await runsOf(program).create({ method: 'GENERIC', payoutIds: [payout.id] })
  // For the run that createPayoutRun makes.
  await earner(program)
  const month = test.clock.now.toISOString().slice(0, 7)
  test.clock.advanceDays(40)
  await program.graphql('mutation ($month: String!) { closeMonth(input: { month: $month }) { __typename } }', { month })
  const { statements } = await program.graphql('{ statements { nodes { id affiliateId month } } }')
  const invoiced = { place: 1, createdAt: test.clock.now }
  const first = async (path: string) => (await listed(program, path))[0].id as string
  return {
    affiliates: world.affiliate,
    campaigns: world.campaign,
    affiliate_links: world.link,
    affiliate_coupons: world.coupon,
    referrals: await first('/referrals'),
    sales: await first('/sales'),
    commissions: world.commission,
    payouts: world.payout,
    payout_runs: run.id,
    events: await first('/events'),
    statements: statements.nodes[0].id,
    invoices: await createInvoice(test.database.db, program.id, statements.nodes[0], invoiced),
    'affiliate without a coupon': without.id,
  } as Record<string, string>
}

type Operation = {
  id: string
  method: string
  path: string
  pathId: string | undefined
  query: object
  body: any
  isFile: boolean
}
type Called = { status: number; data: unknown }
type Client = (operation: Operation) => Promise<Called>

const queryValues: Record<string, string> = { format: 'generic', year: '2026' }

function operationsOf(profile: 'contract' | 'superset'): Operation[] {
  const { paths } = createOpenApiDocument('', profile, 'all') as any
  return Object.entries<any>(paths).flatMap(([path, methods]) =>
    Object.entries<any>(methods).map(([method, operation]) => {
      const example = operation.requestBody?.content['application/json'].example
      const required = operation.parameters?.filter((one: any) => one.in === 'query' && one.required) ?? []
      return {
        id: operation.operationId as string,
        method: method.toUpperCase(),
        path,
        pathId: path.includes('{id}') ? names[path.split('/')[1] as string] : undefined,
        query: Object.fromEntries(required.map((one: any) => [one.name, queryValues[one.name]])),
        isFile: !operation.responses[200]?.content?.['application/json'] && method === 'get',
        body: example && bodyOf(operation.operationId, example),
      }
    }),
  )
}

/** The example, with ids that exist, and names that are free. */
const bodyOf = (operation: string, example: any) => ({
  ...example,
  ...('affiliate_id' in example && { affiliate_id: names['affiliate without a coupon'] }),
  ...('referral_id' in example && { referral_id: names.referrals, external_id: 'inv_new' }),
  ...(operation === 'refundSale' && { refund_external_id: 're_new' }),
  ...('token' in example && { token: operation.includes('Coupon') ? 'NEW20' : 'new' }),
  ...('email' in example && { email: 'new@example.com' }),
})

const load = async (path: string) => import(pathToFileURL(`${import.meta.dirname}/out/${path}`).href)
const loadPackage = (path: string) => load(`../node_modules/${path}`)

/** Positional arguments: the id of the path, the body, the query. */
const positional = ({ pathId, body, query }: Operation) => [pathId, body, query].filter((one) => one !== undefined)

const clients: Record<string, (profile: string) => Promise<Client>> = {
  async 'openapi-fetch'() {
    const { default: createClient } = await loadPackage('openapi-fetch/dist/index.mjs')
    const client = createClient({ baseUrl: base })
    return async ({ method, path, pathId, query, body, isFile }) => {
      const parseAs = isFile ? 'text' : 'json'
      const { data, error, response } = await client[method](path, {
        params: { path: { id: pathId }, query },
        body,
        parseAs,
      })
      return { status: response.status, data: data ?? error }
    }
  },
  async 'hey-api'(profile) {
    const [sdk, schemas, { client }] = await Promise.all(
      ['sdk', 'zod', 'client'].map((file) => load(`${profile}/hey-api/${file}.gen.ts`)),
    )
    client.setConfig({ baseUrl: base })
    return async ({ id, pathId, query, body }) => {
      const { data, error, response } = await sdk[id]({ path: { id: pathId }, query, body })
      const schema = schemas[`z${id.charAt(0).toUpperCase()}${id.slice(1)}Response`]
      // A PDF is read as a Blob, of which the schema of this client says that it is a string.
      if (response.ok && schema && !(data instanceof Blob)) schema.parse(data)
      return { status: response.status, data: data ?? error }
    }
  },
  async orval(profile) {
    const api = await load(`${profile}/orval/api.ts`)
    return async (operation) => await api[operation.id](...positional(operation))
  },
  async kubb(profile) {
    const { client } = await loadPackage('@kubb/plugin-client/dist/clients/fetch.js')
    return async (operation) => {
      const { [operation.id]: call } = await load(`${profile}/kubb/clients/${operation.id}.ts`)
      let status = 0
      const noted = async (config: object) => {
        const answer = await client(config)
        status = answer.status
        return answer
      }
      const given = positional(operation)
      // The function's length is the number of arguments before the settings.
      given.length = call.length
      // Kubb's client names no type of the body by itself.
      const data = await call(...given, { client: noted, headers: { 'Content-Type': 'application/json' } })
      return { status, data }
    }
  },
}

describe.each(['contract', 'superset'] as const)('the document of the %s profile', (profile) => {
  describe.each(Object.entries(clients))('%s', (name, create) => {
    let client: Client
    beforeAll(async () => {
      client = await create(profile)
    })

    itEvery(
      'each operation',
      // Orval and Kubb read each body as JSON, also a file.
      operationsOf(profile).filter(({ isFile }) => !isFile || name === 'openapi-fetch' || name === 'hey-api'),
      ({ id }) => id,
      async (operation) => {
        const program = await copyProgram(test, template)
        secret = profile === 'contract' ? program.secret : (await createSupersetKey(test, program)).secret
        const { status, data } = await client(operation)
        expect(status, JSON.stringify(data)).toBeLessThan(300)
      },
    )
  })
})
