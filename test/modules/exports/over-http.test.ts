import { createServer, request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { createSeller } from '../../support/factories.ts'

const test = await createTestApp()
const { db } = test.database
const server = createServer((request, response) => test.app.handle(request, response))
let program: TestProgram
let affiliateId: string
let port: number
/** More batches than those whose ends are read together. */
const rows = 36_000
/** Its `asText` reads the batches of an export. */
const { reads } = db

beforeAll(async () => {
  program = await test.createProgram()
  const { affiliate } = await createSeller(program)
  affiliateId = affiliate.id
  await addReferrals(rows)
  port = await new Promise((resolve) => server.listen(0, () => resolve((server.address() as AddressInfo).port)))
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

/** @param uncounted how many were deleted before, so that the counter of the affiliate is right again */
async function addReferrals(count: number, uncounted = 0) {
  await db.$executeRaw`
    insert into referrals (program_id, id, affiliate_id, campaign_id, expires_at, created_at, updated_at, is_counted)
    select program_id, gen_random_uuid(), id, campaign_id, now(), now(), now(), true from affiliates, generate_series(1, ${count})
    where id = ${affiliateId}::uuid`
  await db.$executeRaw`update affiliates set visitors = visitors + ${count + uncounted} where id = ${affiliateId}::uuid`
}

/** The first column of a CSV file, without its name. */
async function idsOf(response: IncomingMessage): Promise<string[]> {
  let text = ''
  for await (const chunk of response) text += chunk
  return text
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map((line) => line.slice(0, line.indexOf(',')))
}

const startExport = (path: string) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { Authorization: `Bearer ${program.secret}` }
    httpRequest({ port, path: `/v1/exports/${path}`, headers }, resolve)
      .on('error', reject)
      .end()
  })

/** Calls `run` with a function that returns the number of batches read since then. */
async function withBatchCount(run: (count: () => number) => Promise<void>) {
  const find = vi.spyOn(reads, 'asText')
  try {
    await run(() => find.mock.calls.length)
  } finally {
    find.mockRestore()
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe('an export over HTTP', () => {
  it('is complete and in order, without a row twice', async () => {
    const response = await startExport('referrals')
    const ids = await idsOf(response)
    expect(ids).toEqual((await db.referral.findMany({ orderBy: { id: 'asc' } })).map(({ id }) => id))
    expect(ids).toHaveLength(rows)
    expect([response.complete, response.headers['transfer-encoding']]).toEqual([true, 'chunked'])
  })

  it('has every row once that was there all the time, while others are added and deleted', async () => {
    const before = await db.referral.findMany({ orderBy: { id: 'asc' }, select: { id: true } })
    const deleted = before.filter((_, index) => index % 900 === 0).map(({ id }) => id)
    const original = reads.asText
    let batches = 0
    const changing = vi.spyOn(reads, 'asText').mockImplementation(async (...args) => {
      batches += 1
      if (batches % 4 === 0) {
        const { count } = await db.referral.deleteMany({ where: { id: { in: deleted.splice(0, 10) } } })
        await addReferrals(300, -count)
      }
      return original(...args)
    })
    try {
      const ids = await idsOf(await startExport('referrals'))
      const after = new Set((await db.referral.findMany({ select: { id: true } })).map(({ id }) => id))
      const found = new Set(ids)
      expect(ids).toEqual([...found].sort())
      expect(before.filter(({ id }) => after.has(id) && !found.has(id))).toEqual([])
      expect(after.size).toBeGreaterThan(rows)
    } finally {
      changing.mockRestore()
    }
  })

  it('goes on after batches whose rows were all deleted since their ends were read', async () => {
    const before = await db.referral.findMany({ orderBy: { id: 'asc' }, select: { id: true } })
    const ids = before.map(({ id }) => id)
    const deleted = ids.slice(6_000, 12_000)
    const original = reads.asText
    let batches = 0
    const changing = vi.spyOn(reads, 'asText').mockImplementation(async (...args) => {
      batches += 1
      if (batches === 2) {
        const { count } = await db.referral.deleteMany({ where: { id: { in: deleted } } })
        await addReferrals(0, -count)
      }
      return original(...args)
    })
    try {
      expect(await idsOf(await startExport('referrals'))).toEqual([...ids.slice(0, 6_000), ...ids.slice(12_000)])
    } finally {
      changing.mockRestore()
    }
  })

  it('cannot be cut into batches by its client', async () => {
    const ids = await idsOf(
      await startExport(`referrals?ends=2&until=${'0'.repeat(8)}-0000-7000-8000-${'0'.repeat(12)}`),
    )
    expect(ids).toHaveLength(await db.referral.count())
  })

  it('that fails midway is aborted, so that the client sees that it is incomplete', async () => {
    let batches = 0
    const original = reads.asText
    const failing = vi.spyOn(reads, 'asText').mockImplementation((...args) => {
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
      // When the third is wanted, the fourth is read too.
      expect(batches).toBe(4)
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
