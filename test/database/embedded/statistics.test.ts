import { setTimeout as pause } from 'node:timers/promises'
import { PGlite } from '@electric-sql/pglite'
import { expect, onTestFinished, test } from 'vitest'
import { scheduleStatistics } from '../../../src/database/upkeep/statistics.ts'
import { silentLog as log } from '../../support/database.ts'

test('updates the statistics of the planner soon after the start, and after many writes', async () => {
  const pglite = await PGlite.create()
  let syncs = 0
  const fill = async (rows: number) => {
    await pglite.exec(`INSERT INTO entries SELECT repeat('x', 100) FROM generate_series(1, ${rows})`)
    syncs += 1
  }
  const estimatedRows = async () =>
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
  await expect.poll(estimatedRows).toBe(100)
  await fill(1)
  await pause(200)
  expect(await estimatedRows()).toBe(100)
  await fill(20_000)
  await expect.poll(estimatedRows).toBe(20_101)
})
