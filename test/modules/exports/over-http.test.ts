import { createServer, request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { createSeller } from '../../support/factories.ts'

const test = await createTestApp()
const { db } = test.database
const server = createServer((request, response) => test.app.handle(request, response))
let program: TestProgram
let port: number
const rows = 20_000
// Prisma's types do not have it. It reads the batches of an export.
const table = db.referral as unknown as { findManyAsText(...args: unknown[]): Promise<unknown> }

beforeAll(async () => {
  program = await test.createProgram()
  const { affiliate } = await createSeller(program)
  await db.$executeRaw`
    insert into referrals (program_id, id, affiliate_id, campaign_id, expires_at, created_at, updated_at, is_counted)
    select program_id, gen_random_uuid(), id, campaign_id, now(), now(), now(), true from affiliates, generate_series(1, ${rows})
    where id = ${affiliate.id}::uuid`
  await db.$executeRaw`update affiliates set visitors = visitors + ${rows} where id = ${affiliate.id}::uuid`
  port = await new Promise((resolve) => server.listen(0, () => resolve((server.address() as AddressInfo).port)))
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

const startExport = (path: string) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { Authorization: `Bearer ${program.secret}` }
    httpRequest({ port, path: `/v1/exports/${path}`, headers }, resolve)
      .on('error', reject)
      .end()
  })

/** Calls `run` with a function that returns the number of batches read since then. */
async function withBatchCount(run: (count: () => number) => Promise<void>) {
  const find = vi.spyOn(table, 'findManyAsText')
  try {
    await run(() => find.mock.calls.length)
  } finally {
    find.mockRestore()
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe('an export over HTTP', () => {
  it('is complete', async () => {
    const response = await startExport('referrals')
    let text = ''
    for await (const chunk of response) text += chunk
    expect(text.trim().split('\r\n')).toHaveLength(rows + 1)
    expect([response.complete, response.headers['transfer-encoding']]).toEqual([true, 'chunked'])
  })

  it('that fails midway is aborted, so that the client sees that it is incomplete', async () => {
    let batches = 0
    const original = table.findManyAsText
    const failing = vi.spyOn(table, 'findManyAsText').mockImplementation((...args) => {
      batches += 1
      return batches < 3 ? original(...args) : Promise.reject(new Error('Connection terminated unexpectedly'))
    })
    try {
      const response = await startExport('referrals')
      expect(response.statusCode).toBe(200)
      const read = async () => {
        for await (const chunk of response) void chunk
      }
      await expect(read()).rejects.toThrow('aborted')
      expect(response.complete).toBe(false)
      expect(batches).toBe(3)
    } finally {
      failing.mockRestore()
    }
  })

  it('stops when the client disconnects', () =>
    withBatchCount(async (count) => {
      const response = await startExport('referrals')
      response.once('data', () => response.destroy())
      await new Promise((resolve) => response.once('close', resolve))
      await pause(100)
      const countAtDisconnect = count()
      await pause(200)
      expect(count()).toBe(countAtDisconnect)
      expect(countAtDisconnect).toBeLessThan(rows / 1_000)
    }))

  it('is read at the speed of the client: slow downloads are at most one batch ahead, and keep no turns', () =>
    withBatchCount(async (count) => {
      const headers = { Authorization: `Bearer ${program.secret}` }
      const startSlow = () => test.app.fetch(new Request('http://localhost:4000/v1/exports/referrals', { headers }))
      const slow = await Promise.all(Array.from({ length: 30 }, startSlow))
      expect((await program.get('/affiliates')).status).toBe(200)
      const [reader] = slow.map(({ body }) => body?.getReader())
      await reader?.read()
      await reader?.read()
      await pause(200)
      expect(count()).toBe(slow.length + 2)
    }))
})
