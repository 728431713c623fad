-- Whether a payout can be paid now. Lists filter by it, and the minimum and the open runs are in other tables.
--
-- A plan that was made while a table was small must not read all of it for each later row: see events.sql. The open payment of a payout is
-- looked up by its affiliate and currency too: the planner may take either index of open payments, which it expects to be few.

-- The minimum of a currency: its own, or the one of all others. PostgreSQL puts this function into the query that calls it.
CREATE OR REPLACE FUNCTION minimum_payout(c campaigns, currency text) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce((c.minimum_payouts ->> "currency")::bigint, c.minimum_payout_cents)
$$;

CREATE OR REPLACE FUNCTION minimum_payout_of(program uuid, affiliate uuid, currency text) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT minimum_payout(c, "currency") FROM affiliates a JOIN campaigns c ON c.program_id = a.program_id AND c.id = a.campaign_id
  WHERE a.program_id = "program" AND a.id = "affiliate"
$$;

-- Whether the payouts of an affiliate wait, because the program needs a tax profile: none is signed, it has expired, or it lacks the
-- form that a payer in the United States needs.
CREATE OR REPLACE FUNCTION lacks_tax_profile(program uuid, affiliate uuid, at timestamptz) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM tax_settings s WHERE s.program_id = "program" AND s.needs_profile_for_payouts AND NOT EXISTS (
      SELECT FROM tax_profiles t WHERE t.program_id = "program" AND t.affiliate_id = "affiliate" AND t.replaced_at IS NULL
        AND (t.expires_at IS NULL OR t.expires_at > "at") AND (t.form IS NOT NULL OR s.payer_country IS DISTINCT FROM 'US')))
$$;

-- How much is withheld of the payouts of an affiliate now, in hundredths of a percent.
CREATE OR REPLACE FUNCTION withholding_of(a affiliates) RETURNS integer LANGUAGE sql STABLE AS $$
  SELECT coalesce(a.withholding_basis_points,
    (SELECT s.withholding_basis_points FROM tax_settings s WHERE s.program_id = a.program_id), 0)
$$;

-- As splitOf in src/modules/payouts/withholding.ts. Amounts are not negative.
CREATE OR REPLACE FUNCTION withheld_of(gross_cents bigint, basis_points integer) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT div("gross_cents"::numeric * "basis_points" + 5000, 10000)::bigint
$$;

