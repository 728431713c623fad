-- AlterTable: a program can be closed to writes, so that it can be moved to another installation.
ALTER TABLE "programs" ADD COLUMN     "closed_at" TIMESTAMPTZ(3);

-- Keys of one of several installations have its mark: trib_pk_eu1_…
ALTER TABLE "programs" DROP CONSTRAINT "programs_publishable_key_form",
  ADD CONSTRAINT "programs_publishable_key_form" CHECK ("publishable_key" ~ '^trib_pk_([a-z0-9]{1,8}_)?[0-9a-z]{32}$');

-- Rejects a write to a closed program. It locks the row of the program as foreign keys to it do, so that whoever closes the
-- program can wait for the transactions that have passed this check: those that come later see that it is closed. So the
-- state holds for all instances at once, and needs no cache to be cleared. Services answer with UNAVAILABLE.
CREATE FUNCTION "require_open_program"("program" uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('tributary.deletes_program', true) = 'on' OR current_setting('tributary.imports_program', true) = 'on' THEN
    RETURN;
  END IF;
  PERFORM FROM programs WHERE id = "program" AND closed_at IS NULL FOR KEY SHARE;
  IF FOUND THEN
    RETURN;
  END IF;
  -- A program that does not exist is reported by foreign keys.
  IF EXISTS (SELECT FROM programs WHERE id = "program") THEN
    RAISE EXCEPTION 'the program is closed to writes' USING ERRCODE = 'TP503';
  END IF;
END
$$;

CREATE FUNCTION "program_must_be_open"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM require_open_program(NEW.program_id);
  RETURN NEW;
END
$$;

-- Each transaction that serves a request inserts into one of these tables, or records an event, as sales do. What the service does by
-- itself with rows that exist, such as counting visitors and retention, is not stopped.
DO $generate$
DECLARE
  name text;
  before text := pg_get_functiondef('record_events(jsonb)'::regprocedure);
  after text := regexp_replace(before, E'\nBEGIN\n', $body$
BEGIN
  PERFORM FROM programs WHERE id = program AND closed_at IS NULL FOR KEY SHARE;
  IF NOT FOUND THEN
    PERFORM require_open_program(program);
  END IF;
$body$);
BEGIN
  FOREACH name IN ARRAY ARRAY['changes', 'imported_records', 'payouts', 'refunds', 'sso_redemptions', 'unattributed_sales', 'visits'] LOOP
    EXECUTE format('CREATE TRIGGER "program_must_be_open" BEFORE INSERT ON %I FOR EACH ROW EXECUTE FUNCTION "program_must_be_open"()', name);
  END LOOP;
  IF before = after THEN RAISE EXCEPTION 'record_events has another form'; END IF;
  EXECUTE after;
END
$generate$;

-- The import of a whole program brings the counts and sums of its rows with it, so triggers add nothing to them. Its
-- transaction sets tributary.imports_program, which ends with the transaction. The functions ask for it themselves:
-- PostgreSQL parses the WHEN of a trigger in each statement.
DO $generate$
DECLARE
  found record;
  altered text;
BEGIN
  FOR found IN
    SELECT proname AS name, pg_get_functiondef(oid) AS definition FROM pg_proc
    WHERE pronamespace = current_schema()::text::regnamespace AND prorettype = 'trigger'::regtype
      AND (proname LIKE 'analytics\_record\_%' OR proname LIKE 'list\_counts\_record\_%')
  LOOP
    altered := regexp_replace(found.definition, '\nBEGIN\s*\n', $body$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on' THEN
    RETURN NULL;
  END IF;
$body$);
    IF altered = found.definition THEN RAISE EXCEPTION '% has another form', found.name; END IF;
    EXECUTE altered;
  END LOOP;
END
$generate$;
