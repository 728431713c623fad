import { setTimeout as pause } from 'node:timers/promises'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../../src/database/open.ts'
import { examine } from '../../../src/modules/doctor/service.ts'
import { createTestProgram, graphqlClient, restClient } from '../../support/app.ts'
import { makeDataDir, makeTemporaryFolder, startChild } from '../../support/data-directory.ts'
import { createPostgresClone, silentLog as log } from '../../support/database.ts'
import { createSeller } from '../../support/factories.ts'

const adminToken = 'operator-of-the-crash-test'
const kills = Number(process.env.KILLS)
const keys = kills * 20
const timesEach = 10

/** Where the server keeps its data: on PostgreSQL with TEST_DATABASE_URL, else embedded. */
async function createPlace(): Promise<{ dataDir: string; databaseUrl?: string }> {
  if (!inject('databases').postgres) return { dataDir: await makeDataDir() }
  const { url, drop } = await createPostgresClone()
  onTestFinished(drop)
  return { dataDir: await makeTemporaryFolder(), databaseUrl: url }
}

test('kill -9 at any moment leaves of each key the effect and the answer, or neither', async () => {
  const place = await createPlace()
  const serve = async () => {
    const settings = { NODE_ENV: 'production', PORT: '0', ADMIN_TOKEN: adminToken, LOG_LEVEL: 'info' }
    const child = startChild('src/main.ts', [], {
      ...settings,
      DATA_DIR: place.dataDir,
      DATABASE_URL: place.databaseUrl ?? '',
    })
    return { ...child, address: JSON.parse(await child.ready()).address as string }
  }
  let server = await serve()
  const fetchThere = (request: Request) => {
    const { pathname, search } = new URL(request.url)
    return fetch(new Request(server.address + pathname + search, request))
  }
  const operator = graphqlClient(fetchThere, { Authorization: `Bearer ${adminToken}` })
  const program = await createTestProgram(fetchThere, operator, {})
  const { coupon } = await createSeller(program)

  let answered = 0
  let replayed = 0
  /** Sends the sale until it is answered, as a client does that is in doubt. It has no external id. */
  const report = async (n: number): Promise<string> => {
    const { send } = restClient(fetchThere, { Authorization: `Bearer ${program.secret}` })
    for (;;) {
      const sale = new URLSearchParams({ coupon, amount_cents: String(n) })
      const init = { method: 'POST', body: sale, headers: { 'Idempotency-Key': `sale-${n}` } }
      const answer = await send('/conversions', init).catch(() => null)
      if (answer?.status === 201) {
        answered += 1
        if (answer.headers.has('idempotent-replayed')) replayed += 1
        return JSON.stringify(answer.body)
      }
      if (answer) expect([409, 503]).toContain(answer.status)
      await pause(20)
    }
  }
  const lanes = Array.from({ length: timesEach }, async () => {
    const answers: string[] = []
    for (let n = 1; n <= keys; n += 1) answers.push(await report(n))
    return answers
  })
  const reporting = Promise.all(lanes)
  for (let round = 1; round <= kills; round += 1) {
    const moment = (round * keys * timesEach) / (kills + 1)
    await expect.poll(() => answered, { timeout: 120_000, interval: 1 }).toBeGreaterThanOrEqual(moment)
    server.process.kill('SIGKILL')
    await server.exited
    server = await serve()
  }
  const [first, ...others] = await reporting
  for (const answers of others) expect(answers).toEqual(first)
  // More where a kill came between the commit and the first answer.
  expect(replayed).toBeGreaterThanOrEqual(keys * (timesEach - 1))
  server.process.kill('SIGTERM')
  expect(await server.exited).toMatchObject({ code: 0 })

  const database = await openDatabase({ ...place, log })
  const sales = await database.db.sale.findMany({ select: { amountCents: true } })
  const findings = await examine(database).finally(database.close)
  expect(sales.map(({ amountCents }) => Number(amountCents)).sort((a, b) => a - b)).toEqual(
    Array.from({ length: keys }, (_, n) => n + 1),
  )
  expect(findings).toEqual([])
}, 600_000)
