import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { PGlite } from '@electric-sql/pglite'
import { expect, onTestFinished, test } from 'vitest'
import { scheduleCheckpoints } from '../../../src/database/embedded/checkpoints.ts'
import { DurableNodeFS, durableStartParams } from '../../../src/database/embedded/durable-fs.ts'
import { makeDataDir } from '../../support/data-directory.ts'
import { silentLog as log } from '../../support/database.ts'

async function start(options: { maxIntervalMs: number; maxLogBytes: number }) {
  const dataDir = await makeDataDir()
  let syncs = 0
  const fs = new DurableNodeFS(join(dataDir, 'db'), { onSync: () => (syncs += 1), onAbort: () => {} })
  const pglite = await PGlite.create({ fs, startParams: durableStartParams })
  const checkpointPosition = async () => {
    const { rows } = await pglite.query<{ lsn: string }>('SELECT redo_lsn::text AS lsn FROM pg_control_checkpoint()')
    return rows[0]?.lsn
  }
  await pglite.exec('CREATE TABLE entries (pad text)')
  const stop = scheduleCheckpoints(pglite, { log, countSyncs: () => syncs, checkEveryMs: 20, ...options })
  onTestFinished(async () => {
    stop()
    await pglite.close()
  })
  return { dataDir, pglite, checkpointPosition }
}

const never = Number.MAX_SAFE_INTEGER

test('one checkpoint follows a write after the interval', async () => {
  const { pglite, checkpointPosition } = await start({ maxIntervalMs: 100, maxLogBytes: never })
  const before = await checkpointPosition()
  await pause(200)
  expect(await checkpointPosition()).toBe(before)
  await pglite.exec(`INSERT INTO entries VALUES ('x')`)
  await expect.poll(checkpointPosition).not.toBe(before)
  const after = await checkpointPosition()
  await pause(200)
  expect(await checkpointPosition()).toBe(after)
})

test('a checkpoint follows as soon as the log is too large, so that the log stays small', async () => {
  const { dataDir, pglite, checkpointPosition } = await start({ maxIntervalMs: never, maxLogBytes: 4 * 1024 * 1024 })
  const before = await checkpointPosition()
  for (let n = 0; n < 40; n += 1) {
    await pglite.exec(`INSERT INTO entries SELECT repeat('x', 1000) FROM generate_series(1, 4000)`)
    await pause(5)
  }
  await expect.poll(checkpointPosition).not.toBe(before)
  const segments = (await readdir(join(dataDir, 'db', 'pg_wal'))).filter((name) => /^[0-9A-F]{24}$/.test(name))
  // 160 MB were written in segments of 16 MB. Without checkpoints all of them would still exist.
  expect(segments.length).toBeLessThanOrEqual(4)
})
