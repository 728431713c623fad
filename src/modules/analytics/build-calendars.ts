import type { Logger } from 'pino'
import { withTransaction } from '../../database/client/transaction.ts'
import { repeatInBackground } from '../../database/upkeep/background.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { AppDb } from '../../kernel/db.ts'
import type { Calendar } from './calendars.ts'
import { buildCohorts } from './cohort-rollup.ts'
import { foldLock } from './fold.ts'
import { nilId } from './where.ts'

/** Beside UTC. Each calendar costs folding, and reports in other zones are as exact. */
const maxCalendars = 1
/** A calendar that was not used for so long gives way to another one. */
const unusedDays = 7
/** As small as batches of folding, for the same reason. */
const batchSize = 2_000

type Use = { programId: string; calendar: Calendar }

/** The calendars that reports of this process have asked for since they were built last, by database. */
const uses = new WeakMap<object, Map<string, Use>>()

/** Notes that a report needs a calendar, so that it is built in the background, and kept. */
export function noteUse(db: AppDb, programId: string, calendar: Calendar): void {
  const base = db.base
  const ofDatabase = uses.get(base) ?? new Map<string, Use>()
  uses.set(base, ofDatabase)
  ofDatabase.set(`${programId} ${calendar.id}`, { programId, calendar })
}

export const buildCalendarsInBackground = (db: AppDb, log: Logger, everyMs = 10_000): (() => Promise<void>) =>
  repeatInBackground((isStopped) => buildCalendars(db, isStopped), {
    everyMs,
    log,
    failureMessage: 'could not build cohorts of a time zone',
  })

/** Builds the calendars that reports have asked for. Stops early if another process is folding. */
export async function buildCalendars(db: AppDb, isStopped = () => false): Promise<void> {
  const noted = uses.get(db)
  uses.delete(db)
  for (const { programId, calendar } of noted?.values() ?? []) {
    // A base of a move is not changed.
    const program = await db.program.findUnique({ where: { id: programId }, select: { base: true } })
    if (program?.base !== null) continue
    await withLock(db, (tx) => keepCalendar(tx, programId, calendar))
    while (!isStopped() && (await withLock(db, (tx) => buildBatch(tx, programId, calendar.id))));
  }
}

/** Folding writes the same rows. */
async function withLock(db: AppDb, run: (tx: Prisma.TransactionClient) => Promise<boolean>): Promise<boolean> {
  return await withTransaction(db, async (tx) => {
    const [{ acquired }] = await tx.$queryRaw<
      [{ acquired: boolean }]
    >`select pg_try_advisory_xact_lock(${foldLock}::bigint) as acquired`
    return acquired && (await run(tx))
  })
}

/** Adds a calendar to those of the program, in the place of one that is not used any more, if there is room for it. */
async function keepCalendar(tx: Prisma.TransactionClient, programId: string, { id, starts, offsets }: Calendar) {
  const touched = await tx.$executeRaw`
    update analytics_calendars set used_at = now() where program_id = ${programId}::uuid and id = ${id}`
  if (touched > 0) return true
  await tx.$executeRaw`
    with unused as (
      delete from analytics_calendars
      where program_id = ${programId}::uuid and used_at < now() - make_interval(days => ${unusedDays})
      returning id
    )
    delete from analytics_cohorts where program_id = ${programId}::uuid and calendar in (select id from unused)`
  await tx.$executeRaw`
    insert into analytics_calendars (program_id, id, starts, offsets, built_until, used_at)
    select id, ${id}, ${starts.map((ms) => new Date(ms).toISOString())}::text[]::timestamptz[], ${offsets}::int[], ${nilId}::uuid, now()
    from programs
    where id = ${programId}::uuid
      and (select count(*) from analytics_calendars where program_id = ${programId}::uuid) < ${maxCalendars}`
  return true
}

async function buildBatch(tx: Prisma.TransactionClient, programId: string, calendarId: string): Promise<boolean> {
  const [built] = await tx.$queryRaw<{ hasMore: boolean }[]>(buildCohorts(programId, calendarId, batchSize))
  return built?.hasMore ?? false
}
