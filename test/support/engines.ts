/** A database that one test file uses. `giveBack` ends its use. */
export type Engine<T> = { value: T; giveBack(): Promise<void> }

/**
 * Keeps the databases of a worker from one test file to the next, without their rows. The pool grows to the number of
 * databases that one file opens at the same time.
 *
 * @param empty deletes all rows, and returns how many there were
 */
export function createEngines<T>({
  create,
  empty,
  destroy,
}: {
  create(): Promise<T>
  empty(value: T): Promise<number>
  destroy(value: T): Promise<void>
}) {
  const idle: T[] = []
  return {
    /** @param isOwn whether the tests change more than rows, such as roles or partitions: other tests do not get that database */
    async take({ isOwn = false } = {}): Promise<Engine<T>> {
      const value = (!isOwn && idle.pop()) || (await create())
      let isGiven = false
      const giveBack = async () => {
        if (isGiven) throw new Error('A database is dropped once.')
        isGiven = true
        // Deleted rows stay in the files until a vacuum. A new database is quicker than one with many of them.
        if (isOwn || (await empty(value)) > mostDeletedRows) await destroy(value)
        else idle.push(value)
      }
      return { value, giveBack }
    },
  }
}

const mostDeletedRows = 10_000

/** Deletes all rows of a migrated database, past triggers and foreign keys, and resets its sequences. @returns how many */
export async function emptyTables(query: (sql: string) => Promise<{ rows: object[] }>): Promise<number> {
  await query(deleteAllRows)
  const { rows } = await query(`SELECT current_setting('tests.deleted_rows')::int AS deleted`)
  return (rows as { deleted: number }[])[0]?.deleted ?? 0
}

const deleteAllRows = `
DO $$
DECLARE
  name regclass;
  deleted bigint;
  total bigint := 0;
BEGIN
  SET LOCAL session_replication_role = replica;
  FOR name IN
    SELECT oid FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> '_prisma_migrations'
      AND pg_relation_size(oid) > 0
  LOOP
    EXECUTE format('DELETE FROM ONLY %s', name);
    GET DIAGNOSTICS deleted = ROW_COUNT;
    total := total + deleted;
  END LOOP;
  PERFORM setval(seqrelid::regclass, seqstart, false) FROM pg_sequence;
  PERFORM set_config('tests.deleted_rows', total::text, false);
END $$`
