import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../../../src/database/open.ts'
import { createTestApp } from '../../support/app.ts'
import { makeDataDir } from '../../support/data-directory.ts'
import { silentLog as log } from '../../support/database.ts'

it('is ready only while a write reaches the disk, and says why not', async () => {
  const dataDir = await makeDataDir()
  const database = await openDatabase({ dataDir, log })
  onTestFinished(database.close)
  // What is written there fails as on a full disk. The probe removes the link.
  await symlink('/dev/full', join(dataDir, '.write-probe'))
  const { app } = await createTestApp({ database: { ...database, drop: async () => {} } })
  const ready = async () => {
    const response = await app.fetch(new Request('http://localhost/readyz'))
    return [response.status, await response.json()]
  }
  expect(await ready()).toEqual([503, { status: 'disk full' }])
  await expect.poll(ready, { timeout: 5_000 }).toEqual([200, { status: 'ready' }])
})
