import type { Logger } from 'pino'
import { Prisma } from '../../generated/prisma/client.ts'
import type { AppDb } from '../../kernel/db.ts'
import { type Deltas, foldAll, foldInBackground } from './background.ts'

/** Small, because the embedded database runs one statement at a time and has to be free again soon. */
const batchSize = 2_000
/** The rows of a new range. A page skips at most the rows of one range, in the index. */
const rangeSize = 2_000
/** A range with more rows in one state is split. */
const maxRangeSize = 2 * rangeSize

const deltas: Deltas = {
  table: 'list_deltas',
  // Every list adds the deltas to its counts, so there should not be many.
  min: 500,
  batchSize,
  lock: 7_265_001_906,
  foldBatch,
  failureMessage: 'could not fold list counts',
}

export const foldListCountsInBackground = (db: AppDb, log: Logger): (() => Promise<void>) =>
  foldInBackground(db, log, deltas)

/** Folds all deltas. Stops early if another process is folding. */
export const foldListCounts = (db: AppDb): Promise<void> => foldAll(db, deltas)

type Range = { program_id: string; list: string; first_id: string }

/**
 * Moves a batch of deltas into the counts in one transaction, so that a statement sees each delta exactly once. An
 * advisory lock serializes folding, so no other transaction waits for these rows.
 * @returns the number of deltas that were moved
 */
async function foldBatch(tx: Prisma.TransactionClient, size: number): Promise<number> {
  const [folded] = await tx.$queryRaw<[{ count: number; large: Range[] }]>`
    with gone as (
      delete from list_deltas using (
        select program_id, list, id from list_deltas order by program_id, list, id limit ${size}
      ) first
      where list_deltas.program_id = first.program_id and list_deltas.list = first.list and list_deltas.id = first.id
      returning list_deltas.*
    ), placed as (
      select program_id, list, state, count, coalesce((
        select first_id from list_counts
        where list_counts.program_id = gone.program_id and list_counts.list = gone.list and first_id <= row_id
        order by first_id desc limit 1
      ), '00000000-0000-0000-0000-000000000000') as first_id
      from gone
    ), counted as (
      insert into list_counts as known (program_id, list, first_id, state, count)
      select program_id, list, first_id, state, sum(count) from placed group by 1, 2, 3, 4
      on conflict (program_id, list, first_id, state) do update set count = known.count + excluded.count
      returning program_id, list::text, first_id, count
    )
    select (select count(*)::int from gone) as count, (
      select coalesce(json_agg(distinct jsonb_build_object('program_id', program_id, 'list', list, 'first_id', first_id)), '[]')
      from counted where count > ${maxRangeSize}
    ) as large`
  for (const range of folded.large) await split(tx, range)
  return folded.count
}

/** Splits a range into equal ranges, by the table's rows less the unfolded deltas: one statement sees both. */
async function split(tx: Prisma.TransactionClient, { program_id, list, first_id }: Range): Promise<void> {
  const ofList = Prisma.sql`program_id = ${program_id}::uuid and list = ${list}::listed_table`
  const [next] = await tx.$queryRaw<{ id: string | null }[]>`
    select min(first_id::text) as id from list_counts where ${ofList} and first_id > ${first_id}::uuid`
  const within = (column: 'id' | 'row_id') => {
    const name = Prisma.raw(column)
    return Prisma.sql`${ofList} and ${name} >= ${first_id}::uuid ${next?.id ? Prisma.sql`and ${name} < ${next.id}::uuid` : Prisma.empty}`
  }
  const counts = await tx.$queryRaw<object[]>`
    with present as (
      select id, state, (row_number() over (order by id) - 1) / ${rangeSize} as part from listed_rows where ${within('id')}
    ), starts as (
      select part, case when part = 0 then ${first_id} else min(id::text) end::uuid as first_id from present group by part
    ), counted as (
      select first_id, state, count(*) as count from present join starts using (part) group by 1, 2
      union all
      select coalesce((select max(first_id::text)::uuid from starts where first_id <= row_id), ${first_id}::uuid), state, -count
      from list_deltas where ${within('row_id')}
    )
    select first_id::text, state, sum(count)::int as count from counted group by 1, 2`
  await tx.$executeRaw`delete from list_counts where ${ofList} and first_id = ${first_id}::uuid`
  await tx.$executeRaw`
    insert into list_counts (program_id, list, first_id, state, count)
    select ${program_id}::uuid, ${list}::listed_table, first_id, state, count
    from jsonb_to_recordset(${JSON.stringify(counts)}::jsonb) as counts(first_id uuid, state text, count bigint)`
}
