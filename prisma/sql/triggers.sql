-- All triggers. They are in a file of their own, because replacing one locks its table against writes: another text of a function is
-- applied without that.

----------------------------------------------------------------------------------------------------------------------
-- Analytics

CREATE OR REPLACE TRIGGER analytics_inserted AFTER INSERT ON referrals
  REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION analytics_record_referrals();

CREATE OR REPLACE TRIGGER analytics_deleted AFTER DELETE ON referrals
  REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION analytics_record_referrals();

CREATE OR REPLACE TRIGGER analytics_updated AFTER UPDATE ON referrals
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION analytics_record_updated_referrals();

CREATE OR REPLACE TRIGGER analytics_inserted AFTER INSERT ON sales
  REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION analytics_record_sales();

CREATE OR REPLACE TRIGGER analytics_deleted AFTER DELETE ON sales
  REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION analytics_record_sales();

CREATE OR REPLACE TRIGGER analytics_updated AFTER UPDATE ON sales
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION analytics_record_updated_sales();

CREATE OR REPLACE TRIGGER analytics_inserted AFTER INSERT ON refunds
  REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION analytics_record_refunds();

CREATE OR REPLACE TRIGGER analytics_deleted AFTER DELETE ON refunds
  REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION analytics_record_refunds();

CREATE OR REPLACE TRIGGER analytics_updated AFTER UPDATE ON refunds
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION analytics_record_updated_refunds();

CREATE OR REPLACE TRIGGER analytics_inserted AFTER INSERT ON commissions
  REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION analytics_record_commissions();

CREATE OR REPLACE TRIGGER analytics_deleted AFTER DELETE ON commissions
  REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION analytics_record_commissions();

CREATE OR REPLACE TRIGGER analytics_updated AFTER UPDATE ON commissions
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION analytics_record_updated_commissions();

----------------------------------------------------------------------------------------------------------------------
-- Measures of tiers

CREATE OR REPLACE TRIGGER measure_inserted AFTER INSERT ON sales
  REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION measure_record_sales();

CREATE OR REPLACE TRIGGER measure_deleted AFTER DELETE ON sales
  REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION measure_record_sales();

CREATE OR REPLACE TRIGGER measure_updated AFTER UPDATE ON sales
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION measure_record_updated_sales();

CREATE OR REPLACE TRIGGER measure_inserted AFTER INSERT ON commissions
  REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION measure_record_commissions();

CREATE OR REPLACE TRIGGER measure_deleted AFTER DELETE ON commissions
  REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION measure_record_commissions();

CREATE OR REPLACE TRIGGER measure_updated AFTER UPDATE ON commissions
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION measure_record_updated_commissions();

----------------------------------------------------------------------------------------------------------------------
-- Lists

CREATE OR REPLACE TRIGGER list_counts_inserted AFTER INSERT ON commissions
  REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION list_counts_record_rows();

CREATE OR REPLACE TRIGGER list_counts_deleted AFTER DELETE ON commissions
  REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION list_counts_record_rows();

CREATE OR REPLACE TRIGGER list_counts_inserted AFTER INSERT ON customers
  REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION list_counts_record_rows();

CREATE OR REPLACE TRIGGER list_counts_deleted AFTER DELETE ON customers
  REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION list_counts_record_rows();

CREATE OR REPLACE TRIGGER list_counts_inserted AFTER INSERT ON referrals
  REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION list_counts_record_rows();

CREATE OR REPLACE TRIGGER list_counts_deleted AFTER DELETE ON referrals
  REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION list_counts_record_rows();

CREATE OR REPLACE TRIGGER list_counts_inserted AFTER INSERT ON refunds
  REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION list_counts_record_rows();

CREATE OR REPLACE TRIGGER list_counts_deleted AFTER DELETE ON refunds
  REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION list_counts_record_rows();

CREATE OR REPLACE TRIGGER list_counts_inserted AFTER INSERT ON sales
  REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION list_counts_record_rows();

CREATE OR REPLACE TRIGGER list_counts_deleted AFTER DELETE ON sales
  REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION list_counts_record_rows();

CREATE OR REPLACE TRIGGER list_counts_inserted AFTER INSERT ON unattributed_sales
  REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION list_counts_record_rows();

