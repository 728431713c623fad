import { afterAll, expect, it } from 'vitest'
import { deleteOldEvents } from '../../../src/modules/event-log/retention.ts'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { createAffiliate } from '../../support/factories.ts'
import { createReceiver } from '../../support/receiver.ts'
import { createEndpoint, readDeliveries } from '../../support/webhooks.ts'

// The ids of events are from the database's clock.
const test = await createTestApp({ startsAt: new Date().toISOString() })
const { db } = test.database
const receiver = await createReceiver()
afterAll(() => receiver.close())

const retentionDays = 90
const daysLater = (days: number) => new Date(Date.now() + days * 86_400_000)
const deleteAfter = (days: number) => deleteOldEvents(db, daysLater(days), retentionDays, { batchSize: 2 })

async function countsOf(program: TestProgram) {
  const where = { programId: program.id }
  const { events } = await program.graphql('{ events(first: 100) { totalCount nodes { data } } }')
  return {
    events: events.totalCount,
    shown: events.nodes.length,
    states: await db.eventState.count({ where }),
    deliveries: await db.webhookDelivery.count({ where }),
  }
}

it('deletes old events with their states, and finished deliveries, in batches', async () => {
  const program = await test.createProgram()
  await createEndpoint(program, receiver.url)
  for (let n = 0; n < 3; n += 1) await createAffiliate(program)
  await test.app.sendWebhooks()
  const before = await countsOf(program)
  expect(before).toMatchObject({ shown: before.events })
  expect(before.deliveries).toBeGreaterThan(5)
  await deleteAfter(retentionDays - 1)
  expect(await countsOf(program)).toMatchObject({ events: before.events, states: before.states })
  await deleteAfter(retentionDays + 1)
  expect(await countsOf(program)).toEqual({ events: 0, shown: 0, states: 0, deliveries: 0 })
})

it('keeps the events that still have to be sent, and deletes them after that', async () => {
  const program = await test.createProgram()
  const { id } = await createEndpoint(program, receiver.url, ', eventTypes: ["affiliate.created"]')
  await createAffiliate(program)
  // Not even turned into deliveries yet.
  await deleteAfter(retentionDays + 1)
  expect((await countsOf(program)).events).toBeGreaterThan(0)
  const set = (verb: string) =>
    program.graphql(`mutation { ${verb}WebhookEndpoint(input: { id: "${id}" }) { __typename } }`)
  await set('disable')
  await createAffiliate(program)
  await test.app.sendWebhooks()
  await set('enable')
  await createAffiliate(program)
  receiver.answerWith(() => 'reset')
  await test.app.sendWebhooks()
  await deleteAfter(retentionDays + 1)
  receiver.clear()
  receiver.answerWith(() => ({}))
  test.clock.advanceMinutes(1)
  await test.app.sendWebhooks()
  expect(receiver.events().map(({ type }) => type)).toEqual(['affiliate.created'])
  const states = (await readDeliveries(program, id)).map(({ state }) => state)
  expect(new Set(states)).toEqual(new Set(['SUCCEEDED']))
  await deleteAfter(retentionDays + 31)
  expect(await countsOf(program)).toEqual({ events: 0, shown: 0, states: 0, deliveries: 0 })
})
