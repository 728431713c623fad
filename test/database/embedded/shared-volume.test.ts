import type fs from 'node:fs'
import { chmod, stat } from 'node:fs/promises'
import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { makeDataDir } from '../../support/data-directory.ts'

const volume = vi.hoisted(() => ({ isForeign: false, isFull: false }))
vi.mock('node:fs', async (importOriginal) => {
  const original = await importOriginal<typeof fs>()
  const failure = (code: string, text: string) => Object.assign(new Error(`${code}: ${text}`), { code })
  const chmodSync: typeof fs.chmodSync = (path, mode) => {
    if (volume.isForeign) throw failure('EPERM', 'operation not permitted, chmod')
    original.chmodSync(path, mode)
  }
  const fsyncSync: typeof fs.fsyncSync = (descriptor) => {
    if (volume.isFull) throw failure('ENOSPC', 'no space left on device, fsync')
    original.fsyncSync(descriptor)
  }
  const changed = { chmodSync, fsyncSync }
  return { ...original, ...changed, default: { ...original, ...changed } }
})

test('a data directory of another user is used as it is, with a warning', async () => {
  const { openDatabase } = await import('../../../src/database/open.ts')
  const dataDir = await makeDataDir()
  await chmod(dataDir, 0o777)
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) })
  volume.isForeign = true
  const { ping, close } = await openDatabase({ dataDir, log })
  await ping()
  await close()
  volume.isForeign = false
  expect((await stat(dataDir)).mode & 0o777).toBe(0o777)
  expect(JSON.parse(lines.join(''))).toMatchObject({
    dataDir,
    err: { message: 'EPERM: operation not permitted, chmod' },
    msg: 'data directory not made private, other users may read it',
  })
})

test('a full disk is reported as such, and the next start opens the same database', async () => {
  const { openDatabase } = await import('../../../src/database/open.ts')
  const dataDir = await makeDataDir()
  const log = pino({ level: 'silent' })
  await (await openDatabase({ dataDir, log })).close()
  volume.isFull = true
  await expect(openDatabase({ dataDir, log })).rejects.toThrow(
    /^The disk that holds .* is full\. Free some space and start again; what was stored is not damaged\.$/,
  )
  volume.isFull = false
  const { ping, close } = await openDatabase({ dataDir, log })
  await ping()
  await close()
})
