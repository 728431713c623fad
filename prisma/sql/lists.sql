-- The number of rows of each list, by ranges of ids. Triggers record in list_deltas what each statement adds and removes; the
-- service folds those into list_counts.

-- The rows that each list has, and the state that tells them apart. The functions of the triggers below say the same of changed rows.
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
  SELECT r.program_id, 'payouts'::listed_table AS list, r.id, CASE WHEN r.paid_at IS NULL THEN 'pending' ELSE 'paid' END AS state FROM payouts r
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

CREATE OR REPLACE FUNCTION list_counts_record_inserted_affiliate_coupons() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on' THEN
    RETURN NULL;
  END IF;
  -- The deletion of a program removes its counts too.
  IF TG_OP = 'DELETE' AND current_setting('tributary.deletes_program', true) = 'on' THEN RETURN NULL; END IF;
  INSERT INTO list_deltas (program_id, list, row_id, state, count)
  SELECT r.program_id, 'affiliate_coupons', r.id, CASE WHEN r.archived_at IS NULL THEN '' ELSE 'archived' END, 1 FROM changed_rows r;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER list_counts_inserted AFTER INSERT ON affiliate_coupons
  REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION list_counts_record_inserted_affiliate_coupons();

CREATE OR REPLACE FUNCTION list_counts_record_deleted_affiliate_coupons() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on' THEN
    RETURN NULL;
  END IF;
  -- The deletion of a program removes its counts too.
  IF TG_OP = 'DELETE' AND current_setting('tributary.deletes_program', true) = 'on' THEN RETURN NULL; END IF;
  INSERT INTO list_deltas (program_id, list, row_id, state, count)
  SELECT r.program_id, 'affiliate_coupons', r.id, CASE WHEN r.archived_at IS NULL THEN '' ELSE 'archived' END, -1 FROM changed_rows r;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER list_counts_deleted AFTER DELETE ON affiliate_coupons
  REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION list_counts_record_deleted_affiliate_coupons();

CREATE OR REPLACE FUNCTION list_counts_record_moved_affiliate_coupons() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on' THEN
    RETURN NULL;
  END IF;
  INSERT INTO list_deltas (program_id, list, row_id, state, count)
  VALUES (OLD.program_id, 'affiliate_coupons', OLD.id, CASE WHEN OLD.archived_at IS NULL THEN '' ELSE 'archived' END, -1), (NEW.program_id, 'affiliate_coupons', NEW.id, CASE WHEN NEW.archived_at IS NULL THEN '' ELSE 'archived' END, 1);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER list_counts_moved AFTER UPDATE ON affiliate_coupons
  FOR EACH ROW WHEN ((
        CASE
            WHEN (old.archived_at IS NULL) THEN ''::text
            ELSE 'archived'::text
        END <>
        CASE
            WHEN (new.archived_at IS NULL) THEN ''::text
            ELSE 'archived'::text
        END)) EXECUTE FUNCTION list_counts_record_moved_affiliate_coupons();

CREATE OR REPLACE FUNCTION list_counts_record_inserted_affiliate_links() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on' THEN
    RETURN NULL;
  END IF;
  -- The deletion of a program removes its counts too.
  IF TG_OP = 'DELETE' AND current_setting('tributary.deletes_program', true) = 'on' THEN RETURN NULL; END IF;
  INSERT INTO list_deltas (program_id, list, row_id, state, count)
  SELECT r.program_id, 'affiliate_links', r.id, CASE WHEN r.archived_at IS NULL THEN '' ELSE 'archived' END, 1 FROM changed_rows r;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER list_counts_inserted AFTER INSERT ON affiliate_links
  REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION list_counts_record_inserted_affiliate_links();

CREATE OR REPLACE FUNCTION list_counts_record_deleted_affiliate_links() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on' THEN
    RETURN NULL;
  END IF;
  -- The deletion of a program removes its counts too.
  IF TG_OP = 'DELETE' AND current_setting('tributary.deletes_program', true) = 'on' THEN RETURN NULL; END IF;
  INSERT INTO list_deltas (program_id, list, row_id, state, count)
  SELECT r.program_id, 'affiliate_links', r.id, CASE WHEN r.archived_at IS NULL THEN '' ELSE 'archived' END, -1 FROM changed_rows r;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER list_counts_deleted AFTER DELETE ON affiliate_links
  REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION list_counts_record_deleted_affiliate_links();

