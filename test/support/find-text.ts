import type { AppDb } from '../../src/kernel/db.ts'

/** The tables with rows that contain a text, in any column and any case. With a program: only its rows. */
export async function findText(db: AppDb, text: string, programId?: string): Promise<string[]> {
  const tables = await db.$queryRaw<{ name: string }[]>`
    select c.relname::text as name from pg_class c
    where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace and (${programId === undefined}
      or exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'program_id')) order by 1`
  const found: string[] = []
  for (const { name } of tables) {
    const ofProgram = programId === undefined ? '' : `program_id = '${programId}' and`
    const query = `select count(*)::int as count from "${name}" t where ${ofProgram} strpos(lower(t::text), $1) > 0`
    const [row] = await db.$queryRawUnsafe<{ count: number }[]>(query, text.toLowerCase())
    if (row && row.count > 0) found.push(name)
  }
  return found
}
