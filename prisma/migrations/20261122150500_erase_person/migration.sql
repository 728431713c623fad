-- The erasure of a person is recorded in the history of the customer or the affiliate.
ALTER TYPE "change_subject" ADD VALUE 'customer';

-- History stays append-only, with two exceptions: the deletion of a whole program, and the erasure of a person, which
-- takes personal values out of the changes of one affiliate. Its transaction sets tributary.erases_person, which ends
-- with the transaction.
CREATE OR REPLACE FUNCTION "changes_are_append_only"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('tributary.deletes_program', true) = 'on' THEN RETURN NULL; END IF;
  IF TG_OP = 'UPDATE' AND current_setting('tributary.erases_person', true) = 'on' THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'changes are history: they cannot be changed or removed';
END
$$;
