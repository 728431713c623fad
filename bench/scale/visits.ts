import { tmpdir } from 'node:os'
import type pg from 'pg'
import { openDatabase } from '../../src/database/open.ts'
import { createAffiliate } from '../../src/modules/affiliates/create.ts'
import { createProgram } from '../../src/modules/programs/service.ts'
import { deleteOldVisits } from '../../src/modules/tracking/retention.ts'
import { createTracker, trackingCtx, trackVisit } from '../../src/modules/tracking/service.ts'
import { createCluster } from '../../test/support/postgres-cluster.ts'
import { cpuBetween, readBackends } from '../cpu.ts'
import { log, operatorCtx, withClient } from '../database.ts'
import { fillVisits, partitionVisits } from './fill-visits.ts'

export const summary =
  'A year of visits: cost of a click, disk, retention and plans by the size of the tables, and with partitions.'
export const unit = 'visits'
export const defaultSize = 1_000_000

const rounds = 5
const clicksOfRound = 2_000
const affiliates = 200

/**
 * Three databases: one with a fiftieth of the visits, one with all of them, and one with all of them in 13 partitions by month.
 * Clicks are made in turns on each. The rows are those of a real click, copied over a year.
 */
export async function run(visits: number): Promise<void> {
  const cluster = await createCluster(
    '-c wal_level=minimal -c max_wal_senders=0 -c max_wal_size=4GB -c maintenance_work_mem=512MB -c shared_buffers=1GB',
  )
  const urlOf = (name: string) => Object.assign(new URL(cluster.url), { pathname: `/${name}` }).href
  try {
    await withClient(cluster.url, async (server) => {
      const few = Math.ceil(visits / 50)
      await server.query('create database few')
      const program = await createProgramWithClick(urlOf('few'))
      await server.query('create database many template few')
      await withClient(urlOf('few'), (client) => fillVisits(client, program.id, few))
      await withClient(urlOf('many'), (client) => fillVisits(client, program.id, visits))
      await server.query('create database parts template many')
      await withClient(urlOf('parts'), partitionVisits)
      await showDisk(urlOf('many'))
      await compareClicks(server, urlOf, program, [
        ['few', `${few} visits`],
        ['many', `${visits} visits`],
        ['parts', `${visits} visits in partitions`],
      ])
      for (const name of ['few', 'many', 'parts'])
        await withClient(urlOf(name), (client) => showPlans(name, client, program.id))
      await showRetention('many', urlOf('many'), server)
      await showRetention('parts', urlOf('parts'), server)
    })
  } finally {
    cluster.remove()
  }
}

type Program = Awaited<ReturnType<typeof createProgram>>

const open = (databaseUrl: string) => openDatabase({ dataDir: tmpdir(), databaseUrl, log })

async function createProgramWithClick(url: string): Promise<Program> {
  const { db, close } = await open(url)
  const ctx = operatorCtx(db)
  const program = await createProgram(ctx, { name: 'Bench', url: 'https://acme.test', currency: 'usd' })
  for (let n = 0; n < affiliates; n += 1)
    await createAffiliate({ ...ctx, program }, { email: `${n}@example.com`, token: `t${n}` })
  await click(createTracker(db, log), trackingCtx(ctx, program), 0)
  await close()
  return program
}

/** A click of a new visitor. Few links get most of them. */
const click = (tracker: ReturnType<typeof createTracker>, ctx: ReturnType<typeof trackingCtx>, n: number) =>
  trackVisit(
    ctx,
    tracker,
    { id: `${n}`, address: '', userAgent: '' },
    {
      token: `t${Math.floor(affiliates * Math.random() ** 2)}`,
      visitor: `${performance.now()} ${n}`,
      url: 'https://acme.test/pricing?plan=team',
      referrer: 'https://blog.example.com/posts/affiliate-programs',
    },
  )

async function compareClicks(
  server: pg.Client,
  urlOf: (name: string) => string,
  program: Program,
  databases: [name: string, label: string][],
): Promise<void> {
  const opened = await Promise.all(
    databases.map(async ([name, label]) => {
      const database = await open(urlOf(name))
      const ctx = trackingCtx(operatorCtx(database.db), program)
      return {
        name,
        label,
        ...database,
        ctx,
        tracker: createTracker(database.db, log),
        postgres: [] as number[],
        wal: [] as number[],
      }
    }),
  )
  // The first round is not counted.
  for (let round = 0; round <= rounds; round += 1) {
    for (const { name, tracker, ctx, postgres, wal } of opened) {
      const before = await readBackends(server, name)
      const position = await walPosition(server)
      let next = 0
      const work = async () => {
        for (let n = next++; n < clicksOfRound; n = next++) await click(tracker, ctx, n)
      }
      await Promise.all(Array.from({ length: 100 }, work))
      await tracker.flush(new Date())
      if (round === 0) continue
      postgres.push(cpuBetween(before, await readBackends(server, name)) / clicksOfRound)
      wal.push(((await walPosition(server)) - position) / clicksOfRound)
    }
  }
  console.log(`A click, counted, ${clicksOfRound} in each of ${rounds} rounds in turns: median and lowest`)
  for (const { label, postgres, wal, close } of opened) {
    console.log(
      `  ${label}: PostgreSQL ${median(postgres).toFixed(3)} ms of CPU, lowest ${Math.min(...postgres).toFixed(3)}; WAL ${median(wal).toFixed(0)} bytes`,
    )
    await close()
  }
}

