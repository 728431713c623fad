import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, inject, onTestFinished, test } from 'vitest'
import { type Database, openDatabase } from '../../../src/database/open.ts'
import { adminToken } from '../../support/app.ts'
import { type Child, makeDataDir, makeTemporaryFolder, startChild } from '../../support/data-directory.ts'
import { createPostgresClone, silentLog as log } from '../../support/database.ts'
import { createReceiver, type Received } from '../../support/receiver.ts'
import { operate } from '../../support/server.ts'

type Place = { dataDir: string; databaseUrl?: string }
type Server = Child & { address: string }

/** Where the server keeps its data: on PostgreSQL with TEST_DATABASE_URL, else embedded. */
async function createPlace(): Promise<Place> {
  if (!inject('databases').postgres) return { dataDir: await makeDataDir() }
  const { url, drop } = await createPostgresClone()
  onTestFinished(drop)
  return { dataDir: await makeTemporaryFolder(), databaseUrl: url }
}

async function serve({ dataDir, databaseUrl = '' }: Place): Promise<Server> {
  const settings = { NODE_ENV: 'production', PORT: '0', ADMIN_TOKEN: adminToken, LOG_LEVEL: 'info' }
  const place = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' }
  const child = startChild('src/main.ts', [], { ...settings, ...place })
  return { ...child, address: JSON.parse(await child.ready()).address }
}

/** Reads or changes the database while no server has it open. */
async function withDatabase<T>(place: Place, use: (db: Database['db']) => Promise<T>): Promise<T> {
  const { db, close } = await openDatabase({ ...place, log })
  return use(db).finally(close)
}

/** A program with an affiliate who sells by the coupon ADA20, and an endpoint for each receiver. */
async function createProgram(server: Server, urls: readonly string[]): Promise<string> {
  const fields = 'name: "Acme", url: "https://acme.test", currency: "usd"'
  const { createProgram } = await operate(
    server.address,
    `mutation { createProgram(input: { ${fields} }) { program { id } } }`,
  )
  const { id } = createProgram.program
  const create = (input: string) => operate(server.address, `mutation { ${input} }`, id)
  const { createAffiliate } = await create('createAffiliate(input: { email: "ada@example.com" }) { affiliate { id } }')
  const { affiliate } = createAffiliate
  await create(`createAffiliateCoupon(input: { affiliateId: "${affiliate.id}", token: "ADA20" }) { __typename }`)
  for (const url of urls) await create(`createWebhookEndpoint(input: { url: "${url}" }) { secret }`)
  return id
}

/** Reports sales until the server is gone. Adds the external ids of those that it acknowledged. */
async function reportUntilKilled(server: Server, programId: string, round: number, acknowledged: string[]) {
  const reporter = async (lane: number) => {
    for (let n = 0; ; n += 1) {
      const externalId = `${round}-${lane}-${n}`
      const sale = `amountCents: 4900, coupon: "ADA20", externalId: "${externalId}"`
      await operate(server.address, `mutation { reportConversion(input: { ${sale} }) { duplicate } }`, programId)
      acknowledged.push(externalId)
    }
  }
  await Promise.all(Array.from({ length: 4 }, (_, lane) => reporter(lane).catch(() => {})))
}

/** The moment of a kill: after so many more sales were acknowledged, so many more events received, and so much time. */
const momentOf = (round: number) => ({
  sales: [1, 0, 12, 0][round % 4] as number,
  events: [0, 1, 0, 40][round % 4] as number,
  ms: round < 4 ? 0 : (round * 37) % 150,
})

/** How receivers behave until the kills are over. Then all of them answer. */
const behaviours = {
  // Some tries fail, so that retries are cut off too.
  answers: ({ body }: Received) => ({ status: hashOf(body) % 10 === 0 && Math.random() < 0.5 ? 500 : 200 }),
  fails: () => ({ status: 503 }),
  hangs: () => 'hang' as const,
  resets: () => 'reset' as const,
}

