import type fs from 'node:fs'
import { expect, test, vi } from 'vitest'
import { isUnavailable } from '../../../src/database/client/errors.ts'
import { mintId } from '../../../src/kernel/ids.ts'
import { makeDataDir } from '../../support/data-directory.ts'
import { silentLog as log } from '../../support/database.ts'
import { programNames } from '../../support/program-names.ts'

const disk = vi.hoisted(() => ({ isBroken: false }))
vi.mock('node:fs', async (importOriginal) => {
  const original = await importOriginal<typeof fs>()
  const fsyncSync = (descriptor: number) => {
    if (disk.isBroken) throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' })
    original.fsyncSync(descriptor)
  }
  return { ...original, fsyncSync, default: { ...original, fsyncSync } }
})

test('when the disk fails, the write is not acknowledged, later queries fail fast, and the next start recovers', async () => {
  const { openDatabase } = await import('../../../src/database/open.ts')
  const dataDir = await makeDataDir()
  const failures: Error[] = []
  const { db, close, ping } = await openDatabase({ dataDir, log, onFailure: (error) => void failures.push(error) })
  const at = new Date()
  const add = (name: string) =>
    db.program.create({
      data: { id: mintId(at), name, url: 'u', currency: 'eur', ...programNames(), createdAt: at, updatedAt: at },
    })
  await add('kept')

  disk.isBroken = true
  await expect(add('lost')).rejects.toThrow()
  expect(failures).toHaveLength(1)
  for (const attempt of [() => ping(), () => add('late'), () => db.$transaction((tx) => tx.program.count())]) {
    const error = await attempt().then(
      () => expect.unreachable(),
      (reason: unknown) => reason,
    )
    expect(isUnavailable(error)).toBe(true)
  }
  await close()
  disk.isBroken = false

  const again = await openDatabase({ dataDir, log })
  expect((await again.db.program.findMany()).map(({ name }) => name)).toContain('kept')
  await again.close()
})
