import type { Logger } from 'pino'
import type { AppDb, Statement } from '../../kernel/db.ts'
import { statement } from '../client/sql.ts'
import { repeatInBackground } from './background.ts'

/**
 * The tables that grow with time, in partitions by the time that their ids begin with. A table is one partition until
 * it is large; then it is cut at a near time, and again when the next partition is large.
 */
const partitionedTables = [
  'changes',
  'event_states',
  'events',
  'failed_requests',
  'visits',
  'webhook_deliveries',
] as const

type PartitionedTable = (typeof partitionedTables)[number]

/** The days for which the rows of a table are kept. A table without them keeps its rows. */
export type KeptDays = Partial<Record<PartitionedTable, number | undefined>>

const dayMs = 86_400_000
/** A partition with more rows is cut. Below, more partitions cost each statement more than they save. */
const largeRows = 5_000_000
/** A cut is this far ahead, so that the new partition is empty when its time begins. */
const aheadMs = 2 * dayMs
/** With as many rows, the end of a partition is checked before the table is locked, not meanwhile. */
const slowToCheckRows = 100_000
/** The most rows that outlive their partition. With more, rows are deleted one by one. */
const mostKept = 10_000

/** Others wait for a lock that this waits for. Busy tables are tried again. */
const lockMs = 500
const patienceMs = 10 * 60_000
/** The key of the advisory lock of what drops partitions. Any number that is not used for another lock. */
const dropLock = 7_265_001_912
/** The key of the advisory lock of what gathers statistics. */
const analyzeLock = 7_265_001_913

/** A twelfth of the days of retention: about twelve partitions, and no row is dropped later than this. */
const periodMs = (keptDays = 365): number => Math.ceil(keptDays / 12) * dayMs

type Partition = { name: string; rows: number; startsAt: Date | null }

const readPartitions = statement<Partition>(`
  select name::text, rows::float8, from_at as "startsAt" from table_partitions where of_table = $1 order by from_id nulls first`)

/** Cuts large tables in the background. Every instance may do it. @returns a function that stops it */
export const cutTablesInBackground = (db: AppDb, now: () => Date, log: Logger, kept: KeptDays): (() => Promise<void>) =>
  repeatInBackground(
    async () => {
      await cutTables(db, now(), kept, { log })
      await analyzeTables(db)
    },
    { everyMs: 600_000, log, failureMessage: 'could not add partitions' },
  )

/** Cuts the tables whose last partition is in use, large, and as old as a period. */
export async function cutTables(
  db: AppDb,
  now: Date,
  kept: KeptDays,
  { log, minRows = largeRows }: { log?: Logger; minRows?: number } = {},
): Promise<void> {
  for (const table of partitionedTables) {
    const last = (await db.sql.query(readPartitions, [table])).at(-1) as Partition
    const at = cutOf(last, now, periodMs(kept[table]))
    if (at === null || last.rows < minRows || (await isBeingCut(db, last, now))) continue
    await cut(db, table, last, at)
    log?.info({ table, at }, 'partition added')
  }
}

/** The start of the day at which a partition ends. Null while it is too early to cut it. */
function cutOf({ startsAt }: Partition, now: Date, period: number): Date | null {
  const earliest = now.getTime() + aheadMs
  if (startsAt && startsAt.getTime() + period > earliest) return null
  return new Date(Math.floor(earliest / dayMs) * dayMs)
}

const cutPartition = statement('select cut_partition($1, $2)')
const endPartition = statement('select end_partition($1, $2, $3)')

async function cut(db: AppDb, table: PartitionedTable, { name, rows }: Partition, at: Date): Promise<void> {
  const addPartition = () => run(db, cutPartition, [table, at])
  if (rows < slowToCheckRows || (await hasRowsAfter(db, name, at))) {
    await addPartition()
    return
  }
  // Without this constraint, the table would be locked while PostgreSQL reads the whole partition.
  const end = `${name}_ends_${Math.floor(Date.now() / 1_000)}`
  await run(db, endPartition, [name, end, at])
  try {
    await run(db, statement(`alter table ${name} validate constraint ${end}`))
    await addPartition()
  } catch (error) {
    await run(db, statement(`alter table ${name} drop constraint if exists ${end}`))
    throw error
  }
}

