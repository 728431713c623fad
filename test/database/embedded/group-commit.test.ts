import { cpSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { expect, test } from 'vitest'
import { statement } from '../../../src/database/client/sql.ts'
import { durableStartParams } from '../../../src/database/embedded/durable-fs.ts'
import { openEmbedded } from '../../../src/database/embedded/open.ts'
import { createEmbeddedSql } from '../../../src/database/embedded/sql.ts'
import { makeDataDir } from '../../support/data-directory.ts'
import { createMemoryDatabase, silentLog as log } from '../../support/database.ts'
import { PowerCutFS } from '../../support/power-cut-fs.ts'

const insert = statement('insert into entries (id) values ($1::int)')
const ids = statement<{ id: number }>('select id from entries order by id')

/** A database whose disk can be copied as a power cut at that moment would leave it. */
async function openOnSimulatedDisk() {
  const dataDir = await makeDataDir()
  const live = join(dataDir, 'db')
  const disk = join(dirname(dataDir), 'disk')
  cpSync(live, disk, { recursive: true })
  let syncs = 0
  const fs = new PowerCutFS(live, disk, () => (syncs += 1))
  const pglite = await PGlite.create({ fs, startParams: durableStartParams })
  await pglite.exec('create table entries (id int primary key)')
  let cuts = 0
  const cutPower = () => {
    cuts += 1
    const folder = join(dirname(dataDir), `cut-${cuts}`)
    cpSync(disk, join(folder, 'db'), { recursive: true })
    return folder
  }
  return { pglite, sql: createEmbeddedSql(pglite), cutPower, countSyncs: () => syncs }
}

async function idsAfter(dataDir: string): Promise<number[]> {
  const { pglite, close } = await openEmbedded({ dataDir, log })
  const { rows } = await pglite.query<{ id: number }>(ids.text).finally(close)
  return rows.map(({ id }) => id)
}

test('transactions that wait together share syncs, and each is answered only when it is on disk', async () => {
  const { pglite, sql, cutPower, countSyncs } = await openOnSimulatedDisk()
  const before = countSyncs()
  const answered: number[] = []
  const cuts: { folder: string; answered: number[] }[] = []
  await Promise.all(
    Array.from({ length: 24 }, async (_, id) => {
      await sql.transaction((tx) => tx.query(insert, [id]))
      answered.push(id)
      if (id % 16 === 4) cuts.push({ folder: cutPower(), answered: [...answered] })
    }),
  )
  expect(countSyncs() - before).toBeLessThan(24)
  await pglite.close()
  expect(cuts).toHaveLength(2)
  for (const { folder, answered } of cuts) expect(await idsAfter(folder)).toEqual(expect.arrayContaining(answered))
})

test('a read between two transactions never returns what a power cut would undo', async () => {
  const { pglite, sql, cutPower } = await openOnSimulatedDisk()
  const cuts: { folder: string; seen: number[] }[] = []
  await Promise.all(
    Array.from({ length: 12 }, async (_, id) => {
      await Promise.all([
        sql.transaction((tx) => tx.query(insert, [id])),
        id === 3 && sql.query(ids).then((rows) => cuts.push({ folder: cutPower(), seen: rows.map((row) => row.id) })),
      ])
    }),
  )
  await pglite.close()
  expect(cuts).toHaveLength(1)
  for (const { folder, seen } of cuts) expect(await idsAfter(folder)).toEqual(expect.arrayContaining(seen))
})

test('a transaction that fails fails alone: its neighbours are committed', async () => {
  const { pglite, sql } = await openOnSimulatedDisk()
  const outcomes = await Promise.allSettled(
    [1, 2, 2, 3, 4].map((id) =>
      sql.transaction(async (tx) => {
        await tx.query(insert, [id])
        if (id === 3) throw new Error('no')
      }),
    ),
  )
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected', 'fulfilled'])
  expect(await sql.query(ids)).toEqual([{ id: 1 }, { id: 2 }, { id: 4 }])
  await pglite.close()
})

test('after the database has stopped, transactions fail instead of waiting', async () => {
  const { db, drop } = await createMemoryDatabase({ isOwn: true })
  const sql = db.sql
  await drop()
  await expect(sql.transaction((tx) => tx.query(statement('select 1')))).rejects.toThrow()
})