CREATE OR REPLACE FUNCTION list_counts_record_moved_affiliate_links() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on' THEN
    RETURN NULL;
  END IF;
  INSERT INTO list_deltas (program_id, list, row_id, state, count)
  VALUES (OLD.program_id, 'affiliate_links', OLD.id, CASE WHEN OLD.archived_at IS NULL THEN '' ELSE 'archived' END, -1), (NEW.program_id, 'affiliate_links', NEW.id, CASE WHEN NEW.archived_at IS NULL THEN '' ELSE 'archived' END, 1);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER list_counts_moved AFTER UPDATE ON affiliate_links
  FOR EACH ROW WHEN ((
        CASE
            WHEN (old.archived_at IS NULL) THEN ''::text
            ELSE 'archived'::text
        END <>
        CASE
            WHEN (new.archived_at IS NULL) THEN ''::text
            ELSE 'archived'::text
        END)) EXECUTE FUNCTION list_counts_record_moved_affiliate_links();

CREATE OR REPLACE FUNCTION list_counts_record_inserted_affiliates() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on' THEN
    RETURN NULL;
  END IF;
  -- The deletion of a program removes its counts too.
  IF TG_OP = 'DELETE' AND current_setting('tributary.deletes_program', true) = 'on' THEN RETURN NULL; END IF;
  INSERT INTO list_deltas (program_id, list, row_id, state, count)
  SELECT r.program_id, 'affiliates', r.id, r.state::text, 1 FROM changed_rows r;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER list_counts_inserted AFTER INSERT ON affiliates
  REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION list_counts_record_inserted_affiliates();

CREATE OR REPLACE FUNCTION list_counts_record_deleted_affiliates() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on' THEN
    RETURN NULL;
  END IF;
  -- The deletion of a program removes its counts too.
  IF TG_OP = 'DELETE' AND current_setting('tributary.deletes_program', true) = 'on' THEN RETURN NULL; END IF;
  INSERT INTO list_deltas (program_id, list, row_id, state, count)
  SELECT r.program_id, 'affiliates', r.id, r.state::text, -1 FROM changed_rows r;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER list_counts_deleted AFTER DELETE ON affiliates
  REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION list_counts_record_deleted_affiliates();

CREATE OR REPLACE FUNCTION list_counts_record_moved_affiliates() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on' THEN
    RETURN NULL;
  END IF;
  INSERT INTO list_deltas (program_id, list, row_id, state, count)
  VALUES (OLD.program_id, 'affiliates', OLD.id, OLD.state::text, -1), (NEW.program_id, 'affiliates', NEW.id, NEW.state::text, 1);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER list_counts_moved AFTER UPDATE ON affiliates
  FOR EACH ROW WHEN (((old.state)::text <> (new.state)::text)) EXECUTE FUNCTION list_counts_record_moved_affiliates();

CREATE OR REPLACE FUNCTION list_counts_record_inserted_campaigns() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on' THEN
    RETURN NULL;
  END IF;
  -- The deletion of a program removes its counts too.
  IF TG_OP = 'DELETE' AND current_setting('tributary.deletes_program', true) = 'on' THEN RETURN NULL; END IF;
  INSERT INTO list_deltas (program_id, list, row_id, state, count)
  SELECT r.program_id, 'campaigns', r.id, CASE WHEN r.archived_at IS NULL THEN '' ELSE 'archived' END, 1 FROM changed_rows r;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER list_counts_inserted AFTER INSERT ON campaigns
  REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION list_counts_record_inserted_campaigns();

CREATE OR REPLACE FUNCTION list_counts_record_deleted_campaigns() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on' THEN
    RETURN NULL;
  END IF;
  -- The deletion of a program removes its counts too.
  IF TG_OP = 'DELETE' AND current_setting('tributary.deletes_program', true) = 'on' THEN RETURN NULL; END IF;
  INSERT INTO list_deltas (program_id, list, row_id, state, count)
  SELECT r.program_id, 'campaigns', r.id, CASE WHEN r.archived_at IS NULL THEN '' ELSE 'archived' END, -1 FROM changed_rows r;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER list_counts_deleted AFTER DELETE ON campaigns
  REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION list_counts_record_deleted_campaigns();

