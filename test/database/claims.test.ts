import { expect, test } from 'vitest'
import { createTestApp } from '../support/app.ts'
import { createTestDatabase } from '../support/database.ts'
import { createSeller } from '../support/factories.ts'
import { createFeedOf } from '../support/feeds.ts'
import { createPayPal, payingProgram } from '../support/payout-services.ts'

// A worker claims one row. If PostgreSQL expects a table to have one row, it can run a subquery that chooses the first
// due one again for each row of the table. Then more are claimed than the worker knows of.

const paypal = await createPayPal()
const database = await createTestDatabase({ isOwn: true })
const app = await createTestApp({ database, payoutServiceUrls: { paypal: paypal.url } })
const expectOneRowOf = (table: string) =>
  database.db.$executeRaw`update pg_class set reltuples = 1, relpages = 1 where relname = ${table}`

test('every payout run that is due goes on', async () => {
  const made = []
  for (const name of ['ada', 'bob', 'cyd', 'dan']) {
    const { services } = await payingProgram(app, [`${name}@claims.test`])
    const run = await services.prepare()
    await services.send(run.id)
    made.push({ services, id: run.id })
  }
  paypal.settle()
  await expectOneRowOf('payout_runs')
  app.clock.advanceMinutes(10)
  await app.app.askPayoutServices()
  const states = await Promise.all(made.map(async ({ services, id }) => (await services.read(id)).state))
  expect(states).toEqual(made.map(() => 'PAID'))
})

test('every feed that has due events has its turn', async () => {
  const made = []
  for (let number = 0; number < 4; number += 1) {
    const program = await app.createProgram()
    const { coupon } = await createSeller(program)
    const feed = await createFeedOf(program, 'GENERIC')
    const sale = { type: 'sale', id: 'S-1', amountCents: 1_000, currency: 'usd', coupon, customerId: 'C-1' }
    const events = JSON.stringify([{ ...sale, occurredAt: '2026-03-10T11:00:00.000Z' }])
    await program.graphql('mutation ($input: BackfillFeedInput!) { backfillFeed(input: $input) { stored } }', {
      input: { feedId: feed.id, events },
    })
    made.push(program)
  }
  await expectOneRowOf('feeds')
  await app.app.deriveFeeds()
  const query = '{ feedEvents { nodes { outcome } } }'
  const outcomes = await Promise.all(made.map(async (program) => (await program.graphql(query)).feedEvents.nodes))
  expect(outcomes).toEqual(made.map(() => [{ outcome: 'SALE' }]))
})