/** Sandboxes can be ahead. Each program is looked up by its key. */
async function hasRowsAfter(db: AppDb, name: string, at: Date): Promise<boolean> {
  const found = statement<{ ahead: boolean }>(`
    select exists (select from programs p
      cross join lateral (select from ${name} r where r.program_id = p.id and r.id >= least_id($1) limit 1) later) as ahead`)
  const [row] = await run(db, found, [at])
  return row?.ahead === true
}

const findEnds = statement<{ end: string; addedAt: Date }>(`
  select conname::text as end, to_timestamp(substring(conname from '_ends_([0-9]+)$')::bigint) as "addedAt"
  from pg_constraint where conrelid = $1::text::regclass and contype = 'c' and conname ~ '_ends_[0-9]+$'`)

/** Whether another instance cuts this partition now. What a crashed one left is removed. */
async function isBeingCut(db: AppDb, { name }: Partition, now: Date): Promise<boolean> {
  const ends = await db.sql.query(findEnds, [name])
  const left = ends.filter(({ addedAt }) => addedAt.getTime() < now.getTime() - 3 * patienceMs)
  for (const { end } of left) await run(db, statement(`alter table ${name} drop constraint if exists ${end}`))
  return ends.length > left.length
}

const findUnanalyzed = statement<{ name: string }>(`
  select of_table::text as name from table_partitions join pg_class on pg_class.oid = of_table::regclass
  group by of_table, reltuples having abs(sum(rows) - reltuples) > 0.2 * abs(reltuples)`)

const lockAnalysis = statement<{ acquired: boolean }>(`
  select pg_try_advisory_xact_lock(${analyzeLock}) as acquired, set_config('vacuum_cost_delay', '2ms', true)`)

/** Gathers statistics of partitioned tables that have changed by a fifth. One instance at a time, slowly. */
export async function analyzeTables(db: AppDb): Promise<void> {
  for (const { name } of await db.sql.query(findUnanalyzed))
    await inTransaction(db, async (query) => {
      const [lock] = await query(lockAnalysis)
      if (!lock?.acquired) return
      const isUnanalyzed = (await query(findUnanalyzed)).some((table) => table.name === name)
      if (isUnanalyzed) await query(statement(`analyze (skip_locked) ${name}`))
    })
}

const limitTimes = statement(`select set_config('lock_timeout', $1, true), set_config('statement_timeout', $2, true)`)

type Query = <Row>(one: Statement<Row>, values?: readonly unknown[]) => Promise<Row[]>

/** Runs statements that others wait for if they wait for a lock, and that may take long otherwise. */
const inTransaction = <Result>(db: AppDb, work: (query: Query) => Promise<Result>): Promise<Result> =>
  db.sql.transaction(async (tx) => {
    await tx.query(limitTimes, [`${lockMs}`, `${patienceMs}`])
    return await work((one, values = []) => tx.query({ ...one, patienceMs }, values))
  })

const run = <Row>(db: AppDb, one: Statement<Row>, values?: readonly unknown[]): Promise<Row[]> =>
  inTransaction(db, (query) => query(one, values))

type Expired = {
  table: PartitionedTable
  until: Date
  keptDays: number
  /** The condition for rows `r` that are kept, in SQL. By default, no rows are. */
  kept?: string
}

const drop = statement<{ dropped: string | null }>(`
  select drop_partitions($1, $2, $3, ${mostKept})::text as dropped
  where pg_try_advisory_xact_lock(${dropLock}) and not exists (select from programs where base is not null)`)

/**
 * Drops the partitions of a table that end before `until`. Tries again later if the table is in use, and drops nothing
 * while a base of a program waits for its changes.
 * @returns the time until which rows are to be deleted one by one: `until` itself if the table has one partition, else
 *   earlier
 */
export async function dropExpired(
  db: AppDb,
  { table, until, keptDays, kept = 'false' }: Expired,
  log?: Logger,
): Promise<Date> {
  if ((await db.sql.query(readPartitions, [table])).length < 2) return until
  try {
    const [result] = await run(db, drop, [table, until, kept])
    if (Number(result?.dropped) > 0) log?.info({ table, until, rows: Number(result?.dropped) }, 'partitions dropped')
  } catch (err) {
    // Somebody reads the table for longer than others may wait.
    log?.info({ err, table }, 'partitions not dropped yet')
  }
  return new Date(until.getTime() - periodMs(keptDays))
}
