-- Facts and history stay append-only. The one exception is the deletion of a whole program: its transaction sets
-- tributary.deletes_program, which ends with the transaction.

CREATE OR REPLACE FUNCTION "money_events_are_append_only"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('tributary.deletes_program', true) = 'on' THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'money_events are facts: they cannot be changed or removed';
END
$$;

CREATE OR REPLACE FUNCTION "changes_are_append_only"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('tributary.deletes_program', true) = 'on' THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'changes are history: they cannot be changed or removed';
END
$$;

-- Numbers the programs that were deleted. A database from which a program was deleted is not new: no later start fills it
-- with the demo program.
CREATE SEQUENCE "deleted_programs";