CREATE OR REPLACE TRIGGER list_counts_deleted AFTER DELETE ON unattributed_sales
  REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION list_counts_record_rows();

CREATE OR REPLACE TRIGGER list_counts_inserted AFTER INSERT ON affiliate_coupons
  REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION list_counts_record_archivable();

CREATE OR REPLACE TRIGGER list_counts_deleted AFTER DELETE ON affiliate_coupons
  REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION list_counts_record_archivable();

CREATE OR REPLACE TRIGGER list_counts_inserted AFTER INSERT ON affiliate_links
  REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION list_counts_record_archivable();

CREATE OR REPLACE TRIGGER list_counts_deleted AFTER DELETE ON affiliate_links
  REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION list_counts_record_archivable();

CREATE OR REPLACE TRIGGER list_counts_inserted AFTER INSERT ON campaigns
  REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION list_counts_record_archivable();

CREATE OR REPLACE TRIGGER list_counts_deleted AFTER DELETE ON campaigns
  REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION list_counts_record_archivable();

CREATE OR REPLACE TRIGGER list_counts_inserted AFTER INSERT ON affiliates
  REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION list_counts_record_affiliates();

CREATE OR REPLACE TRIGGER list_counts_deleted AFTER DELETE ON affiliates
  REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION list_counts_record_affiliates();

CREATE OR REPLACE TRIGGER list_counts_inserted AFTER INSERT ON payouts
  REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION list_counts_record_payouts();

CREATE OR REPLACE TRIGGER list_counts_deleted AFTER DELETE ON payouts
  REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION list_counts_record_payouts();

-- record_events counts the events that come. Retention deletes events.
CREATE OR REPLACE TRIGGER list_counts_deleted AFTER DELETE ON events
  REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION list_counts_record_rows();

-- Counters of affiliates and links change with every visit and sale, so the condition is checked before the function is called.
CREATE OR REPLACE TRIGGER list_counts_moved AFTER UPDATE ON affiliate_coupons
  FOR EACH ROW WHEN (CASE WHEN OLD.archived_at IS NULL THEN '' ELSE 'archived' END <> CASE WHEN NEW.archived_at IS NULL THEN '' ELSE 'archived' END)
  EXECUTE FUNCTION list_counts_record_moved_archivable();

CREATE OR REPLACE TRIGGER list_counts_moved AFTER UPDATE ON affiliate_links
  FOR EACH ROW WHEN (CASE WHEN OLD.archived_at IS NULL THEN '' ELSE 'archived' END <> CASE WHEN NEW.archived_at IS NULL THEN '' ELSE 'archived' END)
  EXECUTE FUNCTION list_counts_record_moved_archivable();

CREATE OR REPLACE TRIGGER list_counts_moved AFTER UPDATE ON campaigns
  FOR EACH ROW WHEN (CASE WHEN OLD.archived_at IS NULL THEN '' ELSE 'archived' END <> CASE WHEN NEW.archived_at IS NULL THEN '' ELSE 'archived' END)
  EXECUTE FUNCTION list_counts_record_moved_archivable();

CREATE OR REPLACE TRIGGER list_counts_moved AFTER UPDATE ON affiliates
  FOR EACH ROW WHEN (OLD.state::text <> NEW.state::text)
  EXECUTE FUNCTION list_counts_record_moved_affiliates();

CREATE OR REPLACE TRIGGER list_counts_moved AFTER UPDATE ON payouts
  FOR EACH ROW WHEN (CASE WHEN OLD.failed_at IS NOT NULL THEN 'failed' WHEN OLD.paid_at IS NULL THEN 'pending' ELSE 'paid' END <> CASE WHEN NEW.failed_at IS NOT NULL THEN 'failed' WHEN NEW.paid_at IS NULL THEN 'pending' ELSE 'paid' END)
  EXECUTE FUNCTION list_counts_record_moved_payouts();

-- Whether payouts can be paid.
CREATE OR REPLACE TRIGGER payable_created BEFORE INSERT ON payouts
  FOR EACH ROW EXECUTE FUNCTION payouts_keep_payable();