const walPosition = async (client: pg.Client): Promise<number> =>
  Number((await client.query(`select pg_current_wal_lsn() - '0/0'::pg_lsn as bytes`)).rows[0].bytes)

const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number

async function showDisk(url: string): Promise<void> {
  await withClient(url, async (client) => {
    const { rows } = await client.query(`
      select relname, reltuples::float8 as count, coalesce((select sum(pg_table_size(relid)) from pg_partition_tree(oid)), pg_table_size(oid))::float8 as heap,
        coalesce((select sum(pg_indexes_size(relid)) from pg_partition_tree(oid)), pg_indexes_size(oid))::float8 as indexes
      from pg_class where relname in ('visits', 'referrals', 'events', 'event_states') order by 1`)
    console.log('Disk for each row, in bytes: the row, its indexes')
    for (const { relname, count, heap, indexes } of rows)
      console.log(
        `  ${relname}: ${(heap / count).toFixed(0)} + ${(indexes / count).toFixed(0)}; ${Math.round(count)} rows, ${((heap + indexes) / 2 ** 30).toFixed(2)} GiB`,
      )
  })
}

/** The statements that read visits, each with its milliseconds and the shared buffers that it touched. */
async function showPlans(name: string, client: pg.Client, programId: string): Promise<void> {
  const { rows } = await client.query(
    'select id, link_id, referral_id from visits where program_id = $1 order by id desc offset 1000 limit 1',
    [programId],
  )
  const { id, link_id, referral_id } = rows[0]
  const [program, byProgram] = [`'${programId}'`, `program_id = '${programId}'`]
  const statements: [string, string][] = [
    ['one visit by id', `select * from visits where ${byProgram} and id = '${id}'`],
    ['visits of a referral', `select count(*) from visits where ${byProgram} and referral_id = '${referral_id}'`],
    [
      'visits of a referral, with a lower bound of the id',
      `select count(*) from visits where ${byProgram} and referral_id = '${referral_id}' and id >= '${id.slice(0, 13)}-7000-8000-000000000000'`,
    ],
    [
      'newest 25 of a link',
      `select * from visits where ${byProgram} and link_id = '${link_id}' order by id desc limit 25`,
    ],
    ['page of 25', `select * from visits where program_id = ${program} and id < '${id}' order by id desc limit 25`],
  ]
  console.log(`Reads of ${name}: ms to plan, ms to run, buffers; lowest of 5`)
  for (const [label, sql] of statements) {
    const seen: [number, number, number][] = []
    for (let n = 0; n < 5; n += 1) {
      const [plan] = (await client.query(`explain (analyze, buffers, format json) ${sql}`)).rows[0]['QUERY PLAN']
      if (JSON.stringify(plan).includes('"Seq Scan"')) throw new Error(`${label} reads the whole table`)
      seen.push([
        plan['Planning Time'],
        plan['Execution Time'],
        plan.Plan['Shared Hit Blocks'] + plan.Plan['Shared Read Blocks'],
      ])
    }
    const lowest = [0, 1, 2].map((n) => Math.min(...seen.map((one) => one[n] as number)))
    console.log(`  ${label}: ${lowest[0]?.toFixed(2)}, ${lowest[1]?.toFixed(2)}, ${lowest[2]}`)
  }
}

/** Deletes visits as the service does: in batches, or whole partitions. Only the first partition is always emptied in batches. */
async function showRetention(name: string, url: string, server: pg.Client): Promise<void> {
  const { db, close } = await open(url)
  const count = () => db.visit.count()
  // Of several partitions, this empties the first one, which ends 335.5 days ago. The second one ends 305 days ago.
  await deleteOldVisits(db, new Date(), 309)
  const visits = await count()
  const before = await readBackends(server, name)
  const startedAt = performance.now()
  await deleteOldVisits(db, new Date(), 300)
  const ms = performance.now() - startedAt
  const cpu = cpuBetween(before, await readBackends(server, name))
  const deleted = visits - (await count())
  console.log(
    `Retention of ${name}: ${deleted} visits in ${(ms / 1000).toFixed(2)} s, ${((1000 * cpu) / deleted).toFixed(2)} µs of CPU each`,
  )
  await close()
}
