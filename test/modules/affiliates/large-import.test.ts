import { expect, it } from 'vitest'
import type { ProgramCtx } from '../../../src/kernel/context.ts'
import type { AppDb } from '../../../src/kernel/db.ts'
import { DeadlineExceeded } from '../../../src/kernel/deadline.ts'
import { importAffiliates } from '../../../src/modules/affiliates/csv-import.ts'
import { createTestApp, type TestProgram } from '../../support/app.ts'
import { silentLog } from '../../support/database.ts'
import { createAffiliate, createCoupon, listed } from '../../support/factories.ts'

// Files of more lines than one transaction creates.

const app = await createTestApp()
const { db } = app.database
const lines = (count: number) => Array.from({ length: count }, (_, n) => `a${n}@example.com,Ada,token-${n},C-${n}`)
const csvOf = (rows: readonly string[]) => ['email,first_name,token,coupon', ...rows].join('\n')
const countOf = async (program: TestProgram) =>
  (await program.get('/affiliates?limit=1')).body.pagination.total_count as number

/** Imports as the service does. `after` runs after each of its transactions. */
async function importWith(
  { id }: TestProgram,
  input: object,
  after: (count: number) => Promise<unknown>,
  signal?: Pick<AbortSignal, 'aborted' | 'reason'>,
) {
  let count = 0
  const watched = new Proxy(db, {
    get: (target, name) =>
      name === '$transaction'
        ? async (...args: Parameters<AppDb['$transaction']>) => {
            const result = await target.$transaction(...args)
            count += 1
            await after(count)
            return result
          }
        : Reflect.get(target, name),
  })
  const program = await db.program.findUniqueOrThrow({ where: { id } })
  const ctx = { db: watched, program, now: () => app.clock.now, log: silentLog, actor: { kind: 'operator' } }
  return importAffiliates({ ...ctx, signal, requestId: 'import' } as ProgramCtx, input)
}

it('lets other requests have the database between its transactions', async () => {
  const [program, other] = [await app.createProgram(), await app.createProgram()]
  const seen: number[] = []
  await importWith(program, { csv: csvOf(lines(200)) }, async () => {
    expect((await other.get('/affiliates')).status).toBe(200)
    seen.push(await countOf(program))
  })
  expect(seen).toEqual(Array.from({ length: 20 }, (_, portion) => 10 * (portion + 1)))
  expect(await db.acceptedImport.count({ where: { programId: program.id } })).toBe(0)
})

it('is finished by the next process if it was left, once, in the name of its caller', async () => {
  const program = await app.createProgram()
  const killed = new Error('killed')
  const importing = importWith(program, { csv: csvOf(lines(120)), recordEvents: true }, () => Promise.reject(killed))
  await expect(importing).rejects.toBe(killed)
  expect(await countOf(program)).toBe(10)
  await app.app.flush()
  expect(await countOf(program)).toBe(10)
  await db.acceptedImport.updateMany({ where: { programId: program.id }, data: { acceptedAt: new Date(0) } })
  await app.app.flush()
  expect(await countOf(program)).toBe(120)
  expect(await db.acceptedImport.count({ where: { programId: program.id } })).toBe(0)
  const entries = await db.change.findMany({
    where: { programId: program.id, subject: 'affiliate', action: 'created' },
  })
  expect(entries).toHaveLength(120)
  expect(new Set(entries.map(({ actorKind, requestId }) => `${actorKind} ${requestId}`))).toEqual(
    new Set(['operator import']),
  )
  const events = await db.event.groupBy({ by: ['type'], where: { programId: program.id }, _count: true })
  for (const type of ['affiliate.created', 'affiliate_link.created', 'affiliate_coupon.created'])
    expect(events).toContainEqual({ type, _count: 120 })
})

