import type { Logger } from 'pino'
import { deleteInBatches } from '../../database/upkeep/delete-in-batches.ts'
import { dropExpired } from '../../database/upkeep/partitions.ts'
import { addDays } from '../../kernel/dates.ts'
import type { AppDb } from '../../kernel/db.ts'

/** Deletes visits older than `days`, by partitions and counted batches. Referrals and counts stay. */
export async function deleteOldVisits(db: AppDb, now: Date, days: number, log?: Logger): Promise<number> {
  const until = await dropExpired(db, { table: 'visits', until: addDays(now, -days), keptDays: days }, log)
  // One statement, because most programs have no old rows. A base of a move is not changed.
  const programs = await db.$queryRaw<{ id: string }[]>`
    select p.id::text from programs p, (select least_id(${until}::timestamptz) as id) until
    where p.base is null and exists (select from visits v where v.program_id = p.id and v.id < until.id)`
  let total = 0
  // The ids begin with the time, so the primary key finds the oldest visits.
  for (const { id } of programs)
    total += await deleteInBatches(
      (limit) => db.$executeRaw`
        delete from visits where program_id = ${id}::uuid and id in (
          select id from visits where program_id = ${id}::uuid and id < least_id(${until}::timestamptz) and at < ${until}::timestamptz
          order by id limit ${limit})`,
    )
  return total
}
