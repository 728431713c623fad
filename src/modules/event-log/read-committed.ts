import { statement } from '../../database/client/sql.ts'
import type { Sql } from '../../kernel/db.ts'

/** A moment between commits, as the database describes it. */
export type Snapshot = { snapshot: string; at: string }

export type CommittedEvent = {
  programId: string
  id: string
  type: string
  affiliateId: string | null
  subjectId: string
}

/** Longer than any transaction takes: an event can be committed this long after its id was made. */
const longestTransaction = `interval '30 seconds'`

const current = statement<Snapshot>('select pg_current_snapshot()::text as snapshot, clock_timestamp()::text as at')

const committedSince = statement<Snapshot & { events: CommittedEvent[] }>(`
  select pg_current_snapshot()::text as snapshot, clock_timestamp()::text as at, coalesce((
    select json_agg(json_build_object('programId', program_id, 'id', id, 'type', type, 'affiliateId', affiliate_id,
      'subjectId', subject_id) order by id)
    from events
    where program_id = any(string_to_array($1::text, ',')::uuid[])
      and id >= least_id($3::timestamptz - ${longestTransaction})
      and not pg_visible_in_snapshot(transaction, $2::pg_snapshot)
  ), '[]') as events`)

/** The present moment, to read what is committed after it. */
export async function takeSnapshot(sql: Sql): Promise<Snapshot> {
  const [now] = await sql.query(current)
  return now as Snapshot
}

/**
 * Reads the events that were committed since `before`, and the moment until which they are read. Ids do not tell: a
 * transaction can commit after a later one. Events of one subject are in the order of their commits.
 */
export async function readCommitted(
  sql: Sql,
  programIds: readonly string[],
  before: Snapshot,
): Promise<{ events: CommittedEvent[]; now: Snapshot }> {
  const [row] = await sql.query(committedSince, [programIds.join(','), before.snapshot, before.at])
  const { events, ...now } = row as Snapshot & { events: CommittedEvent[] }
  return { events, now }
}