-- As withheldWith there: what is withheld if so much of a payment leaves.
CREATE OR REPLACE FUNCTION withheld_with(amount_cents bigint, withheld_cents bigint, gone_cents bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN "withheld_cents" = 0 OR "amount_cents" = 0 THEN 0
    ELSE div(2 * "withheld_cents"::numeric * "gone_cents" + "amount_cents", 2 * "amount_cents"::numeric)::bigint END
$$;

-- Whether nothing of a payout would leave.
CREATE OR REPLACE FUNCTION is_all_withheld(amount_cents bigint, basis_points integer) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT "amount_cents" > 0 AND withheld_of("amount_cents", "basis_points") = "amount_cents"
$$;

CREATE OR REPLACE FUNCTION payouts_keep_payable() RETURNS trigger LANGUAGE plpgsql
  SET enable_seqscan = off AS $$
BEGIN
  NEW.is_payable := NEW.paid_at IS NULL AND NEW.failed_at IS NULL AND NEW.sent_at IS NULL AND NEW.amount_cents > 0
    AND NEW.amount_cents >= coalesce((SELECT minimum_payout(c, NEW.currency) FROM campaigns c WHERE c.program_id = NEW.program_id
      AND c.id = (SELECT a.campaign_id FROM affiliates a WHERE a.program_id = NEW.program_id AND a.id = NEW.affiliate_id)), 0)
    AND NOT is_all_withheld(NEW.amount_cents, coalesce((SELECT withholding_of(a) FROM affiliates a
      WHERE a.program_id = NEW.program_id AND a.id = NEW.affiliate_id), 0))
    AND NOT EXISTS (SELECT FROM payout_run_items item
      WHERE item.program_id = NEW.program_id AND item.payout_id = NEW.id AND item.affiliate_id = NEW.affiliate_id
        AND item.currency = NEW.currency AND item.state IN ('prepared', 'sent', 'unclaimed') AND NOT item.is_extra);
  RETURN NEW;
END
$$;

-- The trigger above computes the value. Only payouts that cross the minimum are written.
CREATE OR REPLACE FUNCTION payouts_keep_payable_of_campaign() RETURNS trigger LANGUAGE plpgsql
  SET enable_seqscan = off AS $$
BEGIN
  UPDATE payouts o SET is_payable = NOT o.is_payable FROM affiliates a
  WHERE a.program_id = NEW.program_id AND a.campaign_id = NEW.id AND o.program_id = a.program_id AND o.affiliate_id = a.id
    AND o.paid_at IS NULL AND o.failed_at IS NULL AND o.sent_at IS NULL AND o.amount_cents > 0
    AND o.is_payable <> (o.amount_cents >= minimum_payout(NEW, o.currency));
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION payouts_keep_payable_of_affiliate() RETURNS trigger LANGUAGE plpgsql
  SET enable_seqscan = off AS $$
BEGIN
  UPDATE payouts o SET is_payable = NOT o.is_payable
  WHERE o.program_id = NEW.program_id AND o.affiliate_id = NEW.id
    AND o.paid_at IS NULL AND o.failed_at IS NULL AND o.sent_at IS NULL AND o.amount_cents > 0
    AND o.is_payable <> (o.amount_cents >= minimum_payout_of(NEW.program_id, NEW.id, o.currency));
  RETURN NULL;
END
$$;

-- Nothing would be left of some payouts, or something again. Below a half, something is left of each.
CREATE OR REPLACE FUNCTION payouts_keep_payable_of_withheld() RETURNS trigger LANGUAGE plpgsql
  SET enable_seqscan = off AS $$
BEGIN
  UPDATE payouts o SET is_payable = NOT o.is_payable
  WHERE o.program_id = NEW.program_id AND o.affiliate_id = NEW.id
    AND o.paid_at IS NULL AND o.failed_at IS NULL AND o.sent_at IS NULL AND o.amount_cents > 0
    AND is_all_withheld(o.amount_cents, withholding_of(OLD)) <> is_all_withheld(o.amount_cents, withholding_of(NEW));
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION payouts_keep_payable_of_tax_settings() RETURNS trigger LANGUAGE plpgsql
  SET enable_seqscan = off AS $$
DECLARE
  before integer := CASE WHEN TG_OP = 'UPDATE' THEN coalesce(OLD.withholding_basis_points, 0) ELSE 0 END;
  after integer := coalesce(NEW.withholding_basis_points, 0);
BEGIN
  IF before = after OR greatest(before, after) < 5000 THEN RETURN NULL; END IF;
  UPDATE payouts o SET is_payable = NOT o.is_payable FROM affiliates a
  WHERE a.program_id = NEW.program_id AND a.withholding_basis_points IS NULL AND o.program_id = a.program_id AND o.affiliate_id = a.id
    AND o.paid_at IS NULL AND o.failed_at IS NULL AND o.sent_at IS NULL AND o.amount_cents > 0
    AND is_all_withheld(o.amount_cents, before) <> is_all_withheld(o.amount_cents, after);
  RETURN NULL;
END
$$;

-- An open run takes a payout, or gives it back.
CREATE OR REPLACE FUNCTION payouts_keep_payable_of_items() RETURNS trigger LANGUAGE plpgsql
  SET enable_seqscan = off AS $$
BEGIN
  UPDATE payouts o SET is_payable = false FROM new_rows item
  WHERE item.state IN ('prepared', 'sent', 'unclaimed') AND NOT item.is_extra AND o.program_id = item.program_id AND o.id = item.payout_id AND o.is_payable;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION payouts_keep_payable_of_updated_items() RETURNS trigger LANGUAGE plpgsql
  SET enable_seqscan = off AS $$
BEGIN
  UPDATE payouts o SET is_payable = NOT o.is_payable FROM new_rows item JOIN old_rows before USING (program_id, id)
  WHERE (before.state IN ('prepared', 'sent', 'unclaimed') AND NOT before.is_extra)
      <> (item.state IN ('prepared', 'sent', 'unclaimed') AND NOT item.is_extra)
    AND o.program_id = item.program_id AND o.id = item.payout_id
    AND o.paid_at IS NULL AND o.failed_at IS NULL AND o.sent_at IS NULL AND o.amount_cents > 0;
  RETURN NULL;
END
$$;

-- Nothing calls it since campaigns have a minimum per currency.
DROP FUNCTION IF EXISTS minimum_payout_of(uuid, uuid);
