import { expect, it } from 'vitest'
import { createAppDb } from '../../src/database/app-db.ts'
import type { AppDb, ReadFrom } from '../../src/kernel/db.ts'
import { createTestApp } from '../support/app.ts'
import { createTestDatabase } from '../support/database.ts'
import { createSeller } from '../support/factories.ts'

/** A replica that is away: whatever is asked of it fails. */
const fail = () => {
  throw new Error('Connection terminated unexpectedly')
}
const away = createAppDb(
  new Proxy({} as AppDb, { get: fail }),
  {
    ...{ query: fail, textRows: fail, sharedTextRows: fail, transaction: fail },
    ...{ canCancel: true, isInThread: false, programRole: null },
  },
  { counted: fail, asText: fail, again: fail, row: fail },
)

const range = '{ preset: LAST_7_DAYS }'

async function createAppWithReplica() {
  const database = await createTestDatabase()
  const tried = { reads: 0, failed: 0 }
  const readFrom: ReadFrom = async (context, run, isGood = () => true) => {
    tried.reads += 1
    const result = await run({ ...context, db: away }).then(
      (result) => ({ result }),
      () => null,
    )
    if (result && isGood(result.result)) return result.result
    tried.failed += 1
    return await run(context)
  }
  const app = await createTestApp({ database: { ...database, readFrom } })
  const program = await app.createProgram()
  const seller = await createSeller(program)
  await program.post('/conversions', { coupon: seller.coupon, amount_cents: 4_900, external_id: 'one' })
  return { program, tried, ...seller }
}

it('lists, records, analytics and exports are read from replicas, and from the primary if a replica fails', async () => {
  const { program, tried, affiliate } = await createAppWithReplica()
  const reads = {
    'a list of REST': async () => (await program.get('/sales')).body.data.length,
    'a record of REST': async () => [(await program.get(`/affiliates/${affiliate.id}`)).body].length,
    'an export': async () => [(await program.get('/exports/sales?format=ndjson')).body].length,
    'a list of GraphQL': async () => (await program.graphql('{ sales { nodes { id } } }')).sales.nodes.length,
    analytics: async () =>
      (await program.graphql(`{ analytics(range: ${range}) { totals { commissionAccrued { formatted } } } }`))
        .analytics && 1,
  }
  for (const [name, read] of Object.entries(reads)) {
    // The second time, the key is known.
    for (const time of ['first', 'second']) {
      const before = { ...tried }
      expect(await read(), `${name}, ${time} time`).toBe(1)
      expect(tried.reads, `${name}, ${time} time`).toBeGreaterThan(before.reads)
      expect(tried.failed - before.failed, `${name}, ${time} time`).toBe(tried.reads - before.reads)
    }
  }
})

it('writes, and reads that collect due commissions, are not sent to replicas', async () => {
  const { program, tried, coupon, affiliate } = await createAppWithReplica()
  const before = tried.reads
  const sale = { coupon, amount_cents: 4_900, external_id: 'two' }
  expect((await program.post('/conversions', sale)).status).toBe(201)
  expect((await program.get('/payouts')).status).toBe(200)
  expect((await program.get('/exports/payouts?format=ndjson')).status).toBe(200)
  await program.graphql('{ payouts { nodes { id } } }')
  await program.graphql('{ affiliates { nodes { payouts { nodes { id } } } } }')
  await program.graphql(
    'mutation ($id: ID!) { updateAffiliate(input: { id: $id, firstName: "B" }) { affiliate { id } } }',
    { id: affiliate.id },
  )
  expect(tried.reads).toBe(before)
})

it('an error of the request is the answer of the replica', async () => {
  const { program, tried } = await createAppWithReplica()
  const failed = tried.failed
  const failure = await program.graphql(`{ analytics(range: {}) { timeZone } }`).catch((error) => error)
  expect(failure.errors[0].extensions.code).toBe('INVALID_INPUT')
  expect(tried.failed).toBe(failed)
})