it('ends with its client: what was created stays, nothing is finished later, and the file can be sent again', async () => {
  const program = await app.createProgram()
  const signal = { aborted: false, reason: undefined }
  let transactions = 0
  const leave = async (count: number) => {
    transactions = count
    signal.aborted = count === 2
  }
  await expect(importWith(program, { csv: csvOf(lines(120)) }, leave, signal)).rejects.toThrow('The client closed')
  expect([transactions, await countOf(program)]).toEqual([2, 20])
  expect(await db.acceptedImport.count({ where: { programId: program.id } })).toBe(0)
  await app.app.flush()
  expect(await countOf(program)).toBe(20)
  const again = await importWith(program, { csv: csvOf(lines(120)) }, async () => {})
  expect(again).toMatchObject({ created: 100, skipped: 20, failed: 0 })
})

it('reads no more of a file whose client has gone', async () => {
  const program = await app.createProgram()
  const signal = { aborted: false, reason: undefined }
  setImmediate(() => setImmediate(() => Object.assign(signal, { aborted: true })))
  const importing = importWith(program, { csv: csvOf(lines(2_000)) }, async () => {}, signal)
  await expect(importing).rejects.toThrow('The client closed')
  expect(await countOf(program)).toBe(0)
})

it('says how many affiliates were created when its time is over, and is finished later', async () => {
  const program = await app.createProgram()
  const signal = { aborted: false, reason: new DeadlineExceeded(120) }
  const end = async (count: number) => {
    signal.aborted = count === 3
  }
  await expect(importWith(program, { csv: csvOf(lines(120)) }, end, signal)).rejects.toThrow(
    '30 of 120 affiliates were created. The service creates the others within minutes.',
  )
  await db.acceptedImport.updateMany({ where: { programId: program.id }, data: { acceptedAt: new Date(0) } })
  await app.app.flush()
  expect(await countOf(program)).toBe(120)
})

it('leaves out, and reports, only the lines whose values another request takes meanwhile', async () => {
  const program = await app.createProgram()
  const report = await importWith(program, { csv: csvOf(lines(150)) }, async (count) => {
    if (count !== 1) return
    await createAffiliate(program, { email: 'A70@example.com', token: 'other' })
    const { id } = await createAffiliate(program, { email: 'other@example.com', token: 'TOKEN-80' })
    await createCoupon(program, id, 'c-110')
  })
  expect(report).toMatchObject({ created: 147, skipped: 1, failed: 2 })
  expect(report.lines.filter(({ outcome }) => outcome !== 'created')).toMatchObject([
    { line: 72, outcome: 'skipped' },
    { line: 82, outcome: 'invalid', problems: [{ field: 'token' }] },
    { line: 112, outcome: 'invalid', problems: [{ field: 'coupon' }] },
  ])
  expect(await countOf(program)).toBe(149)
})

it('gives no line a token that a later line names', async () => {
  const program = await app.createProgram()
  const rows = [...Array.from({ length: 60 }, (_, n) => `b${n}@example.com,Grace,,`), 'c@example.com,Eve,GRACE,']
  expect(await importWith(program, { csv: csvOf(rows) }, async () => {})).toMatchObject({ created: 61, failed: 0 })
  const tokens = (await listed(program, '/affiliate_links')).map(({ token }) => token)
  expect(tokens.filter((token) => token.toLowerCase() === 'grace')).toEqual(['GRACE'])
})

it('writes nothing in a dry run, with the same report', async () => {
  const program = await app.createProgram()
  const input = { csv: csvOf(lines(120)) }
  const dry = await importWith(program, { ...input, dryRun: true }, async () => {})
  expect(dry).toMatchObject({ dryRun: true, created: 120 })
  expect([await countOf(program), await db.acceptedImport.count({ where: { programId: program.id } })]).toEqual([0, 0])
  const real = await importWith(program, input, async () => {})
  expect(real.lines.map(({ outcome }) => outcome)).toEqual(dry.lines.map(({ outcome }) => outcome))
})
