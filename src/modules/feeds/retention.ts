import { deleteInBatches } from '../../database/upkeep/delete-in-batches.ts'
import { addDays } from '../../kernel/dates.ts'
import type { AppDb } from '../../kernel/db.ts'

/** How long events of feeds are kept, unless the configuration says otherwise. */
export const defaultFeedDays = 400

/** Deletes events that were received before the days of retention. */
export const deleteOldFeedEvents = (db: AppDb, now: Date, days: number): Promise<number> =>
  deleteInBatches(
    (limit) => db.$executeRaw`
      delete from feed_events where (program_id, id) in (
        select program_id, id from feed_events where created_at < ${addDays(now, -days)}::timestamptz
          and not exists (select from programs p where p.id = program_id and p.closed_at is not null) limit ${limit})`,
  )
