import type { Logger } from 'pino'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { AppDb } from '../../kernel/db.ts'
import { type Deltas, foldAll, foldInBackground } from './background.ts'

const deltas: Deltas = {
  table: 'affiliate_measure_deltas',
  min: 1_000,
  // Small, because the embedded database runs one statement at a time and has to be free again soon.
  batchSize: 2_000,
  lock: 7_265_001_907,
  foldBatch,
  failureMessage: 'could not fold the measures of affiliates',
}

export const foldMeasuresInBackground = (db: AppDb, log: Logger): (() => Promise<void>) =>
  foldInBackground(db, log, deltas)

/** Folds all deltas. Stops early if another process is folding. */
export const foldMeasures = (db: AppDb): Promise<void> => foldAll(db, deltas)

/**
 * Moves a batch of deltas into the measures in one statement, so that each statement sees each delta exactly once.
 * @returns the number of deltas that were moved
 */
async function foldBatch(tx: Prisma.TransactionClient, size: number): Promise<number> {
  const [folded] = await tx.$queryRaw<[{ count: number }]>`
    with gone as (
      delete from affiliate_measure_deltas using (
        select program_id, id from affiliate_measure_deltas order by program_id, id limit ${size}
      ) first
      where affiliate_measure_deltas.program_id = first.program_id and affiliate_measure_deltas.id = first.id
      returning affiliate_measure_deltas.*
    ), measures as (
      insert into affiliate_measures as known
        (program_id, affiliate_id, campaign_id, start, currency, conversions, revenue_cents, commissions_cents)
      select program_id, affiliate_id, campaign_id, start, currency, sum(conversions), sum(revenue_cents), sum(commissions_cents)
      from gone group by 1, 2, 3, 4, 5
      on conflict (program_id, affiliate_id, campaign_id, start, currency) do update set
        conversions = known.conversions + excluded.conversions, revenue_cents = known.revenue_cents + excluded.revenue_cents,
        commissions_cents = known.commissions_cents + excluded.commissions_cents
    )
    select count(*)::int from gone`
  return folded.count
}
