-- No statistics are gathered of JSON and of frozen rows. No query compares them, and to sort a sample of them took ANALYZE, which
-- autovacuum runs every minute on a busy table, longer than all other columns together.
DO $$
DECLARE
  statement text;
BEGIN
  FOR statement IN
    SELECT format('ALTER TABLE %I ALTER COLUMN %I SET STATISTICS 0', c.relname, a.attname)
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid JOIN pg_type t ON t.oid = a.atttypid
    WHERE c.relnamespace = current_schema()::text::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND a.attnum > 0 AND NOT a.attisdropped AND (t.typtype = 'c' OR t.typname IN ('json', 'jsonb'))
  LOOP
    EXECUTE statement;
  END LOOP;
END
$$;

-- New partitions are told the same.
DO $$
DECLARE
  before text := pg_get_functiondef('create_partition(name, name)'::regprocedure);
  after text := replace(before, $from$AND attoptions IS NOT NULL$from$, $to$AND attoptions IS NOT NULL
    UNION ALL
    SELECT format('ALTER TABLE %I ALTER COLUMN %I SET STATISTICS %s', "name", attname, attstattarget) FROM pg_attribute
    WHERE attrelid = "of_table"::regclass AND attnum > 0 AND NOT attisdropped AND attstattarget >= 0$to$);
BEGIN
  IF before = after THEN RAISE EXCEPTION 'create_partition has another form'; END IF;
  EXECUTE after;
END
$$;
