import type { Logger } from 'pino'
import { type Deltas, foldAll, foldInBackground } from '../../database/upkeep/background.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { AppDb } from '../../kernel/db.ts'
import { foldCohorts } from './cohort-rollup.ts'

/** Small, because the embedded database runs one statement at a time and has to be free again soon. */
const batchSize = 2_000

/** The key of the advisory lock for writing rollups. */
export const foldLock = 7_265_001_905

const deltas: Deltas = {
  table: 'analytics_deltas',
  // Fewer do not slow down reads, and folding each one alone would rewrite the same rollup rows over and over.
  min: 1_000,
  batchSize,
  lock: foldLock,
  foldBatch,
  // Lists that are sorted by money follow.
  maxAgeMs: 30_000,
  failureMessage: 'could not fold analytics deltas',
}

export const foldAnalyticsInBackground = (db: AppDb, log: Logger, everyMs?: number): (() => Promise<void>) =>
  foldInBackground(db, log, deltas, everyMs)

/** Folds all deltas. Stops early if another process is folding. */
export const foldDeltas = (db: AppDb): Promise<void> => foldAll(db, deltas)

/**
 * Moves a batch of deltas into the rollups in one transaction, so that a statement sees each delta exactly once. An
 * advisory lock serializes folding and the building of calendars.
 * @returns the number of deltas that were moved
 */
async function foldBatch(tx: Prisma.TransactionClient, size: number): Promise<number> {
  const [folded] = await tx.$queryRaw<[{ count: number; sellers: [] }]>`
    with gone as (
      delete from analytics_deltas using (
        select program_id, id from analytics_deltas order by program_id, id limit ${size}
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
      from gone cross join unnest(array['day', 'month', 'year']::analytics_grain[]) grain
      group by 1, 2, 3, 4, 5, 6, 7, 8, 9
      on conflict (program_id, kind, grain, start, affiliate_id, campaign_id, link_id, coupon_id, currency)
      do update set count = known.count + excluded.count, amount = known.amount + excluded.amount
    ), cohorts as (${foldCohorts})
    select count(*)::int, coalesce(jsonb_agg(distinct jsonb_build_array(program_id, affiliate_id))
      filter (where kind in ('sale', 'accrued', 'paid')), '[]') as sellers from gone`
  if (folded.sellers.length > 0)
    await tx.$queryRaw`select affiliates_keep_money(${JSON.stringify(folded.sellers)}::jsonb)::text`
  return folded.count
}