CREATE OR REPLACE FUNCTION list_counts_record_moved_campaigns() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on' THEN
    RETURN NULL;
  END IF;
  INSERT INTO list_deltas (program_id, list, row_id, state, count)
  VALUES (OLD.program_id, 'campaigns', OLD.id, CASE WHEN OLD.archived_at IS NULL THEN '' ELSE 'archived' END, -1), (NEW.program_id, 'campaigns', NEW.id, CASE WHEN NEW.archived_at IS NULL THEN '' ELSE 'archived' END, 1);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER list_counts_moved AFTER UPDATE ON campaigns
  FOR EACH ROW WHEN ((
        CASE
            WHEN (old.archived_at IS NULL) THEN ''::text
            ELSE 'archived'::text
        END <>
        CASE
            WHEN (new.archived_at IS NULL) THEN ''::text
            ELSE 'archived'::text
        END)) EXECUTE FUNCTION list_counts_record_moved_campaigns();

CREATE OR REPLACE FUNCTION list_counts_record_inserted_commissions() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on' THEN
    RETURN NULL;
  END IF;
  -- The deletion of a program removes its counts too.
  IF TG_OP = 'DELETE' AND current_setting('tributary.deletes_program', true) = 'on' THEN RETURN NULL; END IF;
  INSERT INTO list_deltas (program_id, list, row_id, state, count)
  SELECT r.program_id, 'commissions', r.id, ''::text, 1 FROM changed_rows r;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER list_counts_inserted AFTER INSERT ON commissions
  REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION list_counts_record_inserted_commissions();

CREATE OR REPLACE FUNCTION list_counts_record_deleted_commissions() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on' THEN
    RETURN NULL;
  END IF;
  -- The deletion of a program removes its counts too.
  IF TG_OP = 'DELETE' AND current_setting('tributary.deletes_program', true) = 'on' THEN RETURN NULL; END IF;
  INSERT INTO list_deltas (program_id, list, row_id, state, count)
  SELECT r.program_id, 'commissions', r.id, ''::text, -1 FROM changed_rows r;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER list_counts_deleted AFTER DELETE ON commissions
  REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION list_counts_record_deleted_commissions();

CREATE OR REPLACE FUNCTION list_counts_record_inserted_customers() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on' THEN
    RETURN NULL;
  END IF;
  -- The deletion of a program removes its counts too.
  IF TG_OP = 'DELETE' AND current_setting('tributary.deletes_program', true) = 'on' THEN RETURN NULL; END IF;
  INSERT INTO list_deltas (program_id, list, row_id, state, count)
  SELECT r.program_id, 'customers', r.id, ''::text, 1 FROM changed_rows r;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER list_counts_inserted AFTER INSERT ON customers
  REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION list_counts_record_inserted_customers();

CREATE OR REPLACE FUNCTION list_counts_record_deleted_customers() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on' THEN
    RETURN NULL;
  END IF;
  -- The deletion of a program removes its counts too.
  IF TG_OP = 'DELETE' AND current_setting('tributary.deletes_program', true) = 'on' THEN RETURN NULL; END IF;
  INSERT INTO list_deltas (program_id, list, row_id, state, count)
  SELECT r.program_id, 'customers', r.id, ''::text, -1 FROM changed_rows r;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER list_counts_deleted AFTER DELETE ON customers
  REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION list_counts_record_deleted_customers();

CREATE OR REPLACE FUNCTION list_counts_record_inserted_payouts() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on' THEN
    RETURN NULL;
  END IF;
  -- The deletion of a program removes its counts too.
  IF TG_OP = 'DELETE' AND current_setting('tributary.deletes_program', true) = 'on' THEN RETURN NULL; END IF;
  INSERT INTO list_deltas (program_id, list, row_id, state, count)
  SELECT r.program_id, 'payouts', r.id, CASE WHEN r.paid_at IS NULL THEN 'pending' ELSE 'paid' END, 1 FROM changed_rows r;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER list_counts_inserted AFTER INSERT ON payouts
  REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION list_counts_record_inserted_payouts();

