import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { type Concurrency, claimDeliveries, leaseMs, storeOutcomes } from '../../../src/modules/webhooks/claim.ts'
import { fanOut } from '../../../src/modules/webhooks/fan-out.ts'
import { createTargets } from '../../../src/modules/webhooks/targets.ts'
import { createWebhookWorker } from '../../../src/modules/webhooks/worker.ts'
import { createTestApp } from '../../support/app.ts'
import { silentLog } from '../../support/database.ts'
import { createAffiliate } from '../../support/factories.ts'
import { createReceiver } from '../../support/receiver.ts'
import { createEndpoint, readDeliveries } from '../../support/webhooks.ts'

const test = await createTestApp()
const { db } = test.database
const hook = await createReceiver()
afterAll(() => hook.close())

const concurrency = { total: 100, perEndpoint: 5, perFailingEndpoint: 1 }
const claim = (limit = 100, busy = new Map<string, number>()) =>
  claimDeliveries(db, test.clock.now, limit, busy, concurrency)

/** Creates a program with an endpoint that waits for `count` deliveries. */
async function waiting(count: number, endpoints = 1) {
  const program = await test.createProgram()
  const ids: string[] = []
  for (let index = 0; index < endpoints; index += 1)
    ids.push((await createEndpoint(program, hook.url, ', eventTypes: ["affiliate.created"]')).id)
  for (let index = 0; index < count; index += 1) await createAffiliate(program)
  while (await fanOut(db, test.clock.now));
  return { program, ids }
}

describe('any number of workers', () => {
  it('turn each event into its deliveries once', async () => {
    const program = await test.createProgram()
    const { id } = await createEndpoint(program, hook.url, ', eventTypes: ["affiliate.created"]')
    for (let index = 0; index < 6; index += 1) await createAffiliate(program)
    await Promise.all([1, 2, 3, 4].map(() => fanOut(db, test.clock.now)))
    while (await fanOut(db, test.clock.now));
    expect(await readDeliveries(program, id)).toHaveLength(6)
    await test.app.sendWebhooks()
  })

  it('take different deliveries, and take over those of a worker whose lease ended', async () => {
    const { program, ids } = await waiting(4)
    // Rows that one worker looks at are skipped by another, which takes what is left the next time.
    const together = (await Promise.all([claim(2), claim()])).flat()
    const first = [...together, ...(await claim())]
    const claimed = first.map(({ delivery }) => delivery.id)
    expect(claimed).toHaveLength(4)
    expect(new Set(claimed).size).toBe(4)
    expect(await claim()).toEqual([])
    test.clock.advanceMinutes(leaseMs / 60_000)
    const again = await claim()
    expect(again.map(({ delivery }) => delivery.id).sort()).toEqual(claimed.sort())
    // The outcome of the first worker comes too late, and is not counted.
    const tried = { at: test.clock.now.toISOString(), status: 200, ms: 1, error: null, response: null }
    const outcome = { tried, state: 'succeeded' as const, nextTryAt: null, body: null }
    await storeOutcomes(
      db,
      first.map((late) => ({ ...outcome, claimed: late })),
      test.clock.now,
    )
    const states = async () => (await readDeliveries(program, ids[0] as string)).map(({ state }) => state)
    expect(new Set(await states())).toEqual(new Set(['PENDING']))
    await storeOutcomes(
      db,
      again.map((kept) => ({ ...outcome, claimed: kept })),
      test.clock.now,
    )
    expect(new Set(await states())).toEqual(new Set(['SUCCEEDED']))
  })
})

const run = (concurrency: Partial<Concurrency> = {}) => {
  const targets = createTargets({ allowedHosts: ['127.0.0.1'], allowHttp: true })
  const key = Buffer.alloc(32, 7)
  const worker = createWebhookWorker({
    ...{ db, log: silentLog, now: () => test.clock.now, key, targets, concurrency },
    stopAfterMs: 50,
  })
  worker.start()
  return worker
}

async function hanging() {
  const receiver = await createReceiver(() => 'hang')
  onTestFinished(receiver.close)
  return receiver
}

it('a worker that stops gives back what it is sending, and another takes it at once', async () => {
  const slow = await hanging()
  const program = await test.createProgram()
  await createEndpoint(program, slow.url, ', eventTypes: ["affiliate.created"]')
  for (let index = 0; index < 3; index += 1) await createAffiliate(program)
  const worker = run()
  await expect.poll(() => slow.received.length).toBe(3)
  await worker.stop()
  const again = await claim()
  expect(again.map(({ delivery }) => delivery.tries)).toEqual([0, 0, 0])
  test.clock.advanceMinutes(leaseMs / 60_000)
  slow.answerWith(() => ({}))
  await test.app.sendWebhooks()
})

it('an endpoint that hangs delays no other', async () => {
  const slow = await hanging()
  const program = await test.createProgram()
  const other = await createReceiver()
  onTestFinished(other.close)
  for (const { url } of [slow, other]) await createEndpoint(program, url, ', eventTypes: ["affiliate.created"]')
  for (let index = 0; index < 8; index += 1) await createAffiliate(program)
  const worker = run({ total: 4, perEndpoint: 2 })
  await expect.poll(() => other.received.length).toBe(8)
  expect(slow.received).toHaveLength(2)
  slow.answerWith(() => ({}))
  slow.hangUp()
  await worker.stop()
  test.clock.advanceMinutes(1)
  await test.app.sendWebhooks()
})

describe('a backlog delays no other endpoint', () => {
  it('programs take turns, and an endpoint has its own limit', async () => {
    const large = await waiting(12, 3)
    const small = await waiting(2)
    const claimed = await claim(6)
    const programs = claimed.map(({ delivery }) => delivery.programId)
    expect(programs.filter((id) => id === small.program.id)).toHaveLength(2)
    const endpoints = claimed.filter(({ delivery }) => delivery.programId === large.program.id)
    expect(new Set(endpoints.map(({ delivery }) => delivery.endpointId)).size).toBe(3)
    const busy = new Map(large.ids.map((id) => [id, 5]))
    expect(await claim(100, busy)).toEqual([])
    expect(await claim()).toHaveLength(15)
    test.clock.advanceMinutes(1)
    await test.app.sendWebhooks()
  })

  it('an endpoint that fails has few tries at a time', async () => {
    const { program, ids } = await waiting(4)
    await db.webhookEndpoint.updateMany({ where: { programId: program.id }, data: { failingSince: test.clock.now } })
    expect((await claim()).map(({ endpoint }) => endpoint.id)).toEqual(ids)
    test.clock.advanceMinutes(1)
    await test.app.sendWebhooks()
  })
})
