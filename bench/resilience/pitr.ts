import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { openDatabase } from '../../src/database/open.ts'
import { examine } from '../../src/modules/doctor/service.ts'
import { createSeller } from '../../test/support/factories.ts'
import { withServer } from '../../test/support/global-setup.ts'
import { createCluster, giveToPostgres, postgresProgram } from '../../test/support/postgres-cluster.ts'
import { withDataDir } from './place.ts'
import { adminToken, createProgramOn, send, startService, stopService } from './service.ts'

export const summary = 'Point-in-time recovery: a program is deleted, and PostgreSQL restored to the moment before.'
export const unit = 'sales before and after the base backup'
export const defaultSize = 300

const readText = (url: string, sql: string): Promise<string> =>
  withServer(url, async (client) => (await client.query<{ value: string }>(sql)).rows[0]?.value ?? '')

async function waitUntil(url: string, sql: string): Promise<void> {
  while ((await readText(url, sql)) !== 'true') await pause(100)
}

export async function run(sales: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-archive-'))
  const archive = join(folder, 'wal')
  const backup = join(folder, 'backup')
  mkdirSync(archive)
  giveToPostgres(folder)
  const cluster = await createCluster(
    `-c archive_mode=on -c "archive_command=test ! -f ${archive}/%f && cp %p ${archive}/%f"`,
  )
  try {
    await withDataDir(async (dataDir) => {
      const service = await startService({ DATA_DIR: dataDir, DATABASE_URL: cluster.url })
      const program = await createProgramOn(() => service.address)
      const { coupon } = await createSeller(program)
      const acknowledged: string[] = []
      const sell = async (prefix: string) => {
        for (let n = 0; n < sales; n += 1) {
          const sale = { coupon, amount_cents: 1_000, external_id: `${prefix}-${n}` }
          const { status } = await send(service.address, program.secret, 'POST', '/v1/conversions', sale)
          if (status === 201) acknowledged.push(sale.external_id)
        }
      }
      await sell('before')
      execFileSync(postgresProgram('pg_basebackup'), ['-d', cluster.url, '-D', backup, '-c', 'fast'], { stdio: 'pipe' })
      await sell('after')
      const moment = await readText(cluster.url, 'select clock_timestamp()::text as value')
      await pause(50)
      const query = `mutation { deleteProgram(input: { id: "${program.id}", confirmSlug: "${program.slug}" }) { __typename } }`
      const deleted = await send(service.address, adminToken, 'POST', '/graphql', { query })
      await stopService(service)
      const wal = await readText(cluster.url, 'select pg_walfile_name(pg_switch_wal()) as value')
      await waitUntil(cluster.url, `select (last_archived_wal >= '${wal}')::text as value from pg_stat_archiver`)
      cluster.stop('fast')
      if (JSON.parse(deleted.body).errors) throw new Error(`The program was not deleted: ${deleted.body}`)
      await check(archive, backup, moment, acknowledged)
    })
  } finally {
    cluster.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Restores the base backup, replays the archive up to the moment, and reads what is there. */
async function check(archive: string, backup: string, moment: string, acknowledged: string[]): Promise<void> {
  const startedAt = performance.now()
  const target = `-c "recovery_target_time=${moment}" -c recovery_target_action=promote`
  const restored = await createCluster(`-c "restore_command=cp ${archive}/%f %p" ${target}`, (data) => {
    execFileSync('cp', ['-a', `${backup}/.`, data])
    writeFileSync(join(data, 'recovery.signal'), '')
    giveToPostgres(data)
  })
  try {
    await waitUntil(restored.url, 'select (not pg_is_in_recovery())::text as value')
    const seconds = (performance.now() - startedAt) / 1000
    const log = pino({ level: 'silent' })
    const database = await openDatabase({ dataDir: tmpdir(), databaseUrl: restored.url, log })
    const there = await database.db.sale.count({ where: { externalId: { in: acknowledged } } })
    const findings = (await examine(database)).length
    await database.close()
    console.log(
      `restored to ${moment} in ${seconds.toFixed(1)} s: ${there} of ${acknowledged.length} sales; doctor: ${findings} findings`,
    )
  } finally {
    restored.remove()
  }
}