CREATE OR REPLACE FUNCTION list_counts_record_deleted_payouts() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on' THEN
    RETURN NULL;
  END IF;
  -- The deletion of a program removes its counts too.
  IF TG_OP = 'DELETE' AND current_setting('tributary.deletes_program', true) = 'on' THEN RETURN NULL; END IF;
  INSERT INTO list_deltas (program_id, list, row_id, state, count)
  SELECT r.program_id, 'payouts', r.id, CASE WHEN r.paid_at IS NULL THEN 'pending' ELSE 'paid' END, -1 FROM changed_rows r;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER list_counts_deleted AFTER DELETE ON payouts
  REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION list_counts_record_deleted_payouts();

CREATE OR REPLACE FUNCTION list_counts_record_moved_payouts() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on' THEN
    RETURN NULL;
  END IF;
  INSERT INTO list_deltas (program_id, list, row_id, state, count)
  VALUES (OLD.program_id, 'payouts', OLD.id, CASE WHEN OLD.paid_at IS NULL THEN 'pending' ELSE 'paid' END, -1), (NEW.program_id, 'payouts', NEW.id, CASE WHEN NEW.paid_at IS NULL THEN 'pending' ELSE 'paid' END, 1);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER list_counts_moved AFTER UPDATE ON payouts
  FOR EACH ROW WHEN ((
        CASE
            WHEN (old.paid_at IS NULL) THEN 'pending'::text
            ELSE 'paid'::text
        END <>
        CASE
            WHEN (new.paid_at IS NULL) THEN 'pending'::text
            ELSE 'paid'::text
        END)) EXECUTE FUNCTION list_counts_record_moved_payouts();

CREATE OR REPLACE FUNCTION list_counts_record_inserted_referrals() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on' THEN
    RETURN NULL;
  END IF;
  -- The deletion of a program removes its counts too.
  IF TG_OP = 'DELETE' AND current_setting('tributary.deletes_program', true) = 'on' THEN RETURN NULL; END IF;
  INSERT INTO list_deltas (program_id, list, row_id, state, count)
  SELECT r.program_id, 'referrals', r.id, ''::text, 1 FROM changed_rows r;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER list_counts_inserted AFTER INSERT ON referrals
  REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION list_counts_record_inserted_referrals();

CREATE OR REPLACE FUNCTION list_counts_record_deleted_referrals() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on' THEN
    RETURN NULL;
  END IF;
  -- The deletion of a program removes its counts too.
  IF TG_OP = 'DELETE' AND current_setting('tributary.deletes_program', true) = 'on' THEN RETURN NULL; END IF;
  INSERT INTO list_deltas (program_id, list, row_id, state, count)
  SELECT r.program_id, 'referrals', r.id, ''::text, -1 FROM changed_rows r;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER list_counts_deleted AFTER DELETE ON referrals
  REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION list_counts_record_deleted_referrals();

CREATE OR REPLACE FUNCTION list_counts_record_inserted_refunds() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on' THEN
    RETURN NULL;
  END IF;
  -- The deletion of a program removes its counts too.
  IF TG_OP = 'DELETE' AND current_setting('tributary.deletes_program', true) = 'on' THEN RETURN NULL; END IF;
  INSERT INTO list_deltas (program_id, list, row_id, state, count)
  SELECT r.program_id, 'refunds', r.id, ''::text, 1 FROM changed_rows r;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER list_counts_inserted AFTER INSERT ON refunds
  REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION list_counts_record_inserted_refunds();

CREATE OR REPLACE FUNCTION list_counts_record_deleted_refunds() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on' THEN
    RETURN NULL;
  END IF;
  -- The deletion of a program removes its counts too.
  IF TG_OP = 'DELETE' AND current_setting('tributary.deletes_program', true) = 'on' THEN RETURN NULL; END IF;
  INSERT INTO list_deltas (program_id, list, row_id, state, count)
  SELECT r.program_id, 'refunds', r.id, ''::text, -1 FROM changed_rows r;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER list_counts_deleted AFTER DELETE ON refunds
  REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION list_counts_record_deleted_refunds();

