import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { openEmbedded } from '../../src/database/embedded/open.ts'
import { loadDump, makeDataDir, makeTemporaryFolder, startChild } from '../support/data-directory.ts'
import { silentLog } from '../support/database.ts'

const check = async (DATA_DIR: string, more: NodeJS.ProcessEnv = {}) => {
  const settings = { DATA_DIR, TRIBUTARY_URL: '', NODE_ENV: '', ...more }
  const { code, output } = await startChild('src/cli/tributary.ts', ['upgrade', '--check', '--json'], settings).exited
  return { code, result: output.startsWith('{') ? JSON.parse(output) : output }
}

it('says that nothing is to be done for a database of this version', async () => {
  const { code, result } = await check(await makeDataDir(), { PORTAL_ORIGIN: 'https://acme.test' })
  expect([code, result]).toMatchObject([
    0,
    {
      can_upgrade: true,
      problem: null,
      pending_migrations: [],
      replaces_functions: false,
      backup: { age_seconds: null },
    },
  ])
  expect(result.database_version).toBe(result.version)
  expect(result.ignored_settings).toEqual([{ variable: 'PORTAL_ORIGIN', meant: 'PORTAL_ORIGINS' }])
})

it('lists the settings that are new, and those that are gone', async () => {
  const dataDir = await makeDataDir()
  expect((await check(dataDir)).result).toMatchObject({ new_settings: [], gone_settings: [] })
  const { pglite, close } = await openEmbedded({ dataDir, log: silentLog })
  try {
    const noted = `obj_description('_prisma_migrations'::regclass, 'pg_class')`
    const { rows } = await pglite.query<{ noted: string }>(`select ${noted} as noted`)
    const { settings, ...others } = JSON.parse(rows[0]?.noted ?? '')
    const before = [...settings.filter((name: string) => name !== 'BACKUP_KEEP'), 'OLD_ONE']
    await pglite.exec(`comment on table _prisma_migrations is '${JSON.stringify({ ...others, settings: before })}'`)
  } finally {
    await close()
  }
  expect((await check(dataDir)).result).toMatchObject({
    can_upgrade: true,
    new_settings: ['BACKUP_KEEP'],
    gone_settings: ['OLD_ONE'],
  })
})

it('names the pending migrations of an older database with what they do, and applies none', async () => {
  const dataDir = await makeDataDir()
  await loadDump(dataDir, gunzipSync(await readFile('test/database/upgrade/0.1.0.sql.gz')).toString())
  const first = await check(dataDir)
  expect(first.code).toBe(0)
  const { pending_migrations: pending, replaces_functions } = first.result
  expect([pending.length > 0, replaces_functions]).toEqual([true, true])
  expect(pending.find(({ name }: any) => name.endsWith('_cohorts_by_currency'))).toMatchObject({
    can_take_long: false,
    effects: expect.arrayContaining([expect.objectContaining({ table: 'analytics_cohorts', does: 'reads all rows' })]),
  })
  expect(await check(dataDir)).toEqual(first)
})

it('1 without a recent backup in BACKUP_DIR, and for a database of a newer version', async () => {
  const dataDir = await makeDataDir()
  const BACKUP_DIR = await makeTemporaryFolder()
  expect(await check(dataDir, { BACKUP_DIR })).toMatchObject({ code: 1, result: { can_upgrade: false, problem: null } })
  const stamp = new Date().toISOString().replace(/[-:]|\.\d+/g, '')
  await writeFile(join(BACKUP_DIR, `tributary-${stamp}.tar.gz`), '')
  expect(await check(dataDir, { BACKUP_DIR })).toMatchObject({ code: 0, result: { backup: { problem: null } } })
  const { pglite, close } = await openEmbedded({ dataDir, log: silentLog })
  await pglite
    .exec(
      `insert into _prisma_migrations (id, checksum, migration_name, finished_at) values ('x', '', '20990101000000_later', now())`,
    )
    .finally(close)
  expect(await check(dataDir)).toMatchObject({
    code: 1,
    result: { problem: expect.stringContaining('a newer version migrated it') },
  })
})

it('names wrong settings, and a folder without a stopped database', async () => {
  const wrong = await check(await makeDataDir(), { PORT: 'x' })
  expect([wrong.code, wrong.result]).toEqual([1, expect.stringContaining('PORT')])
  const none = await check(await makeTemporaryFolder())
  expect([none.code, none.result]).toEqual([1, expect.stringContaining('no stopped database')])
})
