import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { statement } from '../../database/client/sql.ts'
import { Prisma, type Program } from '../../generated/prisma/client.ts'
import type { Ctx } from '../../kernel/context.ts'
import { addDays } from '../../kernel/dates.ts'
import type { AppDb } from '../../kernel/db.ts'
import { refused } from '../../kernel/errors.ts'
import { parseInput, problem } from '../../kernel/input/parse.ts'
import { giveWay, nextOwnTurn } from '../../kernel/slices.ts'
import { recordInstallationChange } from '../history/installation.ts'
import { forgetCachedPrograms } from './cached-lookup.ts'
import { deleteProgramInput } from './input.ts'
import { mintPublishableKey } from './publishable-key.ts'
import { findProgram } from './service.ts'

/** How long one transaction may take: the first waits for writes to the program, the last deletes what is left. */
const transactionMs = 30_000
/** How long the files of a deleted program stay in the bucket. A program file that is imported again needs them. */
const daysOfFiles = 7
/** How many rows a transaction deletes: others wait for it on the embedded database, which runs in this thread. */
const sliceSize = { inThread: 75, elsewhere: 5_000 }
/** A deletion that is not finished after this time was left by a killed process, or at its deadline. */
const leftAfterMs = 60_000

const startedAt = new Date()

export type DeletedProgram = { program: Program; deletedRows: number }

/**
 * Deletes a program with all its data: the first transaction hides it from everybody, others remove its rows, the last
 * removes the program. What a crash leaves is finished by `finishDeletions`.
 * @throws NOT_FOUND; INVALID_INPUT if `confirmSlug` is not the slug of the program; REFUSED if it has paid payouts,
 *   unless the input says that they are deleted too
 */
export async function deleteProgram(ctx: Ctx, id: string, raw: unknown): Promise<DeletedProgram> {
  const program = await findProgram(ctx, id)
  const { confirmPaidPayouts = false } = await parseInput(deleteProgramInput, raw, ({ confirmSlug }) =>
    confirmSlug === undefined || confirmSlug === program.slug
      ? []
      : [problem('confirmSlug', `must be "${program.slug}", the slug of the program to delete`)],
  )
  const { db } = ctx
  db.deadline?.extend(transactionMs)
  const hidden = await inLongTransaction(db, (tx) => hideProgram(tx, ctx, program, confirmPaidPayouts))
  forgetCachedPrograms(db)
  const deletedRows = hidden + (await removeProgram(db, id))
  ctx.log.warn({ programId: program.id, slug: program.slug, deletedRows }, 'program deleted')
  return { program, deletedRows }
}

/** Removes the programs that were deleted and left. Any number of instances may do it. */
export async function finishDeletions(db: AppDb, log: Logger): Promise<void> {
  const longAgo = new Date(Date.now() - leftAfterMs)
  // No other process has the embedded database.
  const before = db.sql.isInThread && startedAt > longAgo ? startedAt : longAgo
  const left = await db.program.findMany({ where: { deletedAt: { lt: before } }, select: { id: true } })
  for (const { id } of left) {
    const deletedRows = await removeProgram(db, id)
    log.info({ programId: id, deletedRows }, 'deletion of a program finished that was left')
  }
}

const inLongTransaction = <T>(db: AppDb, run: (tx: Prisma.TransactionClient) => Promise<T>): Promise<T> =>
  db.$transaction(
    async (tx) => {
      await tx.$executeRaw`select set_config('tributary.deletes_program', 'on', true)`
      return run(tx)
    },
    { timeout: transactionMs, isolationLevel: 'ReadCommitted' },
  )

/** Ends all ways to the program: its names, keys, tokens and members. It is closed, so nothing more is written. */
async function hideProgram(
  tx: Prisma.TransactionClient,
  ctx: Ctx,
  { id, slug, name }: Program,
  confirmPaidPayouts: boolean,
): Promise<number> {
  const now = ctx.now()
  const locked = await tx.$queryRaw<
    object[]
  >`select id from programs where id = ${id}::uuid and deleted_at is null for update`
  if (locked.length === 0) throw refused('Another request deleted the program at the same time.')
  const paid = await tx.payout.count({ where: { programId: id, paidAt: { not: null } } })
  if (paid > 0 && !confirmPaidPayouts) {
    throw refused(
      `The program "${slug}" has ${paid} paid ${paid === 1 ? 'payout' : 'payouts'}. To delete the record of these payments too, set confirmPaidPayouts (--yes on the command line).`,
    )
  }
  const names = { slug: `deleted-${randomUUID()}`, publishableKey: mintPublishableKey() }
  const data = { ...names, previousPublishableKey: null, closedAt: now, deletedAt: now }
  await tx.program.update({ where: { id }, data })
  await tx.$executeRaw`
    insert into stray_objects (key, due_at) select program_id || '/' || asset_id, ${addDays(now, daysOfFiles)}::timestamptz from asset_files
    where program_id = ${id}::uuid and content is null on conflict (key) do update set due_at = excluded.due_at`
  let count = 0
  for (const table of ['api_keys', 'affiliate_token_secrets', 'connected_apps', 'invitations', 'members'])
    count += await tx.$executeRaw`delete from ${Prisma.raw(table)} where program_id = ${id}::uuid`
  const deleted = { action: 'program_deleted', subjectId: id, subjectName: name } as const
  await recordInstallationChange(tx, ctx, deleted, now)
  await tx.$queryRaw`select nextval('deleted_programs')`
  return count
}