CREATE OR REPLACE FUNCTION list_counts_record_inserted_sales() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on' THEN
    RETURN NULL;
  END IF;
  -- The deletion of a program removes its counts too.
  IF TG_OP = 'DELETE' AND current_setting('tributary.deletes_program', true) = 'on' THEN RETURN NULL; END IF;
  INSERT INTO list_deltas (program_id, list, row_id, state, count)
  SELECT r.program_id, 'sales', r.id, ''::text, 1 FROM changed_rows r;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER list_counts_inserted AFTER INSERT ON sales
  REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION list_counts_record_inserted_sales();

CREATE OR REPLACE FUNCTION list_counts_record_deleted_sales() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on' THEN
    RETURN NULL;
  END IF;
  -- The deletion of a program removes its counts too.
  IF TG_OP = 'DELETE' AND current_setting('tributary.deletes_program', true) = 'on' THEN RETURN NULL; END IF;
  INSERT INTO list_deltas (program_id, list, row_id, state, count)
  SELECT r.program_id, 'sales', r.id, ''::text, -1 FROM changed_rows r;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER list_counts_deleted AFTER DELETE ON sales
  REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION list_counts_record_deleted_sales();

CREATE OR REPLACE FUNCTION list_counts_record_inserted_unattributed_sales() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on' THEN
    RETURN NULL;
  END IF;
  -- The deletion of a program removes its counts too.
  IF TG_OP = 'DELETE' AND current_setting('tributary.deletes_program', true) = 'on' THEN RETURN NULL; END IF;
  INSERT INTO list_deltas (program_id, list, row_id, state, count)
  SELECT r.program_id, 'unattributed_sales', r.id, ''::text, 1 FROM changed_rows r;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER list_counts_inserted AFTER INSERT ON unattributed_sales
  REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION list_counts_record_inserted_unattributed_sales();

CREATE OR REPLACE FUNCTION list_counts_record_deleted_unattributed_sales() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on' THEN
    RETURN NULL;
  END IF;
  -- The deletion of a program removes its counts too.
  IF TG_OP = 'DELETE' AND current_setting('tributary.deletes_program', true) = 'on' THEN RETURN NULL; END IF;
  INSERT INTO list_deltas (program_id, list, row_id, state, count)
  SELECT r.program_id, 'unattributed_sales', r.id, ''::text, -1 FROM changed_rows r;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER list_counts_deleted AFTER DELETE ON unattributed_sales
  REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION list_counts_record_deleted_unattributed_sales();

CREATE OR REPLACE FUNCTION list_counts_record_deleted_events() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on' THEN
    RETURN NULL;
  END IF;
  -- The deletion of a program removes its counts too.
  IF current_setting('tributary.deletes_program', true) = 'on' THEN RETURN NULL; END IF;
  INSERT INTO list_deltas (program_id, list, row_id, state, count)
  SELECT r.program_id, 'events', r.id, '', -1 FROM changed_rows r;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER list_counts_deleted AFTER DELETE ON events
  REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION list_counts_record_deleted_events();


-- Rebuilds the counts from the rows, in ranges of 2000. No other transaction may write at the same time.
CREATE OR REPLACE FUNCTION list_counts_rebuild() RETURNS void LANGUAGE sql
  SET work_mem = '64MB' AS $$
  DELETE FROM list_deltas;
  DELETE FROM list_counts;
  INSERT INTO list_counts (program_id, list, first_id, state, count)
  SELECT program_id, list, first_id, state, count(*)
  FROM (
  SELECT program_id, list, state, CASE
    WHEN part = 0 THEN '00000000-0000-0000-0000-000000000000'
    ELSE first_value(id) OVER (PARTITION BY program_id, list, part ORDER BY id)
  END AS first_id
  FROM (SELECT *, (row_number() OVER (PARTITION BY program_id, list ORDER BY id) - 1) / 2000 AS part FROM listed_rows) numbered
  ) ranged
  GROUP BY program_id, list, first_id, state;
$$;
