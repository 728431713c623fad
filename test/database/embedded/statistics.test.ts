import { setTimeout as pause } from 'node:timers/promises'
import { PGlite } from '@electric-sql/pglite'
import { expect, onTestFinished, test } from 'vitest'
import { scheduleStatistics } from '../../../src/database/statistics.ts'
import { silentLog as log } from '../../support/database.ts'

test('the planner knows what tables hold: soon after the start, and after much was written', async () => {
  const pglite = await PGlite.create()
  let syncs = 0
  const fill = async (rows: number) => {
    await pglite.exec(`INSERT INTO entries SELECT repeat('x', 100) FROM generate_series(1, ${rows})`)
    syncs += 1
  }
  const known = async () =>
    (await pglite.query<{ rows: number }>(`SELECT reltuples AS rows FROM pg_class WHERE relname = 'entries'`)).rows[0]
      ?.rows
  await pglite.exec('CREATE TABLE entries (pad text)')
  await fill(100)
  const options = { checkEveryMs: 20, maxIntervalMs: Number.MAX_SAFE_INTEGER, maxLogBytes: 1024 * 1024 }
  const stop = scheduleStatistics(pglite, { log, countSyncs: () => syncs, ...options })
  onTestFinished(async () => {
    stop()
    await pglite.close()
  })
  await expect.poll(known).toBe(100)
  await fill(1)
  await pause(200)
  expect(await known()).toBe(100)
  await fill(20_000)
  await expect.poll(known).toBe(20_101)
})
