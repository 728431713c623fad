import { execFileSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { pino } from 'pino'
import { type Database, openDatabase } from '../../src/database/open.ts'
import { examine } from '../../src/modules/doctor/service.ts'
import { createSeller } from '../../test/support/factories.ts'
import { createCluster, postgresProgram } from '../../test/support/postgres-cluster.ts'
import { withDataDir } from './place.ts'
import { createProgramOn, send, startService, stopService } from './service.ts'

export const summary =
  'Backup under load, restore elsewhere: what was acknowledged before is there, and a backup at rest is equal. Both databases.'
export const unit = 'sales before the backup'
export const defaultSize = 500

const log = pino({ level: 'silent' })
const open = (dataDir: string, databaseUrl?: string) =>
  openDatabase({ dataDir, log, ...(databaseUrl && { databaseUrl }) })

/** A checksum of the rows of each table, in any order. */
async function checksums({ db }: Pick<Database, 'db'>): Promise<Map<string, string>> {
  const tables = await db.$queryRaw<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`
  const sums = new Map<string, string>()
  for (const { name } of tables) {
    const [row] = await db.$queryRawUnsafe<{ sum: string }[]>(
      `select count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)::numeric), 0) as sum from "${name}" t`,
    )
    sums.set(name, row?.sum ?? '')
  }
  return sums
}

type Place = { env: Record<string, string>; backUp(file: string): void; restore(file: string): Promise<Database> }

async function measure(kind: string, { env, backUp, restore }: Place, sales: number): Promise<void> {
  const folder = dirname(env.DATA_DIR as string)
  const service = await startService(env)
  const program = await createProgramOn(() => service.address)
  const { coupon } = await createSeller(program)
  const acknowledged: string[] = []
  let isOver = false
  const lanes = Array.from({ length: 8 }, async (_, lane) => {
    for (let n = 0; !isOver; n += 1) {
      const sale = { coupon, amount_cents: 100, external_id: `${lane}-${n}` }
      if ((await send(service.address, program.secret, 'POST', '/v1/conversions', sale)).status === 201)
        acknowledged.push(sale.external_id)
    }
  })
  while (acknowledged.length < sales) await new Promise((resolve) => setTimeout(resolve, 20))
  const before = [...acknowledged]
  backUp(join(folder, 'under-load'))
  isOver = true
  await Promise.all(lanes)
  await stopService(service)
  backUp(join(folder, 'at-rest'))
  const underLoad = await restore(join(folder, 'under-load'))
  const there = await underLoad.db.sale.count({ where: { externalId: { in: before } } })
  const findings = await examine(underLoad)
  await underLoad.close()
  console.log(
    `${kind}, under load: ${there} of ${before.length} sales that were acknowledged before; doctor: ${findings.length} findings`,
  )
  const original = await open(env.DATA_DIR as string, env.DATABASE_URL)
  const wanted = await checksums(original)
  await original.close()
  const restored = await restore(join(folder, 'at-rest'))
  const found = await checksums(restored)
  await restored.close()
  const different = [...wanted].filter(([name, sum]) => found.get(name) !== sum).map(([name]) => name)
  console.log(`${kind}, at rest: ${wanted.size} tables, ${different.length} differ ${different.join(', ')}`)
}

export async function run(sales: number): Promise<void> {
  await withDataDir(async (dataDir) => {
    let copies = 0
    const cli = (name: string, args: string[], env: Record<string, string>) =>
      execFileSync(process.execPath, [`dist/cli/${name}.js`, ...args], {
        env: { ...process.env, DATABASE_URL: '', ...env },
        stdio: 'pipe',
      })
    await measure(
      'embedded',
      {
        env: { DATA_DIR: dataDir },
        backUp: (file) => void cli('backup', [`${file}.tar.gz`], { DATA_DIR: dataDir }),
        restore: async (file) => {
          copies += 1
          const copy = `${dataDir}-${copies}`
          cli('restore', [`${file}.tar.gz`], { DATA_DIR: copy })
          return await open(copy)
        },
      },
      sales,
    )
  })
  const cluster = await createCluster()
  await withDataDir(async (dataDir) => {
    let copies = 0
    await measure(
      'PostgreSQL',
      {
        env: { DATA_DIR: dataDir, DATABASE_URL: cluster.url },
        backUp: (file) => void execFileSync(postgresProgram('pg_dump'), ['-Fc', '-f', file, cluster.url]),
        restore: async (file) => {
          copies += 1
          await cluster.run(`create database copy_${copies}`)
          const url = Object.assign(new URL(cluster.url), { pathname: `/copy_${copies}` }).href
          execFileSync(postgresProgram('pg_restore'), ['-d', url, file])
          return await open(dataDir, url)
        },
      },
      sales,
    )
  }).finally(cluster.remove)
}
