import { Prisma, type Program } from '../../generated/prisma/client.ts'
import type { Ctx } from '../../kernel/context.ts'
import { addDays } from '../../kernel/dates.ts'
import { refused } from '../../kernel/errors.ts'
import { parseInput, problem } from '../../kernel/input/parse.ts'
import { recordInstallationChange } from '../history/installation.ts'
import { forgetCachedPrograms } from './cached-lookup.ts'
import { deleteProgramInput } from './input.ts'
import { findProgram } from './service.ts'

/** Longer than the limit for other requests: a program can have millions of rows. */
const transactionMs = 240_000
/** How long the files of a deleted program stay in the bucket. A program file that is imported again needs them. */
const daysOfFiles = 7
/** How many rows a statement deletes: it ends before its limit, and blocks this thread shortly. */
const batchSize = { inThread: 75, elsewhere: 5_000 }

export type DeletedProgram = { program: Program; deletedRows: number }

/**
 * Deletes a program with all its data, in one transaction.
 * @throws NOT_FOUND; INVALID_INPUT if `confirmSlug` is not the slug of the program; REFUSED if it has paid payouts,
 *   unless the input says that they are deleted too
 */
export async function deleteProgram(ctx: Ctx, id: string, raw: unknown): Promise<DeletedProgram> {
  const program = await findProgram(ctx, id)
  const { evenWithPaidPayouts = false } = await parseInput(deleteProgramInput, raw, ({ confirmSlug }) =>
    confirmSlug === undefined || confirmSlug === program.slug
      ? []
      : [problem('confirmSlug', `must be "${program.slug}", the slug of the program to delete`)],
  )
  const run = async (tx: Prisma.TransactionClient) => {
    const deleted = { action: 'program_deleted', subjectId: id, subjectName: program.name } as const
    const size = ctx.db.sql.isInThread ? batchSize.inThread : batchSize.elsewhere
    const count = await deleteRows(tx, program, evenWithPaidPayouts, size, ctx.now())
    await recordInstallationChange(tx, ctx, deleted, ctx.now())
    return count
  }
  ctx.db.deadline?.extend(transactionMs)
  const deletedRows = await ctx.db.$transaction(run, { timeout: transactionMs, isolationLevel: 'ReadCommitted' })
  forgetCachedPrograms(ctx.db)
  ctx.log.warn({ programId: program.id, slug: program.slug, deletedRows }, 'program deleted')
  return { program, deletedRows }
}

async function deleteRows(
  tx: Prisma.TransactionClient,
  { id, slug }: Program,
  evenWithPaidPayouts: boolean,
  size: number,
  now: Date,
): Promise<number> {
  // Rows of the program can be added only while its row is not locked, so no row appears after its table was emptied.
  const locked = await tx.$queryRaw<object[]>`select id from programs where id = ${id}::uuid for update`
  if (locked.length === 0) throw refused('Another request deleted the program at the same time.')
  const paid = await tx.payout.count({ where: { programId: id, paidAt: { not: null } } })
  if (paid > 0 && !evenWithPaidPayouts) {
    throw refused(
      `The program "${slug}" has ${paid} paid ${paid === 1 ? 'payout' : 'payouts'}. To delete the record of these payments too, set evenWithPaidPayouts (--yes on the command line).`,
    )
  }
  await tx.$executeRaw`select set_config('tributary.deletes_program', 'on', true)`
  await tx.$executeRaw`
    insert into stray_objects (key, due_at) select program_id || '/' || asset_id, ${addDays(now, daysOfFiles)}::timestamptz from asset_files
    where program_id = ${id}::uuid and content is null on conflict (key) do update set due_at = excluded.due_at`
  let deletedRows = 0
  for (const table of await listTables(tx)) deletedRows += await emptyTable(tx, table, id, size)
  await tx.idempotencyKey.deleteMany({ where: { scope: id } })
  await tx.program.delete({ where: { id } })
  await tx.$queryRaw`select nextval('deleted_programs')`
  return deletedRows
}

/**
 * The tables with rows of programs, from the catalog, each before the tables that it references. Triggers of
 * referencing tables write analytics. Tables without a foreign key come last: a transaction that adds rows to them also
 * changes a table with one, so it has ended.
 */
async function listTables(tx: Prisma.TransactionClient): Promise<string[]> {
  const rows = await tx.$queryRaw<{ name: string }[]>`
    with recursive references_to as (
      select distinct conrelid as source, confrelid as target from pg_constraint
      where contype = 'f' and connamespace = current_schema()::text::regnamespace and conrelid <> confrelid
    ), found as (
      select source, 1 as distance from references_to where target = 'programs'::regclass
      union
      select r.source, f.distance + 1 from references_to r join found f on r.target = f.source where f.distance < 50
    )
    select relname::text as name from pg_attribute
      join pg_class on pg_class.oid = attrelid and relkind = 'r' and relnamespace = current_schema()::text::regnamespace
      left join found on source = attrelid
    where attname = 'program_id' and not attisdropped
    group by relname order by max(distance) desc nulls last, relname`
  return rows.map(({ name }) => name)
}

/** The cursor finds each row once. Searching again for each batch would read all that is deleted already. */
async function emptyTable(
  tx: Prisma.TransactionClient,
  table: string,
  programId: string,
  size: number,
): Promise<number> {
  const name = Prisma.raw(`"${table}"`)
  await tx.$executeRaw`declare deleted cursor for select ctid::text as place from ${name} where program_id = ${programId}::uuid`
  let count = 0
  for (let found = size; found === size; ) {
    const rows = await tx.$queryRaw<{ place: string }[]>`fetch ${Prisma.raw(String(size))} from deleted`
    found = rows.length
    if (found > 0)
      count += await tx.$executeRaw`delete from ${name} where ctid = any(${rows.map(({ place }) => place)}::tid[])`
  }
  await tx.$executeRaw`close deleted`
  return count
}
