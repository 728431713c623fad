import type { Logger } from 'pino'
import { withTransaction } from '../../database/transaction.ts'
import type { PrismaClient } from '../../generated/prisma/client.ts'

/** Any number that nothing else locks: whoever folds holds it. */
const foldLock = 7_265_001_905
/** So few that the embedded database, which does one thing at a time, is soon free again. */
const mostAtOnce = 2_000
/** Fewer cost a read nothing, and folding them one by one would write each rollup's row again and again. */
const worthIt = 1_000

/**
 * Folds in the background where enough has gathered, so that what a read adds to the rollups stays little. Nothing
 * depends on it but the time that reads take.
 *
 * @returns what ends it
 */
export function foldInBackground(db: PrismaClient, log: Logger, everyMs = 10_000): () => void {
  let isFolding = false
  const look = async () => {
    if (isFolding) return
    isFolding = true
    try {
      if (await hasGathered(db)) await foldDeltas(db, log)
    } catch (error) {
      log.warn({ err: error }, 'The numbers of analytics could not be folded; they are folded later.')
    }
    isFolding = false
  }
  const timer = setInterval(look, everyMs).unref()
  return () => clearInterval(timer)
}

async function hasGathered(db: PrismaClient): Promise<boolean> {
  const [found] = await db.$queryRaw<[{ count: number }]>`
    select count(*)::int from (select from analytics_deltas limit ${worthIt}) gathered`
  return found.count === worthIt
}

/** Adds the deltas to the rollups, so many at a time, until none is left or somebody else is at it. */
export async function foldDeltas(db: PrismaClient, log?: Logger): Promise<void> {
  while ((await foldSome(db, log)) === mostAtOnce);
}

/**
 * One transaction moves deltas into the rollups, so that a statement sees each of them in one of the two. Only who folds
 * writes rollups, one at a time, and nobody else waits for what is locked here.
 *
 * @returns how many deltas were moved
 */
async function foldSome(db: PrismaClient, log: Logger | undefined): Promise<number> {
  const run = async (tx: Parameters<Parameters<typeof withTransaction>[1]>[0]) => {
    const [lock] = await tx.$queryRaw<
      [{ taken: boolean }]
    >`select pg_try_advisory_xact_lock(${foldLock}::bigint) as taken`
    if (!lock.taken) return 0
    const [folded] = await tx.$queryRaw<[{ count: number }]>`
      with gone as (
        delete from analytics_deltas using (
          select program_id, id from analytics_deltas order by program_id, id limit ${mostAtOnce}
        ) first
        where analytics_deltas.program_id = first.program_id and analytics_deltas.id = first.id
        returning analytics_deltas.*
      ), by_campaign as (
        insert into analytics_by_campaign as known (program_id, kind, grain, start, campaign_id, currency, count, amount)
        select program_id, kind, grain, analytics_start(grain, start), campaign_id, currency, sum(count), sum(amount)
        from gone cross join unnest(enum_range(null::analytics_grain)) grain
        group by 1, 2, 3, 4, 5, 6
        on conflict (program_id, kind, grain, start, campaign_id, currency)
        do update set count = known.count + excluded.count, amount = known.amount + excluded.amount
      ), by_source as (
        insert into analytics_by_source as known
          (program_id, kind, grain, start, campaign_id, affiliate_id, link_id, coupon_id, currency, count, amount)
        select program_id, kind, grain, analytics_start(grain, start), campaign_id, affiliate_id, link_id, coupon_id,
          currency, sum(count), sum(amount)
        from gone cross join unnest(array['day', 'month']::analytics_grain[]) grain
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9
        on conflict (program_id, kind, grain, start, affiliate_id, campaign_id, link_id, coupon_id, currency)
        do update set count = known.count + excluded.count, amount = known.amount + excluded.amount
      )
      select count(*)::int from gone`
    return folded.count
  }
  return withTransaction(db, run, { log })
}
