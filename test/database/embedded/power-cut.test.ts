import { cpSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { expect, test } from 'vitest'
import { DurableNodeFS, durableStartParams } from '../../../src/database/embedded/durable-fs.ts'
import { openEmbedded } from '../../../src/database/embedded/open.ts'
import { makeDataDir } from '../../support/data-directory.ts'
import { silentLog as log } from '../../support/database.ts'
import { PowerCutFS } from '../../support/power-cut-fs.ts'

/** Commits `count` transactions in each of three rounds, the last after a checkpoint, and recovers after each. */
async function runWithPowerCuts(
  startParams: string[],
  count: number,
): Promise<{ acknowledged: number; recovered: unknown }[]> {
  const dataDir = await makeDataDir()
  const live = join(dataDir, 'db')
  const disk = join(dirname(dataDir), 'disk')
  cpSync(live, disk, { recursive: true })
  const pglite = await PGlite.create({ fs: new PowerCutFS(live, disk), startParams })
  await pglite.exec('CREATE TABLE entries (id int PRIMARY KEY, round int); CREATE TABLE ledger (entry int, amount int)')
  const cuts: { acknowledged: number; recovered: unknown }[] = []
  let acknowledged = 0
  for (const round of [1, 2, 3]) {
    for (let n = 0; n < count; n += 1) {
      await pglite.transaction(async (tx) => {
        await tx.query('INSERT INTO entries VALUES ($1, $2)', [acknowledged + 1, round])
        await tx.query('INSERT INTO ledger VALUES ($1, 100), ($1, -100)', [acknowledged + 1])
        await tx.query('UPDATE ledger SET amount = amount * 2 WHERE entry > $1', [acknowledged - 5])
      })
      acknowledged += 1
    }
    cuts.push({ acknowledged, recovered: await recover(disk) })
    if (round === 2) await pglite.exec('CHECKPOINT')
  }
  await pglite.close()
  return cuts
}

async function recover(disk: string): Promise<unknown> {
  const dataDir = join(dirname(disk), 'recovered')
  rmSync(dataDir, { recursive: true, force: true })
  cpSync(disk, join(dataDir, 'db'), { recursive: true })
  try {
    const { pglite, close } = await openEmbedded({ dataDir, log })
    const entries = await pglite
      .query<{ count: number; sum: number; lines: number }>(
        `SELECT (SELECT count(*)::int FROM entries) AS count, (SELECT coalesce(sum(amount), 0)::int FROM ledger) AS sum,
          (SELECT count(*)::int FROM ledger) AS lines`,
      )
      .finally(close)
    return entries.rows[0]
  } catch (error) {
    return (error as Error).message
  }
}

test('a power cut loses no acknowledged transaction, and leaves no transaction half done', async () => {
  const cuts = await runWithPowerCuts(durableStartParams, 40)
  expect(cuts.map(({ recovered }) => recovered)).toEqual(
    cuts.map(({ acknowledged }) => ({ count: acknowledged, sum: 0, lines: 2 * acknowledged })),
  )
})

test("the simulation loses data with PGlite's default parameters", async () => {
  const [cut] = await runWithPowerCuts(PGlite.defaultStartParams, 5)
  expect(cut?.recovered).not.toEqual({ count: 5, sum: 0, lines: 10 })
})

test('a commit syncs the disk at least once, and a read never', async () => {
  const dataDir = await makeDataDir()
  let syncs = 0
  const fs = new DurableNodeFS(join(dataDir, 'db'), { onSync: () => (syncs += 1), onAbort: () => {} })
  const pglite = await PGlite.create({ fs, startParams: durableStartParams })
  await pglite.exec('CREATE TABLE entries (id int)')
  const countSyncsOf = async (sql: string) => {
    const before = syncs
    await pglite.query(sql)
    return syncs - before
  }
  expect(await countSyncsOf('INSERT INTO entries VALUES (1)')).toBeGreaterThanOrEqual(1)
  expect(await countSyncsOf('SELECT * FROM entries')).toBe(0)
  await pglite.close()
})
