import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { createTestApp } from '../support/app.ts'
import { createCountedDatabase } from '../support/database.ts'
import { isFull } from '../support/engine.ts'
import { createAffiliate } from '../support/factories.ts'

// Over real HTTP, because only there clients disconnect. The statement that reads the affiliate waits for the test's gate.

const patience = { timeout: 30_000 }
const gate = { isShut: false, waiting: 0, open: () => {}, opened: Promise.resolve() }
const database = await createCountedDatabase(async (sql) => {
  if (!gate.isShut || !sql.includes('"affiliates"')) return
  gate.waiting += 1
  await gate.opened
})
const { app, createProgram } = await createTestApp({ database })
const program = await createProgram()
const { id } = await createAffiliate(program)
const gone = { count: 0 }
const handled = { count: 0 }
const server = createServer((req, res) => {
  res.on('close', () => {
    gone.count += 1
  })
  // It returns a promise that settles when all work of the request has ended.
  Promise.resolve(app.handle(req, res) as unknown).finally(() => {
    handled.count += 1
  })
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
afterAll(async () => {
  gate.open()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})
const { port } = server.address() as AddressInfo

beforeEach(() => {
  database.statements.length = 0
  Object.assign(gate, { isShut: true, waiting: 0 })
  gate.opened = new Promise((resolve) => {
    gate.open = () => {
      gate.isShut = false
      resolve()
    }
  })
})

const query = `{ affiliate(id: "${id}") { email history { nodes { __typename } } } }`
const headers = { Authorization: `Bearer ${program.secret}`, 'Content-Type': 'application/json' }
const readsHistory = (sql: string) => sql.includes('from changes')

function call(body: object = { query }) {
  const sent = request({ port, path: '/graphql', method: 'POST', headers })
  sent.on('error', () => {})
  sent.end(JSON.stringify(body))
  return sent
}

it('a client that stays connected gets the whole response', async () => {
  const response = new Promise<number | undefined>((resolve) =>
    call().on('response', (res) => resolve(res.resume().statusCode)),
  )
  await expect.poll(() => gate.waiting, patience).toBe(1)
  gate.open()
  expect(await response).toBe(200)
  expect(database.statements.filter(readsHistory)).toHaveLength(1)
})

it.skipIf(!isFull)(
  'starts no further statement for a client that disconnected, and releases its turn (statements of ENGINE=full)',
  async () => {
    Object.assign(gone, { count: 0 })
    Object.assign(handled, { count: 0 })
    // More requests than there are turns.
    const calls = Array.from({ length: 30 }, () => call())
    await expect.poll(() => gate.waiting, patience).toBe(16)
    for (const sent of calls) sent.destroy()
    await expect.poll(() => gone.count, patience).toBe(30)
    gate.open()
    await expect.poll(() => handled.count, patience).toBe(30)
    expect((await program.get(`/affiliates/${id}`)).status).toBe(200)
    expect(gate.waiting).toBe(16)
    expect(database.statements.filter(readsHistory)).toEqual([])
  },
)

it('an import whose client disconnected writes nothing more', async () => {
  Object.assign(gone, { count: 0 })
  Object.assign(handled, { count: 0 })
  const importing = 'mutation ($csv: String!) { importAffiliates(input: { csv: $csv }) { created } }'
  const csv = ['email', ...Array.from({ length: 200 }, (_, n) => `gone-${n}@example.com`)].join('\n')
  const calls = Array.from({ length: 8 }, () => call({ query: importing, variables: { csv } }))
  await expect.poll(() => gate.waiting, patience).toBe(8)
  for (const sent of calls) sent.destroy()
  await expect.poll(() => gone.count, patience).toBe(8)
  gate.open()
  await expect.poll(() => handled.count, patience).toBe(8)
  expect(
    database.statements.filter((sql) => /insert into "?(public"\.")?(affiliates|accepted_imports)/i.test(sql)),
  ).toEqual([])
  expect((await program.get('/affiliates')).body.pagination.total_count).toBe(1)
})
