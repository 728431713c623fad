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

CREATE OR REPLACE FUNCTION payment_facts_are_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('tributary.deletes_program', true) = 'on' THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'payment_facts are facts: they cannot be changed or removed';
END
$$;

CREATE OR REPLACE FUNCTION accepted_differences_are_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('tributary.deletes_program', true) = 'on' THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'accepted_differences are facts: they cannot be changed or removed';
END
$$;

CREATE OR REPLACE FUNCTION invoices_are_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('tributary.deletes_program', true) = 'on' THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'invoices are issued: they cannot be changed or removed, only cancelled by a credit note';
END
$$;

CREATE OR REPLACE FUNCTION self_billing_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('tributary.deletes_program', true) = 'on' THEN RETURN NULL; END IF;
  IF TG_OP = 'UPDATE' AND TG_TABLE_NAME = 'self_billing_agreements' AND current_setting('tributary.erases_person', true) = 'on' THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'agreements to self-billing are history: they cannot be changed or removed';
END
$$;

CREATE OR REPLACE FUNCTION changes_are_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('tributary.deletes_program', true) = 'on' THEN RETURN NULL; END IF;
  IF TG_OP = 'UPDATE' AND current_setting('tributary.erases_person', true) = 'on' THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'changes are history: they cannot be changed or removed';
END
$$;

CREATE OR REPLACE FUNCTION installation_changes_are_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'installation_changes are history: they cannot be changed or removed';
END
$$;

-- A refund is reversed once.
CREATE OR REPLACE FUNCTION refund_stays_reversed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a reversed refund stays reversed';
END
$$;

CREATE OR REPLACE FUNCTION commission_rule_versions_are_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'versions of commission rules are history: they cannot be changed';
END
$$;
