import type { Logger } from 'pino'
import { withTransaction } from '../../database/transaction.ts'
import type { Prisma, PrismaClient } from '../../generated/prisma/client.ts'

/** The key of the advisory lock that a fold holds. Any number that is not used for another lock. */
const foldLock = 7_265_001_905
/** Small, because the embedded database runs one statement at a time and has to be free again soon. */
const batchSize = 2_000
/** Fewer deltas do not slow down reads, and folding each one alone would rewrite the same rollup rows over and over. */
const minDeltas = 1_000

/**
 * Folds deltas into the rollups in the background once there are enough of them, so that reads stay fast. Results do not
 * depend on it.
 *
 * @returns a function that stops it
 */
export function foldInBackground(db: PrismaClient, log: Logger, everyMs = 10_000): () => void {
  let isFolding = false
  const foldIfDue = async () => {
    if (isFolding) return
    isFolding = true
    try {
      if (await hasEnoughDeltas(db)) await foldDeltas(db, log)
    } catch (err) {
      log.warn({ err }, 'could not fold analytics deltas')
    }
    isFolding = false
  }
  const timer = setInterval(foldIfDue, everyMs).unref()
  return () => clearInterval(timer)
}

async function hasEnoughDeltas(db: PrismaClient): Promise<boolean> {
  const [found] = await db.$queryRaw<[{ count: number }]>`
    select count(*)::int from (select from analytics_deltas limit ${minDeltas}) pending_deltas`
  return found.count === minDeltas
}

/** Folds all deltas into the rollups in batches. Stops early if another process is folding. */
export async function foldDeltas(db: PrismaClient, log?: Logger): Promise<void> {
  while ((await foldBatch(db, log)) === batchSize);
}

/**
 * Moves a batch of deltas into the rollups in one transaction, so that a statement sees each delta in exactly one of them.
 * Only folding writes rollups, and the advisory lock serializes it, so no other transaction waits for these rows.
 *
 * @returns the number of deltas that were moved
 */
async function foldBatch(db: PrismaClient, log: Logger | undefined): Promise<number> {
  const run = async (tx: Prisma.TransactionClient) => {
    const [lock] = await tx.$queryRaw<
      [{ acquired: boolean }]
    >`select pg_try_advisory_xact_lock(${foldLock}::bigint) as acquired`
    if (!lock.acquired) return 0
    const [folded] = await tx.$queryRaw<[{ count: number }]>`
      with gone as (
        delete from analytics_deltas using (
          select program_id, id from analytics_deltas order by program_id, id limit ${batchSize}
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
