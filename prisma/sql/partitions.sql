-- Partitions by the time that ids begin with: see src/database/upkeep/partitions.ts.

-- The least id of a time, as leastIdOf in src/kernel/ids.ts: ids of that time and later are not below it.
-- A time before 1970 is that of the first id. It is in PL/pgSQL, which keeps plans:
-- PostgreSQL plans a function in SQL that it cannot inline anew in each statement.
CREATE OR REPLACE FUNCTION least_id(at timestamptz) RETURNS uuid LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN (lpad(to_hex(greatest((extract(epoch FROM "at") * 1000)::bigint, 0)), 12, '0') || '70008000000000000000')::uuid;
END
$$;

CREATE OR REPLACE FUNCTION time_of_id(id uuid) RETURNS timestamptz LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT to_timestamp(('x' || lpad(left(translate("id"::text, '-', ''), 12), 16, '0'))::bit(64)::bigint / 1000.0)
$$;

-- The partitions of a table: the ids from the first one up to the last one, which is not in it. Null is no bound. `rows` is an estimate.
CREATE OR REPLACE VIEW table_partitions AS
SELECT of_table, name, rows, from_id, to_id, time_of_id(from_id) AS from_at FROM (
  SELECT parent.relname AS of_table, part.relname AS name, greatest(part.reltuples, 0)::bigint AS rows,
    (regexp_match(bounds, 'FROM \(''(.*?)''\)'))[1]::uuid AS from_id, (regexp_match(bounds, 'TO \(''(.*?)''\)'))[1]::uuid AS to_id
  FROM pg_inherits
    JOIN pg_class part ON part.oid = inhrelid
    JOIN pg_class parent ON parent.oid = inhparent AND parent.relkind = 'p' AND parent.relnamespace = current_schema()::text::regnamespace
    CROSS JOIN LATERAL pg_get_expr(part.relpartbound, part.oid) AS bounds
) AS partitions;

-- Creates a table that can become a partition. It gets what a table does not give to its partitions: indexes that only partitions have,
-- triggers of statements, and settings of columns for the planner.
CREATE OR REPLACE FUNCTION create_partition(of_table name, name name) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  like_name name;
  statement text;
BEGIN
  SELECT p.name INTO STRICT like_name FROM table_partitions p WHERE p.of_table = "create_partition"."of_table" AND p.to_id IS NULL;
  EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING CONSTRAINTS INCLUDING DEFAULTS INCLUDING STORAGE)', "name", "of_table");
  FOR statement IN
    SELECT replace(pg_get_indexdef(indexrelid), like_name, "name") FROM pg_index
    WHERE indrelid = like_name::regclass AND NOT EXISTS (SELECT FROM pg_inherits WHERE inhrelid = indexrelid)
    UNION ALL
    SELECT replace(pg_get_triggerdef(oid), like_name, "name") FROM pg_trigger
    WHERE tgrelid = like_name::regclass AND NOT tgisinternal AND tgparentid = 0
    UNION ALL
    SELECT format('ALTER TABLE %I ALTER COLUMN %I SET (%s)', "name", attname, array_to_string(attoptions, ', ')) FROM pg_attribute
    WHERE attrelid = "of_table"::regclass AND attoptions IS NOT NULL
    UNION ALL
    SELECT format('ALTER TABLE %I ALTER COLUMN %I SET STATISTICS %s', "name", attname, attstattarget) FROM pg_attribute
    WHERE attrelid = "of_table"::regclass AND attnum > 0 AND NOT attisdropped AND attstattarget >= 0
  LOOP
    EXECUTE statement;
  END LOOP;
END
$$;