-- Only the triggers below set it to false: they know that it is. What is not payable stays so while it is sent, paid or failed. A run
-- takes 50,000 payouts.
CREATE OR REPLACE TRIGGER payable_written BEFORE UPDATE ON payouts
  FOR EACH ROW WHEN (NEW.is_payable
    OR NOT OLD.is_payable AND NEW.sent_at IS NULL AND NEW.paid_at IS NULL AND NEW.failed_at IS NULL)
  EXECUTE FUNCTION payouts_keep_payable();

CREATE OR REPLACE TRIGGER payable_of_minimum AFTER UPDATE ON campaigns
  FOR EACH ROW WHEN (OLD.minimum_payout_cents <> NEW.minimum_payout_cents OR OLD.minimum_payouts <> NEW.minimum_payouts)
  EXECUTE FUNCTION payouts_keep_payable_of_campaign();

CREATE OR REPLACE TRIGGER payable_of_moved AFTER UPDATE ON affiliates
  FOR EACH ROW WHEN (OLD.campaign_id <> NEW.campaign_id)
  EXECUTE FUNCTION payouts_keep_payable_of_affiliate();

CREATE OR REPLACE TRIGGER payable_of_withheld AFTER UPDATE ON affiliates
  FOR EACH ROW WHEN (OLD.withholding_basis_points IS DISTINCT FROM NEW.withholding_basis_points)
  EXECUTE FUNCTION payouts_keep_payable_of_withheld();

CREATE OR REPLACE TRIGGER payable_of_settings AFTER INSERT OR UPDATE ON tax_settings
  FOR EACH ROW EXECUTE FUNCTION payouts_keep_payable_of_tax_settings();

CREATE OR REPLACE TRIGGER payable_inserted AFTER INSERT ON payout_run_items
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION payouts_keep_payable_of_items();

CREATE OR REPLACE TRIGGER payable_updated AFTER UPDATE ON payout_run_items
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION payouts_keep_payable_of_updated_items();

-- What is due to an affiliate.
CREATE OR REPLACE TRIGGER due_inserted AFTER INSERT ON payouts
  REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION affiliates_keep_due_of_changed();

CREATE OR REPLACE TRIGGER due_updated AFTER UPDATE ON payouts
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION affiliates_keep_due_of_updated();

CREATE OR REPLACE TRIGGER due_deleted AFTER DELETE ON payouts
  REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION affiliates_keep_due_of_changed();

----------------------------------------------------------------------------------------------------------------------
-- Coupons

CREATE OR REPLACE TRIGGER coupons_keep_first AFTER INSERT OR DELETE OR UPDATE OF archived_at, affiliate_id ON affiliate_coupons
  FOR EACH ROW EXECUTE FUNCTION coupons_keep_first();

----------------------------------------------------------------------------------------------------------------------
-- Facts and history

CREATE OR REPLACE TRIGGER payment_facts_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON payment_facts
  FOR EACH STATEMENT EXECUTE FUNCTION payment_facts_are_append_only();

CREATE OR REPLACE TRIGGER accepted_differences_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON accepted_differences
  FOR EACH STATEMENT EXECUTE FUNCTION accepted_differences_are_append_only();

CREATE OR REPLACE TRIGGER invoices_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON invoices
  FOR EACH STATEMENT EXECUTE FUNCTION invoices_are_append_only();

CREATE OR REPLACE TRIGGER self_billing_versions_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON self_billing_versions
  FOR EACH STATEMENT EXECUTE FUNCTION self_billing_is_append_only();

CREATE OR REPLACE TRIGGER self_billing_agreements_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON self_billing_agreements
  FOR EACH STATEMENT EXECUTE FUNCTION self_billing_is_append_only();

CREATE OR REPLACE TRIGGER money_events_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON money_events
  FOR EACH STATEMENT EXECUTE FUNCTION money_events_are_append_only();

CREATE OR REPLACE TRIGGER changes_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON changes
  FOR EACH STATEMENT EXECUTE FUNCTION changes_are_append_only();

CREATE OR REPLACE TRIGGER installation_changes_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON installation_changes
  FOR EACH STATEMENT EXECUTE FUNCTION installation_changes_are_append_only();

CREATE OR REPLACE TRIGGER commission_rule_versions_append_only BEFORE UPDATE ON commission_rule_versions
  FOR EACH STATEMENT EXECUTE FUNCTION commission_rule_versions_are_append_only();

