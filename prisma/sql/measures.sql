-- What affiliates have sold and earned in campaigns, net of refunds: the measures of tiers. Triggers record the difference that each
-- statement makes in affiliate_measure_deltas; the service folds those into affiliate_measures. At any time, both together equal the facts.

-- Returns the start of the row in which a time counts. A month of any time zone begins within 14 hours of that of UTC: the quarters of an
-- hour around it have rows of their own, and the rest of the month has one, which begins when the month has begun everywhere. So the sum
-- of the rows that begin in a month of a time zone is the sum of that month. It is in PL/pgSQL, which keeps plans: PostgreSQL plans
-- a function in SQL that it cannot inline anew in each statement, and it inlines none whose argument is a subquery.
CREATE OR REPLACE FUNCTION measure_start(at timestamptz) RETURNS timestamptz LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN CASE
    WHEN date_trunc('month', "at" AT TIME ZONE 'UTC' - interval '14 hours') = date_trunc('month', "at" AT TIME ZONE 'UTC' + interval '14 hours')
      THEN (date_trunc('month', "at" AT TIME ZONE 'UTC') + interval '14 hours') AT TIME ZONE 'UTC'
    ELSE date_bin('15 minutes', "at", timestamptz '1970-01-01 00:00:00Z')
  END;
END
$$;

-- What each sale and each commission of a sale counts. A refund counts in the period of its sale: debts and credits too. The functions
-- below say the same of changed rows.
CREATE OR REPLACE VIEW measure_facts AS
  SELECT s.program_id, s.affiliate_id, s.campaign_id, s.occurred_at AS at, s.currency,
    CASE WHEN s.refunded_cents > 0 AND s.refunded_cents >= s.amount_cents THEN 0 ELSE 1 END AS conversions,
    s.amount_cents - s.refunded_cents AS revenue, 0::bigint AS commissions
  FROM sales s WHERE coalesce(s.no_commission_reason NOT IN ('self_referral', 'attribution_undone'), true)
  UNION ALL
  SELECT c.program_id, c.affiliate_id, c.campaign_id,
    CASE WHEN c.refund_id IS NULL THEN c.occurred_at
      ELSE (SELECT s.occurred_at FROM sales s WHERE s.program_id = c.program_id AND s.id = c.sale_id) END AS at,
    c.currency, 0, 0::bigint, c.amount_cents
  FROM commissions c WHERE c.kind = 'sale' AND c.voided_at IS NULL;

-- The triggers run as the owner: the rows they count have passed the policies of their tables. Plans must not read a whole table for a
-- debt, see analytics.sql. The import of a program brings its measures with it.
CREATE OR REPLACE FUNCTION measure_record_sales() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET jit = off AS $$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on'
    OR TG_OP = 'DELETE' AND current_setting('tributary.deletes_program', true) = 'on' THEN
    RETURN NULL;
  END IF;
  INSERT INTO affiliate_measure_deltas (program_id, affiliate_id, campaign_id, start, currency, conversions, revenue_cents, commissions_cents)
  SELECT s.program_id, s.affiliate_id, s.campaign_id, measure_start(s.occurred_at), s.currency,
    CASE WHEN s.refunded_cents > 0 AND s.refunded_cents >= s.amount_cents THEN 0 ELSE sign END,
    (s.amount_cents - s.refunded_cents) * sign, 0
  FROM (SELECT *, CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END AS sign FROM changed_rows) s
  WHERE coalesce(s.no_commission_reason NOT IN ('self_referral', 'attribution_undone'), true);
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION measure_record_updated_sales() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET jit = off AS $$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on' THEN
    RETURN NULL;
  END IF;
  INSERT INTO affiliate_measure_deltas (program_id, affiliate_id, campaign_id, start, currency, conversions, revenue_cents, commissions_cents)
  SELECT s.program_id, s.affiliate_id, s.campaign_id, measure_start(s.occurred_at) AS start, s.currency,
    sum(CASE WHEN s.refunded_cents > 0 AND s.refunded_cents >= s.amount_cents THEN 0 ELSE sign END),
    sum((s.amount_cents - s.refunded_cents) * sign), 0
  FROM (SELECT *, -1 AS sign FROM old_rows UNION ALL SELECT *, 1 AS sign FROM new_rows) s
  WHERE coalesce(s.no_commission_reason NOT IN ('self_referral', 'attribution_undone'), true)
  GROUP BY s.program_id, s.affiliate_id, s.campaign_id, start, s.currency
  HAVING sum((s.amount_cents - s.refunded_cents) * sign) <> 0 OR sum(sign) <> 0;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION measure_record_commissions() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET enable_seqscan = off SET jit = off AS $$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on'
    OR TG_OP = 'DELETE' AND current_setting('tributary.deletes_program', true) = 'on' THEN
    RETURN NULL;
  END IF;
  INSERT INTO affiliate_measure_deltas (program_id, affiliate_id, campaign_id, start, currency, conversions, revenue_cents, commissions_cents)
  SELECT c.program_id, c.affiliate_id, c.campaign_id, measure_start(CASE WHEN c.refund_id IS NULL THEN c.occurred_at
      ELSE (SELECT s.occurred_at FROM sales s WHERE s.program_id = c.program_id AND s.id = c.sale_id) END),
    c.currency, 0, 0, c.amount_cents * sign
  FROM (SELECT *, CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END AS sign FROM changed_rows) c
  WHERE c.kind = 'sale' AND c.voided_at IS NULL AND c.amount_cents <> 0;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION measure_record_updated_commissions() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET enable_seqscan = off SET jit = off AS $$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on' THEN
    RETURN NULL;
  END IF;
  INSERT INTO affiliate_measure_deltas (program_id, affiliate_id, campaign_id, start, currency, conversions, revenue_cents, commissions_cents)
  SELECT c.program_id, c.affiliate_id, c.campaign_id, measure_start(CASE WHEN c.refund_id IS NULL THEN c.occurred_at
      ELSE (SELECT s.occurred_at FROM sales s WHERE s.program_id = c.program_id AND s.id = c.sale_id) END) AS start,
    c.currency, 0, 0, sum(c.amount_cents * sign)
  FROM (SELECT *, -1 AS sign FROM old_rows UNION ALL SELECT *, 1 AS sign FROM new_rows) c
  WHERE c.kind = 'sale' AND c.voided_at IS NULL
  GROUP BY c.program_id, c.affiliate_id, c.campaign_id, start, c.currency
  HAVING sum(c.amount_cents * sign) <> 0;
  RETURN NULL;
END
$$;
