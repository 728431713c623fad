-- AlterEnum
ALTER TYPE "money_event_kind" ADD VALUE 'unvoided';
ALTER TYPE "money_event_kind" ADD VALUE 'refund_reversed';

-- AlterTable
ALTER TABLE "refunds" ADD COLUMN     "reversal_reason" TEXT,
ADD COLUMN     "reversed_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "money_events" ADD COLUMN     "refund_id" UUID;

-- A refund after payment has a debt. If it is reversed, it can have a credit too, which is positive.
DROP INDEX "commissions_program_id_refund_id_key";
CREATE INDEX "commissions_program_id_refund_id_idx" ON "commissions"("program_id", "refund_id") WHERE ("refund_id" IS NOT NULL);
CREATE UNIQUE INDEX "commissions_one_debt_per_refund" ON "commissions"("program_id", "refund_id") WHERE (refund_id IS NOT NULL AND amount_cents < 0);
CREATE UNIQUE INDEX "commissions_one_credit_per_refund" ON "commissions"("program_id", "refund_id") WHERE (refund_id IS NOT NULL AND amount_cents > 0);
ALTER TABLE "commissions" DROP CONSTRAINT "commissions_negative_for_a_refund",
  ADD CONSTRAINT "commissions_earned_or_of_a_refund" CHECK (CASE WHEN "refund_id" IS NULL THEN "amount_cents" >= 0 ELSE "amount_cents" <> 0 END);

-- The facts that refunds have caused until now name the refund in their reason.
ALTER TABLE "money_events" DISABLE TRIGGER "money_events_append_only";
UPDATE "money_events" e SET "refund_id" = r."id"
FROM "refunds" r
WHERE e."kind" IN ('earned', 'refunded', 'voided') AND e."reason" LIKE 'sale refunded %' AND r."program_id" = e."program_id"
  AND r."id"::text = substring(e."reason" FROM '[0-9a-f-]{36}$');
ALTER TABLE "money_events" ENABLE TRIGGER "money_events_append_only";
CREATE INDEX "money_events_program_id_refund_id_idx" ON "money_events"("program_id", "refund_id") WHERE ("refund_id" IS NOT NULL);
ALTER TABLE "money_events" ADD CONSTRAINT "money_events_program_id_refund_id_fkey" FOREIGN KEY ("program_id", "refund_id") REFERENCES "refunds"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- A refund is reversed once.
CREATE FUNCTION "refund_stays_reversed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a reversed refund stays reversed';
END
$$;
CREATE TRIGGER "refund_stays_reversed" BEFORE UPDATE ON "refunds"
  FOR EACH ROW WHEN (OLD.reversed_at IS NOT NULL AND NEW.reversed_at IS DISTINCT FROM OLD.reversed_at) EXECUTE FUNCTION "refund_stays_reversed"();

-- A reversed refund is no fact of analytics. The view is as before but for that; so are the functions of the triggers.
DO $generate$
DECLARE
  nil text := '''00000000-0000-0000-0000-000000000000''::uuid';
  source text := format('coalesce(r.link_id, %1$s) AS link_id, coalesce(r.coupon_id, %1$s) AS coupon_id', nil);
  referral text := ' LEFT JOIN referrals r ON r.program_id = s.program_id AND r.id = s.referral_id';
  of_commission text := 'SELECT s.program_id, %L::analytics_kind AS kind, s.%I AS at, s.campaign_id, s.affiliate_id, '
    || source || ', s.currency, 1 AS count, s.amount_cents AS amount FROM commissions s' || referral || ' WHERE %s';
  of_referral text := 'SELECT r.program_id, %L::analytics_kind AS kind, r.%I AS at, r.campaign_id, r.affiliate_id, '
    || source || ', ''''::text AS currency, 1 AS count, 0::bigint AS amount FROM referrals r WHERE r.%2$I IS NOT NULL';
  of_sale text := 'SELECT s.program_id, %L::analytics_kind AS kind, %s AS at, s.campaign_id, s.affiliate_id, '
    || source || ', s.currency, 1 AS count, %s AS amount FROM %s' || referral || '%s';
  found record;
  altered text;
BEGIN
  EXECUTE 'CREATE OR REPLACE VIEW analytics_facts AS ' || concat_ws(' UNION ALL ',
    format(of_commission, 'accrued', 'occurred_at', 's.voided_at IS NULL'),
    format(of_commission, 'due', 'due_at', 's.paid_at IS NULL AND s.voided_at IS NULL AND s.held_reason IS NULL'),
    format(of_commission, 'paid', 'paid_at', 's.paid_at IS NOT NULL'),
    format(of_commission, 'voided', 'voided_at', 's.voided_at IS NOT NULL'),
    format(of_referral, 'visitor', 'created_at'),
    format(of_referral, 'lead', 'became_lead_at'),
    format(of_referral, 'conversion', 'became_conversion_at'),
    format(of_sale, 'refund', 'f.created_at', 'f.amount_cents', 'refunds f JOIN sales s ON s.program_id = f.program_id AND s.id = f.sale_id',
      ' WHERE f.reversed_at IS NULL'),
    format(of_sale, 'sale', 's.occurred_at', 's.amount_cents', 'sales s', ''));
  FOR found IN
    SELECT proname AS name, pg_get_functiondef(oid) AS definition FROM pg_proc
    WHERE pronamespace = current_schema()::text::regnamespace AND proname LIKE 'analytics\_record\_%\_refunds'
  LOOP
    altered := replace(found.definition, 'r.id = s.referral_id)', 'r.id = s.referral_id WHERE f.reversed_at IS NULL)');
    IF altered = found.definition THEN RAISE EXCEPTION '% has another form', found.name; END IF;
    EXECUTE altered;
  END LOOP;
END
$generate$;