/** Removes the rows of a hidden program slice by slice, then the program. @returns how many rows */
async function removeProgram(db: AppDb, id: string): Promise<number> {
  const tables = await listTables(db)
  let count = 0
  for (const table of tables) count += await emptyTable(db, table, id)
  return (
    count +
    (await inLongTransaction(db, async (tx) => {
      const locked = await tx.$queryRaw<object[]>`select id from programs where id = ${id}::uuid for update`
      if (locked.length === 0) return 0
      let left = 0
      // What triggers and work in the background have written meanwhile. The lock lets nothing more through.
      for (const { name } of tables)
        left += await tx.$executeRaw`delete from ${Prisma.raw(`"${name}"`)} where program_id = ${id}::uuid`
      await tx.idempotencyKey.deleteMany({ where: { scope: id } })
      await tx.program.delete({ where: { id } })
      return left
    }))
  )
}

type Table = { name: string; keys: string[]; types: string[] }

/**
 * The tables with rows of programs, from the catalog, each before the tables that it references. Triggers of
 * referencing tables write analytics. Tables without a foreign key come last: a transaction that adds rows to them also
 * changes a table with one, so it has ended.
 */
async function listTables(db: AppDb): Promise<Table[]> {
  return db.$queryRaw<Table[]>`
    with recursive references_to as (
      select distinct conrelid as source, confrelid as target from pg_constraint
      where contype = 'f' and connamespace = current_schema()::text::regnamespace and conrelid <> confrelid
    ), found as (
      select source, 1 as distance from references_to where target = 'programs'::regclass
      union
      select r.source, f.distance + 1 from references_to r join found f on r.target = f.source where f.distance < 50
    ), key_columns as (
      select indrelid as source, a.attname::text as name, format_type(a.atttypid, null) as type, place
      from pg_index, unnest(indkey::smallint[]) with ordinality key(number, place)
        join pg_attribute a on a.attnum = key.number
      where indisprimary and a.attrelid = indrelid and a.attname <> 'program_id'
    )
    select relname::text as name, keys, types from (
      select pg_class.oid, relname, max(distance) as distance from pg_attribute
        join pg_class on pg_class.oid = attrelid and relkind = 'r' and relnamespace = current_schema()::text::regnamespace
        left join found on source = attrelid
      where attname = 'program_id' and not attisdropped group by pg_class.oid, relname
    ) tables cross join lateral (
      select coalesce(array_agg(k.name order by place), '{}') as keys, coalesce(array_agg(k.type order by place), '{}') as types
      from key_columns k where k.source = tables.oid
    ) key
    order by distance desc nulls last, relname`
}

const deletesProgram = statement("select set_config('tributary.deletes_program', 'on', true)")

/** It goes along the primary key: searching again for each slice would read all that is deleted already. */
async function emptyTable(db: AppDb, { name, keys, types }: Table, programId: string): Promise<number> {
  const size = db.sql.isInThread ? sliceSize.inThread : sliceSize.elsewhere
  const columns = keys.map((key) => `"${key}"`)
  const after = types.map((type, index) => `$${index + 2}::text::${type}`)
  const inOrder = keys.length === 0 ? '' : `order by ${columns.join(', ')}`
  const deleteSlice = (isFirst: boolean) =>
    statement<{ count: number } & Record<string, string>>(`
      with slice as (
        select ${['ctid as place', ...columns].join(', ')} from "${name}" where program_id = $1::uuid
          ${isFirst ? '' : `and (${columns.join(', ')}) > (${after.join(', ')})`} ${inOrder} limit ${size}
      ), deleted as (delete from "${name}" where ctid = any(array(select place from slice)) returning 1)
      select ${['(select count(*) from slice)::int as count', ...columns.map((column) => `${column}::text`)].join(', ')}
      from slice ${inOrder && `order by ${columns.map((column) => `${column} desc`).join(', ')}`} limit 1`)
  let count = 0
  let last: string[] = []
  for (let found = size; found === size; ) {
    await (db.isWithin ? nextOwnTurn() : giveWay())
    db.deadline?.extend(transactionMs)
    const values = [programId, ...last]
    const [slice] = await db.sql.transaction(async (tx) => {
      await tx.defer(deletesProgram)
      return tx.query(deleteSlice(last.length === 0), values)
    })
    found = slice?.count ?? 0
    count += found
    if (slice) last = keys.map((key) => slice[key] as string)
  }
  return count
}