const hashOf = (text: string) => createHash('sha256').update(text).digest().readUInt32BE()

test('kill -9 at any moment loses and invents no event of a committed change', async () => {
  const place = await createPlace()
  const receivers = await Promise.all(Object.values(behaviours).map((behaviour) => createReceiver(behaviour)))
  for (const { close } of receivers) onTestFinished(close)
  let server = await serve(place)
  const programId = await createProgram(
    server,
    receivers.map(({ url }) => url),
  )
  const { nodes: earlier } = (await operate(server.address, '{ events { nodes { id } } }', programId)).events

  const acknowledged: string[] = []
  const receivedCount = () => receivers.reduce((sum, { received }) => sum + received.length, 0)
  for (let round = 0; round < Number(process.env.KILLS); round += 1) {
    if (round > 0) server = await serve(place)
    const { sales, events, ms } = momentOf(round)
    const more = (count: () => number, by: number) => {
      const target = count() + by
      return expect.poll(count, { timeout: 60_000, interval: 2 }).toBeGreaterThanOrEqual(target)
    }
    const reporting = reportUntilKilled(server, programId, round, acknowledged)
    await more(() => acknowledged.length, sales)
    await more(receivedCount, events)
    await pause(ms)
    server.process.kill('SIGKILL')
    await Promise.all([reporting, server.exited])
  }

  for (const { answerWith, hangUp } of receivers) {
    answerWith(() => ({}))
    hangUp()
  }
  // Leases of the killed processes end after a while, and failed deliveries are tried again later. All are due now.
  await withDatabase(place, (db) =>
    db.webhookDelivery.updateMany({ where: { state: 'pending' }, data: { nextTryAt: new Date(0), lease: null } }),
  )
  server = await serve(place)
  const waiting = '{ webhookDeliveries(where: { state: { equals: PENDING } }) { totalCount } }'
  const sent = '{ events { totalCount } webhookDeliveries { totalCount } }'
  const untilSent = async () => {
    const { events, webhookDeliveries } = await operate(server.address, sent, programId)
    const queued = (events.totalCount - earlier.length) * receivers.length - webhookDeliveries.totalCount
    return queued + (await operate(server.address, waiting, programId)).webhookDeliveries.totalCount
  }
  await expect.poll(untilSent, { timeout: 240_000, interval: 500 }).toBe(0)
  server.process.kill('SIGTERM')
  expect(await server.exited).toMatchObject({ code: 0 })

  await withDatabase(place, async (db) => {
    const events = await db.event.findMany({
      where: { id: { notIn: earlier.map(({ id }: { id: string }) => id) } },
      select: { id: true, type: true, subjectId: true },
    })
    for (const { received } of receivers) {
      const bodies = new Map<string, Set<string>>()
      for (const { headers, body } of received) {
        const id = headers['webhook-id'] as string
        bodies.set(id, (bodies.get(id) ?? new Set()).add(body))
      }
      expect([...bodies.keys()].sort()).toEqual(events.map(({ id }) => id).sort())
      expect([...bodies.values()].filter(({ size }) => size > 1)).toEqual([])
    }
    const sales = await db.sale.findMany({ select: { id: true, externalId: true } })
    expect(sales.map(({ externalId }) => externalId)).toEqual(expect.arrayContaining(acknowledged))
    const recorded = (type: string) => events.filter((event) => event.type === type).map(({ subjectId }) => subjectId)
    const idsOf = async (rows: Promise<{ id: string }[]>) => (await rows).map(({ id }) => id).sort()
    const select = { id: true } as const
    expect(recorded('sale.created').sort()).toEqual(sales.map(({ id }) => id).sort())
    expect(recorded('commission.created').sort()).toEqual(await idsOf(db.commission.findMany({ select })))
    expect(recorded('referral.converted').sort()).toEqual(await idsOf(db.referral.findMany({ select })))
  })
}, 600_000)
