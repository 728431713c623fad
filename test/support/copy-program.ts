import type { TestApp, TestProgram } from './app.ts'

/** Creates a program with the rows of another, under the same ids. It takes a fifth of the time of the requests that made them. */
export async function copyProgram(test: TestApp, from: Pick<TestProgram, 'id'>): Promise<TestProgram> {
  const program = await test.createProgram()
  const { db } = test.database
  await db.$transaction([
    db.$executeRaw`select set_config('tests.from', ${from.id}, true), set_config('tests.to', ${program.id}, true)`,
    db.$executeRawUnsafe(copyRows),
  ])
  return program
}

/**
 * Past triggers and foreign keys: what they would write is copied too. The locks keep the background from folding deltas
 * into kept numbers between two tables.
 */
const copyRows = `
DO $$
DECLARE
  name regclass;
BEGIN
  SET LOCAL session_replication_role = replica;
  -- Copies that run side by side wait for each other's locks.
  SET LOCAL lock_timeout = '60s';
  LOCK TABLE list_deltas, analytics_deltas IN EXCLUSIVE MODE;
  FOR name IN
    SELECT oid FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition AND relname <> 'api_keys'
      AND EXISTS (SELECT FROM pg_attribute WHERE attrelid = pg_class.oid AND attname = 'program_id')
  LOOP
    EXECUTE format('DELETE FROM %s WHERE program_id = current_setting(''tests.to'')::uuid', name);
    EXECUTE format(
      'INSERT INTO %s SELECT (jsonb_populate_record(t, jsonb_build_object(''program_id'', current_setting(''tests.to'')))).*
       FROM %s t WHERE program_id = current_setting(''tests.from'')::uuid', name, name);
  END LOOP;
END $$`
