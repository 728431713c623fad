import { parse, validate } from 'graphql'
import { beforeAll, describe, expect, it } from 'vitest'
import { routesOf } from '../../../../src/rest/routes.ts'
import { publicSchema } from '../../../../src/schema/schema.ts'
import { createTestApp, graphqlClient, restClient } from '../../../support/app.ts'
import { itEvery } from '../../../support/cells.ts'
import { createSeller, reportSale, unknownId } from '../../../support/factories.ts'
import { rootOperations } from '../../../support/operations.ts'

// Walks every route and every mutation, so that a new one without an access check fails here.

const app = await createTestApp()
const program = await app.createProgram()
const seller = await createSeller(program, { days_before_commissions_are_due: 0 })
await reportSale(program, { coupon: seller.coupon, email: 'grace@example.com' })

const makeKey = async (access?: string) => {
  const query = `mutation ($id: ID!, $access: ApiKeyAccess) {
    createApiKey(input: { programId: $id, name: "Analysts", access: $access }) { secret apiKey { id access } }
  }`
  return (await app.operator(query, { id: program.id, access })).createApiKey
}
const { secret, apiKey } = await makeKey('READ')
const headers = { Authorization: `Bearer ${secret}` }
const reader = { ...restClient(app.app.fetch, headers), graphql: graphqlClient(app.app.fetch, headers) }
// From here on only requests write: no folding, no checks, no last use of a key.
app.app.stop()
await app.app.flush()
const onlyReads = { error: 'This key may only read. Use a key with full access.' }

/** All rows of all tables, to detect any write. */
async function everything(): Promise<string> {
  const { db } = app.database
  const tables = await db.$queryRaw<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_schema = current_schema() order by 1`
  const rows = await Promise.all(
    tables.map(({ name }) => db.$queryRawUnsafe(`select t::text as row from "${name}" t order by 1`)),
  )
  return JSON.stringify(rows)
}

describe('an API key', () => {
  it('has full access unless it was created with read access', async () => {
    expect(apiKey.access).toBe('READ')
    const full = await makeKey()
    expect(full.apiKey.access).toBe('FULL')
    const { status } = await restClient(app.app.fetch, { Authorization: `Bearer ${full.secret}` }).post('/campaigns', {
      name: 'Launch',
      url: 'https://acme.test',
      commission_percent: 5,
    })
    expect(status).toBe(201)
    const { apiKeys } = await app.operator(`query ($id: ID!) { apiKeys(programId: $id) { id access } }`, {
      id: program.id,
    })
    expect(apiKeys).toContainEqual(apiKey)
    expect(apiKeys).toContainEqual({ id: program.keyId, access: 'FULL' })
  })

  it('cannot have any other access', async () => {
    await expect(makeKey('WRITE')).rejects.toThrow('ApiKeyAccess')
  })
})

describe('a key with read access, over GraphQL', () => {
  const mutations = rootOperations.filter(({ kind }) => kind === 'mutation')

  it('the walk finds mutations, and each operation is valid', () => {
    expect(mutations.length).toBeGreaterThan(15)
    for (const { operation } of mutations) expect(validate(publicSchema, parse(operation))).toEqual([])
  })

  describe('refused', () => {
    let before: string
    beforeAll(async () => {
      before = await everything()
    })
    const nameOf = ({ name }: { name: string }) => name
    itEvery('every mutation is FORBIDDEN', mutations, nameOf, async ({ name, operation }) => {
      const refusal = await reader.graphql(operation).catch((error: Error) => error)
      expect(refusal).toMatchObject({
        errors: [{ message: onlyReads.error, path: [name], extensions: { code: 'FORBIDDEN' } }],
      })
    })

    it('no mutation wrote anything', async () => expect(await everything()).toBe(before))
  })

  it('reads everything, including payouts that collect due commissions when they are read', async () => {
    const data = await reader.graphql(
      '{ program { id } payouts { nodes { amountCents } } commissions { nodes { id } } }',
    )
    expect(data.program.id).toBe(program.id)
    expect(data.payouts.nodes).toEqual([{ amountCents: 1_000 }])
    expect(data.commissions.nodes).toHaveLength(1)
  })

  it('can simulate a sale', async () => {
    const before = await everything()
    const { simulateConversion } = await reader.graphql(
      `query ($coupon: String!) {
        simulateConversion(input: { amountCents: 5000, coupon: $coupon }) { commission { amountCents } }
      }`,
      { coupon: seller.coupon },
    )
    expect(simulateConversion).toEqual({ commission: { amountCents: 500 } })
    expect(await everything()).toBe(before)
  })
})

describe('a key with read access, over REST', () => {
  // A GET request can run a mutation: the one that creates a sign-in link.
  const calls = routesOf('contract').map(({ method, path, operation }) => ({
    method,
    path,
    writes: operation.startsWith('Mutation.'),
  }))

  const routeOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`
  describe('refused', () => {
    let before: string
    beforeAll(async () => {
      before = await everything()
    })
    const writes = calls.filter(({ writes }) => writes)
    itEvery('every write: 403 before any other check', writes, routeOf, async ({ method, path }) => {
      const address = path.replace('{id}', unknownId)
      const json = { 'Content-Type': 'application/json' }
      const bodies = [
        {},
        { headers: json, body: '{}' },
        { headers: json, body: '{' },
        { headers: { 'Content-Type': 'application/xml' }, body: '<a/>' },
      ]
      for (const init of method === 'GET' ? [{}] : bodies) {
        const { status, body } = await reader.send(address, { method, ...init })
        expect({ status, body }).toEqual({ status: 403, body: onlyReads })
      }
    })

    it('no request wrote anything', async () => expect(await everything()).toBe(before))
  })

  const reads = calls.filter(({ writes }) => !writes)
  itEvery('every read: the same as with full access', reads, routeOf, async ({ path }) => {
    const address = `${path.replace('{id}', unknownId)}${path.endsWith('/export') ? '?format=generic' : ''}`
    const answers = [reader, program].map((client) =>
      app.app.fetch(
        new Request(`http://localhost:4000/v1${address}`, {
          headers: { Authorization: `Bearer ${client === reader ? secret : program.secret}` },
        }),
      ),
    )
    const [given, expected] = await Promise.all(answers)
    expect(given?.status).toBe(expected?.status)
    expect(await given?.text()).toBe(await expected?.text())
    expect(given?.status).toBe(path.includes('{id}') ? 404 : 200)
  })

  it('a dry run counts as a read, an invalid dry-run parameter as a write', async () => {
    const before = await everything()
    const dryRun = (word: string) =>
      reader.post(`/conversions?dry_run=${word}`, { amount_cents: 5000, coupon: seller.coupon })
    const { status, body } = await dryRun('true')
    expect({ status, amount: body.commission.amount }).toEqual({ status: 200, amount: 500 })
    for (const word of ['false', 'maybe', '']) {
      expect(await dryRun(word)).toMatchObject({ status: 403, body: onlyReads })
    }
    expect(await everything()).toBe(before)
  })
})
