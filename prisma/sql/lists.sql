-- The number of rows of each list, by ranges of ids. Triggers record in list_deltas what each statement adds and removes; the
-- service folds those into list_counts.

-- The rows that each list has, and the state that tells them apart. The functions below say the same of changed rows.
CREATE OR REPLACE VIEW listed_rows AS
  SELECT r.program_id, 'affiliate_coupons'::listed_table AS list, r.id, CASE WHEN r.archived_at IS NULL THEN '' ELSE 'archived' END AS state FROM affiliate_coupons r
  UNION ALL
  SELECT r.program_id, 'affiliate_links'::listed_table AS list, r.id, CASE WHEN r.archived_at IS NULL THEN '' ELSE 'archived' END AS state FROM affiliate_links r
  UNION ALL
  SELECT r.program_id, 'affiliates'::listed_table AS list, r.id, r.state::text AS state FROM affiliates r
  UNION ALL
  SELECT r.program_id, 'campaigns'::listed_table AS list, r.id, CASE WHEN r.archived_at IS NULL THEN '' ELSE 'archived' END AS state FROM campaigns r
  UNION ALL
  SELECT r.program_id, 'commissions'::listed_table AS list, r.id, ''::text AS state FROM commissions r
  UNION ALL
  SELECT r.program_id, 'customers'::listed_table AS list, r.id, ''::text AS state FROM customers r
  UNION ALL
  SELECT r.program_id, 'payouts'::listed_table AS list, r.id, CASE WHEN r.failed_at IS NOT NULL THEN 'failed' WHEN r.paid_at IS NULL THEN 'pending' ELSE 'paid' END AS state FROM payouts r
  UNION ALL
  SELECT r.program_id, 'referrals'::listed_table AS list, r.id, ''::text AS state FROM referrals r
  UNION ALL
  SELECT r.program_id, 'refunds'::listed_table AS list, r.id, ''::text AS state FROM refunds r
  UNION ALL
  SELECT r.program_id, 'sales'::listed_table AS list, r.id, ''::text AS state FROM sales r
  UNION ALL
  SELECT r.program_id, 'unattributed_sales'::listed_table AS list, r.id, ''::text AS state FROM unattributed_sales r
  UNION ALL
  SELECT r.program_id, 'events'::listed_table AS list, r.id, ''::text AS state FROM events r;

-- The triggers run as the owner: the rows they count have passed the policies of their tables. The deletion of a program removes its
-- counts too, and the import of a program brings them with it.
--
-- A list has the name of its table. TG_OP tells whether rows came or went.
CREATE OR REPLACE FUNCTION list_counts_record_rows() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on'
    OR TG_OP = 'DELETE' AND current_setting('tributary.deletes_program', true) = 'on' THEN
    RETURN NULL;
  END IF;
  INSERT INTO list_deltas (program_id, list, row_id, state, count)
  SELECT r.program_id, TG_TABLE_NAME::listed_table, r.id, '', CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END FROM changed_rows r;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION list_counts_record_archivable() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on'
    OR TG_OP = 'DELETE' AND current_setting('tributary.deletes_program', true) = 'on' THEN
    RETURN NULL;
  END IF;
  INSERT INTO list_deltas (program_id, list, row_id, state, count)
  SELECT r.program_id, TG_TABLE_NAME::listed_table, r.id, CASE WHEN r.archived_at IS NULL THEN '' ELSE 'archived' END, CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END FROM changed_rows r;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION list_counts_record_moved_archivable() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on' THEN
    RETURN NULL;
  END IF;
  INSERT INTO list_deltas (program_id, list, row_id, state, count)
  VALUES (OLD.program_id, TG_TABLE_NAME::listed_table, OLD.id, CASE WHEN OLD.archived_at IS NULL THEN '' ELSE 'archived' END, -1),
    (NEW.program_id, TG_TABLE_NAME::listed_table, NEW.id, CASE WHEN NEW.archived_at IS NULL THEN '' ELSE 'archived' END, 1);
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION list_counts_record_affiliates() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on'
    OR TG_OP = 'DELETE' AND current_setting('tributary.deletes_program', true) = 'on' THEN
    RETURN NULL;
  END IF;
  INSERT INTO list_deltas (program_id, list, row_id, state, count)
  SELECT r.program_id, TG_TABLE_NAME::listed_table, r.id, r.state::text, CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END FROM changed_rows r;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION list_counts_record_moved_affiliates() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on' THEN
    RETURN NULL;
  END IF;
  INSERT INTO list_deltas (program_id, list, row_id, state, count)
  VALUES (OLD.program_id, TG_TABLE_NAME::listed_table, OLD.id, OLD.state::text, -1),
    (NEW.program_id, TG_TABLE_NAME::listed_table, NEW.id, NEW.state::text, 1);
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION list_counts_record_payouts() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on'
    OR TG_OP = 'DELETE' AND current_setting('tributary.deletes_program', true) = 'on' THEN
    RETURN NULL;
  END IF;
  INSERT INTO list_deltas (program_id, list, row_id, state, count)
  SELECT r.program_id, TG_TABLE_NAME::listed_table, r.id, CASE WHEN r.failed_at IS NOT NULL THEN 'failed' WHEN r.paid_at IS NULL THEN 'pending' ELSE 'paid' END, CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END FROM changed_rows r;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION list_counts_record_moved_payouts() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on' THEN
    RETURN NULL;
  END IF;
  INSERT INTO list_deltas (program_id, list, row_id, state, count)
  VALUES (OLD.program_id, TG_TABLE_NAME::listed_table, OLD.id, CASE WHEN OLD.failed_at IS NOT NULL THEN 'failed' WHEN OLD.paid_at IS NULL THEN 'pending' ELSE 'paid' END, -1),
    (NEW.program_id, TG_TABLE_NAME::listed_table, NEW.id, CASE WHEN NEW.failed_at IS NOT NULL THEN 'failed' WHEN NEW.paid_at IS NULL THEN 'pending' ELSE 'paid' END, 1);
  RETURN NULL;
END
$$;
