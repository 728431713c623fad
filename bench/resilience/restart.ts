import { fork } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withDataDir } from './place.ts'
import { diagnose, startService, stopService } from './service.ts'

export const summary =
  'The start after a kill, with rows in the log that were written since the last checkpoint. Embedded database.'
export const unit = 'rows'
export const defaultSize = 300_000

const writer = fileURLToPath(new URL('write-and-die.ts', import.meta.url))

export async function run(rows: number): Promise<void> {
  await withDataDir(async (dataDir) => {
    const child = fork(writer, [dataDir, String(rows)])
    await new Promise((resolve) => child.once('exit', resolve))
    const log = join(dataDir, 'db', 'pg_wal')
    const bytes = readdirSync(log).reduce((sum, name) => sum + statSync(join(log, name)).size, 0)
    const startedAt = performance.now()
    const service = await startService({ DATA_DIR: dataDir })
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(2)
    const findings = await diagnose(service.address)
    await stopService(service)
    console.log(
      `killed after ${rows} rows: write-ahead log of ${(bytes / 1024 / 1024).toFixed(0)} MB, ready after ${seconds} s, doctor: ${findings} findings`,
    )
  })
}
