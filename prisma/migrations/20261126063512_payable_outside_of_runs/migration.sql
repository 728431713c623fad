-- What an open run pays cannot be paid by another one. The trigger of an earlier version would set it again; the one of this version is
-- applied after the migrations.
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_trigger WHERE tgname = 'payable_written' AND tgrelid = 'payouts'::regclass) THEN
    ALTER TABLE payouts DISABLE TRIGGER payable_written;
  END IF;
  UPDATE payouts o SET is_payable = false FROM payout_run_items item
  WHERE item.program_id = o.program_id AND item.payout_id = o.id AND item.state IN ('prepared', 'sent') AND o.is_payable;
  IF EXISTS (SELECT FROM pg_trigger WHERE tgname = 'payable_written' AND tgrelid = 'payouts'::regclass) THEN
    ALTER TABLE payouts ENABLE TRIGGER payable_written;
  END IF;
END
$$;
