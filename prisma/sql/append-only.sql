-- Facts and history are append-only.
--
-- There are two exceptions. The deletion of a whole program sets tributary.deletes_program. The erasure of a person takes personal
-- values out of the changes of one affiliate, and sets tributary.erases_person. Both end with their transaction.

CREATE OR REPLACE FUNCTION money_events_are_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('tributary.deletes_program', true) = 'on' THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'money_events are facts: they cannot be changed or removed';
END
$$;

CREATE OR REPLACE TRIGGER money_events_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON money_events
  FOR EACH STATEMENT EXECUTE FUNCTION money_events_are_append_only();

CREATE OR REPLACE FUNCTION changes_are_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('tributary.deletes_program', true) = 'on' THEN RETURN NULL; END IF;
  IF TG_OP = 'UPDATE' AND current_setting('tributary.erases_person', true) = 'on' THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'changes are history: they cannot be changed or removed';
END
$$;

CREATE OR REPLACE TRIGGER changes_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON changes
  FOR EACH STATEMENT EXECUTE FUNCTION changes_are_append_only();

-- The history cannot be changed by naming a partition either. create_partition copies the trigger to later partitions.
DO $$
DECLARE
  part regclass;
BEGIN
  FOR part IN SELECT inhrelid FROM pg_inherits WHERE inhparent = 'changes'::regclass LOOP
    EXECUTE format('CREATE OR REPLACE TRIGGER changes_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON %s
      FOR EACH STATEMENT EXECUTE FUNCTION changes_are_append_only()', part);
  END LOOP;
END
$$;

CREATE OR REPLACE FUNCTION installation_changes_are_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'installation_changes are history: they cannot be changed or removed';
END
$$;

CREATE OR REPLACE TRIGGER installation_changes_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON installation_changes
  FOR EACH STATEMENT EXECUTE FUNCTION installation_changes_are_append_only();

-- A refund is reversed once.
CREATE OR REPLACE FUNCTION refund_stays_reversed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a reversed refund stays reversed';
END
$$;

CREATE OR REPLACE TRIGGER refund_stays_reversed BEFORE UPDATE ON refunds
  FOR EACH ROW WHEN (OLD.reversed_at IS NOT NULL AND NEW.reversed_at IS DISTINCT FROM OLD.reversed_at)
  EXECUTE FUNCTION refund_stays_reversed();
