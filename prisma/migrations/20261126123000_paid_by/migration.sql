-- Until now, the API key that marked a payout as paid was looked up in the history.
ALTER TABLE "payouts" ADD COLUMN     "paid_by_id" UUID;

-- Its triggers keep amounts and states, which do not change.
ALTER TABLE payouts DISABLE TRIGGER USER;
UPDATE payouts o SET paid_by_id = last.actor_id
FROM (
  SELECT DISTINCT ON (program_id, subject_id) program_id, subject_id, actor_id, actor_kind FROM changes
  WHERE subject = 'payout' AND action = 'paid' ORDER BY program_id, subject_id, id DESC
) last
WHERE last.program_id = o.program_id AND last.subject_id = o.id AND last.actor_kind = 'api_key' AND o.paid_at IS NOT NULL;
ALTER TABLE payouts ENABLE TRIGGER USER;

ALTER TABLE "payouts" ADD CONSTRAINT payouts_paid_by_if_paid CHECK (paid_by_id IS NULL OR paid_at IS NOT NULL);