CREATE OR REPLACE TRIGGER refund_stays_reversed BEFORE UPDATE ON refunds
  FOR EACH ROW WHEN (OLD.reversed_at IS NOT NULL AND NEW.reversed_at IS DISTINCT FROM OLD.reversed_at)
  EXECUTE FUNCTION refund_stays_reversed();

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

----------------------------------------------------------------------------------------------------------------------
-- Statements

CREATE OR REPLACE TRIGGER statements_note_late AFTER INSERT ON money_events
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION statements_note_late_money();

CREATE OR REPLACE TRIGGER statements_note_late AFTER INSERT ON sales
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION statements_note_late_sales();

CREATE OR REPLACE TRIGGER statements_keep AFTER UPDATE OF affiliate_id, rule_id, rule_reward_type, rule_basis_points, rule_amount_cents, rule_lines ON commissions
  FOR EACH ROW WHEN (
    OLD.affiliate_id IS DISTINCT FROM NEW.affiliate_id OR OLD.rule_id IS DISTINCT FROM NEW.rule_id
    OR OLD.rule_reward_type IS DISTINCT FROM NEW.rule_reward_type OR OLD.rule_basis_points IS DISTINCT FROM NEW.rule_basis_points
    OR OLD.rule_amount_cents IS DISTINCT FROM NEW.rule_amount_cents OR OLD.rule_lines IS DISTINCT FROM NEW.rule_lines)
  EXECUTE FUNCTION statements_keep_commission();

CREATE OR REPLACE TRIGGER statements_keep AFTER UPDATE OF affiliate_id, amount_cents, occurred_at, decision, no_commission_reason ON sales
  FOR EACH ROW WHEN (
    OLD.affiliate_id IS DISTINCT FROM NEW.affiliate_id OR OLD.amount_cents IS DISTINCT FROM NEW.amount_cents
    OR OLD.occurred_at IS DISTINCT FROM NEW.occurred_at OR OLD.no_commission_reason IS DISTINCT FROM NEW.no_commission_reason
    OR OLD.decision -> 'rule' IS DISTINCT FROM NEW.decision -> 'rule')
  EXECUTE FUNCTION statements_keep_sale();

CREATE OR REPLACE TRIGGER statements_stay BEFORE DELETE ON statements
  FOR EACH ROW EXECUTE FUNCTION statements_stay();

CREATE OR REPLACE TRIGGER statements_stay_as_they_are BEFORE UPDATE OF header, lines, hash, index, path, opening_cents, closing_cents ON statements
  FOR EACH ROW WHEN (OLD.index IS NOT NULL)
  EXECUTE FUNCTION statements_stay();

----------------------------------------------------------------------------------------------------------------------
-- Closed programs

-- Each transaction that serves a request inserts into one of these tables, or records an event, as sales do. What the service does by
-- itself with rows that exist, such as counting visitors and retention, is not stopped.
CREATE OR REPLACE TRIGGER program_must_be_open BEFORE INSERT ON changes
  FOR EACH ROW EXECUTE FUNCTION program_must_be_open();

CREATE OR REPLACE TRIGGER program_must_be_open BEFORE INSERT ON imported_records
  FOR EACH ROW EXECUTE FUNCTION program_must_be_open();

CREATE OR REPLACE TRIGGER program_must_be_open BEFORE INSERT ON payouts
  FOR EACH ROW EXECUTE FUNCTION program_must_be_open();

CREATE OR REPLACE TRIGGER program_must_be_open BEFORE INSERT ON refunds
  FOR EACH ROW EXECUTE FUNCTION program_must_be_open();

CREATE OR REPLACE TRIGGER program_must_be_open BEFORE INSERT ON sale_aliases
  FOR EACH ROW EXECUTE FUNCTION program_must_be_open();

CREATE OR REPLACE TRIGGER program_must_be_open BEFORE INSERT ON sso_redemptions
  FOR EACH ROW EXECUTE FUNCTION program_must_be_open();

CREATE OR REPLACE TRIGGER program_must_be_open BEFORE INSERT ON unattributed_sales
  FOR EACH ROW EXECUTE FUNCTION program_must_be_open();

CREATE OR REPLACE TRIGGER program_must_be_open BEFORE INSERT ON visits
  FOR EACH ROW EXECUTE FUNCTION program_must_be_open();

CREATE OR REPLACE TRIGGER program_must_be_open BEFORE INSERT ON waiting_refunds
  FOR EACH ROW EXECUTE FUNCTION program_must_be_open();
