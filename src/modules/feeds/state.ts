import type { AppDb } from '../../kernel/db.ts'

/** Whether the last request of each feed was rejected. */
export async function failingFeeds(db: AppDb, programId: string, ids: readonly string[]): Promise<boolean[]> {
  const rows = await db.$queryRaw<{ id: string; failing: boolean }[]>`
    select f.id::text, last.external_id is null and last.id is not null as failing
    from feeds f left join lateral (
      select id, external_id from feed_events e where e.program_id = f.program_id and e.feed_id = f.id order by id desc limit 1
    ) last on true
    where f.program_id = ${programId}::uuid and f.id = any (${[...ids]}::uuid[])`
  const failing = new Map(rows.map(({ id, failing: is }) => [id, is]))
  return ids.map((id) => failing.get(id) ?? false)
}
