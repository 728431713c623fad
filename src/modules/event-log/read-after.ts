import { Prisma } from '../../generated/prisma/client.ts'
import type { AppDb } from '../../kernel/db.ts'

export type LoggedEvent = { id: string; subjectId: string }

/** Longer than a transaction takes: an event can be committed this long after its id was made. */
const latestCommit = Prisma.sql`interval '20 seconds'`

/** Reads events in the order of the log. `around` also reads earlier ones that may have been committed after it. */
export function readAfter(
  db: AppDb,
  programId: string,
  { types, affiliateId }: { types: readonly string[] | null; affiliateId?: string | null | undefined },
  position: { after: string } | { around: string },
  limit: number,
): Promise<LoggedEvent[]> {
  const beyond =
    'after' in position
      ? Prisma.sql`id > ${position.after}::uuid`
      : Prisma.sql`id >= least_id(time_of_id(${position.around}::uuid) - ${latestCommit})`
  return db.$queryRaw<LoggedEvent[]>`
    select id::text, subject_id::text as "subjectId" from events
    where program_id = ${programId}::uuid and ${beyond}
      and (${types === null} or type = any(${[...(types ?? [])]}::text[]))
      and (${affiliateId ?? null}::uuid is null or affiliate_id = ${affiliateId ?? null}::uuid)
    order by id limit ${limit}::int`
}