-- Adds a constraint that new rows of a partition are before a time. It is not checked for the rows that are there.
CREATE OR REPLACE FUNCTION end_partition(part name, end_check name, at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I CHECK (id < %L) NOT VALID', "part", "end_check", least_id("at"));
END
$$;

-- Ends the last partition at a time, and adds one for what comes after it. Rows that are ahead of the time, which sandboxes have, move to
-- it. PostgreSQL reads the whole last partition to verify that, unless it has a constraint …_ends_….
CREATE OR REPLACE FUNCTION cut_partition(of_table name, at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  bound uuid := least_id("at");
  next_name name := "of_table" || to_char("at" AT TIME ZONE 'UTC', '"_"YYYYMMDD');
  ended record;
  end_check name;
BEGIN
  PERFORM create_partition("of_table", next_name);
  EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', "of_table");
  SELECT name, coalesce(quote_literal(from_id), 'MINVALUE') AS from_id INTO STRICT ended
  FROM table_partitions p WHERE p.of_table = "cut_partition"."of_table" AND p.to_id IS NULL;
  -- The triggers are for new rows, not for those that move.
  PERFORM set_config('tributary.imports_program', 'on', true), set_config('tributary.deletes_program', 'on', true);
  EXECUTE format($move$
    WITH moved AS (
      DELETE FROM %1$I r USING (
        SELECT p.id AS program_id, ahead.id FROM programs p
        CROSS JOIN LATERAL (SELECT id FROM %1$I one WHERE one.program_id = p.id AND one.id >= %2$L ORDER BY id) ahead
      ) ahead WHERE r.program_id = ahead.program_id AND r.id = ahead.id RETURNING r.*
    ) INSERT INTO %3$I SELECT * FROM moved$move$, ended.name, bound, next_name);
  PERFORM set_config('tributary.imports_program', 'off', true), set_config('tributary.deletes_program', 'off', true);
  EXECUTE format('ALTER TABLE %I DETACH PARTITION %I', "of_table", ended.name);
  EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%L)', "of_table", ended.name, ended.from_id, bound);
  FOR end_check IN SELECT conname FROM pg_constraint WHERE conrelid = ended.name::regclass AND conname ~ '_ends_[0-9]+$' LOOP
    EXECUTE format('ALTER TABLE %I DROP CONSTRAINT %I', ended.name, end_check);
  END LOOP;
  EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (MAXVALUE)', "of_table", next_name, bound);
END
$$;

-- The number of events is kept by ranges of ids. Those of a partition that is dropped are taken away in each range. The lock is that of
-- folding, which changes the ranges.
CREATE OR REPLACE FUNCTION count_dropped_events(part name, kept text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  dropped bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(7265001906);
  EXECUTE format($count$
    WITH ranges AS (
      SELECT program_id, first_id, lead(first_id) OVER (PARTITION BY program_id ORDER BY first_id) AS before_id FROM (
        SELECT program_id, first_id FROM list_counts WHERE list = 'events'
        UNION SELECT id, '00000000-0000-0000-0000-000000000000' FROM programs
      ) known
    ), taken AS (
      INSERT INTO list_deltas (program_id, list, row_id, state, count)
      SELECT program_id, 'events', first_id, '', -count FROM ranges CROSS JOIN LATERAL (
        SELECT count(*) FROM %I r
        WHERE r.program_id = ranges.program_id AND r.id >= first_id AND (before_id IS NULL OR r.id < before_id) AND NOT (%s)
      ) rows WHERE count > 0
      RETURNING -count AS count
    )
    SELECT coalesce(sum(count), 0) FROM taken$count$, "part", "kept") INTO dropped;
  RETURN dropped;
END
$$;

-- Drops the partitions that end before a time, but for the rows of which `kept` is true. These, and what is older than all other partitions,
-- become the first partition. Returns the number of dropped rows, which is an estimate but for events. Null, and nothing is dropped, if more
-- than `most` rows of a partition would be kept.
CREATE OR REPLACE FUNCTION drop_partitions(of_table name, until timestamptz, kept text, most integer) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  ended name[];
  bound uuid;
  next_name name;
  part name;
  condition text;
  has_more boolean;
  dropped bigint := 0;
BEGIN
  SELECT array_agg(name ORDER BY to_id), (array_agg(to_id ORDER BY to_id DESC))[1] INTO ended, bound
  FROM table_partitions p WHERE p.of_table = "drop_partitions"."of_table" AND to_id <= least_id("until");
  IF coalesce(cardinality(ended), 0) < 2 THEN
    RETURN 0;
  END IF;
  FOREACH part IN ARRAY ended LOOP
    -- Nobody writes to it from here on.
    EXECUTE format('LOCK TABLE %I IN EXCLUSIVE MODE', part);
    condition := CASE WHEN part = ended[1] THEN 'true' ELSE "kept" END;
    EXECUTE format('SELECT EXISTS (SELECT FROM %I r WHERE %s OFFSET %s)', part, condition, "most") INTO has_more;
    IF has_more THEN
      RETURN NULL;
    END IF;
  END LOOP;
  next_name := "of_table" || to_char(time_of_id(bound) AT TIME ZONE 'UTC', '"_before_"YYYYMMDD');
  PERFORM create_partition("of_table", next_name);
  PERFORM set_config('tributary.imports_program', 'on', true);
  FOREACH part IN ARRAY ended LOOP
    condition := CASE WHEN part = ended[1] THEN 'true' ELSE "kept" END;
    EXECUTE format('INSERT INTO %I SELECT r.* FROM %I r WHERE %s', next_name, part, condition);
    dropped := dropped + CASE WHEN part = ended[1] THEN 0 WHEN "of_table" = 'events' THEN count_dropped_events(part, "kept")
      ELSE (SELECT rows FROM table_partitions p WHERE p.name = part) END;
  END LOOP;
  PERFORM set_config('tributary.imports_program', 'off', true);
  EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', "of_table");
  FOREACH part IN ARRAY ended LOOP
    EXECUTE format('DROP TABLE %I', part);
  END LOOP;
  EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%L)', "of_table", next_name, bound);
  RETURN dropped;
END
$$;
