import { describe, expect, it } from 'vitest'
import { adminToken, createInstance, createTestApp, graphqlClient, restClient } from '../support/app.ts'
import { silentLog } from '../support/database.ts'
import { createSeller } from '../support/factories.ts'

const app = await createTestApp()
const program = await app.createProgram()

/** The program's key on a service with this deadline. */
function limitedTo(operationMs: number) {
  const service = createInstance({
    ...{ database: app.database, adminToken, operationMs, log: silentLog },
    publicUrl: () => 'http://localhost:4000',
    now: () => app.clock.now,
  })
  const authorization = { Authorization: `Bearer ${program.secret}` }
  return { ...restClient(service.fetch, authorization), graphql: graphqlClient(service.fetch, authorization) }
}

const many = Array.from({ length: 100 }, (_, n) => ({ email: `a${n}@b.test` }))

it.each([5, 10, 20, 30])(
  'an operation that is over its deadline of %i ms writes nothing, and the error says so',
  async (ms) => {
    const limited = limitedTo(ms)
    const query = `mutation ($many: [CreateAffiliateInput!]!) {
      createAffiliates(input: { affiliates: $many }) { affiliates { id } }
    }`
    const failure = await limited.graphql(query, { many }).catch((error) => error)
    expect(failure.errors[0]).toMatchObject({
      message: expect.stringMatching(/^The operation took longer than .* and was ended\. Ask for less at a time/),
      extensions: { code: 'UNAVAILABLE', retryable: true },
    })
    expect((await program.get('/affiliates')).body.data).toEqual([])
  },
)

describe.skipIf(!process.env.TEST_DATABASE_URL)('while a table is locked (needs TEST_DATABASE_URL)', () => {
  const operationMs = 1_000
  const limited = limitedTo(operationMs)
  const message = /^The operation took longer than 1 seconds and was ended\./

  /** Runs a request while the table is locked. */
  async function whileLocked<T>(table: string, request: () => Promise<T>): Promise<T> {
    return await app.database.db.$transaction(async (tx) => {
      await tx.$executeRawUnsafe(`lock table ${table} in access exclusive mode`)
      const answer = await request()
      const waiting = () =>
        tx.$queryRaw`select query from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      await expect.poll(waiting, { timeout: 1_000 }).toEqual([])
      return answer
    })
  }

  it('a reported sale is a 503 with Retry-After, its statement is cancelled, and nothing is written', async () => {
    const { coupon } = await createSeller(program)
    const report = { coupon, amount_cents: 1_000, external_id: 'locked' }
    const answer = await whileLocked('sales', () => limited.post('/conversions', report))
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
    expect(answer.body.error).toMatch(message)
    expect((await program.get('/sales')).body.data).toEqual([])
    expect((await limited.post('/conversions', report)).status).toBe(201)
  })

  it('a transaction of Prisma is ended', async () => {
    const campaign = { name: 'New', url: 'https://a.test', commission_percent: 10 }
    const answer = await whileLocked('campaigns', () => limited.post('/campaigns', campaign))
    expect([answer.status, answer.body.error]).toEqual([503, expect.stringMatching(message)])
  })

  it('a report is ended', async () => {
    const query = '{ analytics(range: { preset: LAST_30_DAYS }) { liability { currency } } }'
    const failure = await whileLocked('commissions', () => limited.graphql(query).catch((error) => error))
    expect(failure.errors[0]).toMatchObject({
      message: expect.stringMatching(message),
      extensions: { code: 'UNAVAILABLE' },
    })
  })
})
