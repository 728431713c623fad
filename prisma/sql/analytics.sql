-- Analytics: rollups that triggers keep up to date.
--
-- The view analytics_facts is the definition of what is counted. Triggers record the difference that each statement makes in
-- analytics_deltas; the service folds those into the rollups. At any time, rollups plus deltas equal the facts.

-- Returns the start of the interval that contains a time, in UTC. The finest grain is a quarter of an hour, because
-- offsets of time zones are multiples of it.
CREATE OR REPLACE FUNCTION analytics_start(grain analytics_grain, at timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE "grain"
    WHEN 'year' THEN date_trunc('year', "at" AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'
    WHEN 'month' THEN date_trunc('month', "at" AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'
    WHEN 'day' THEN date_bin('1 day', "at", timestamptz '1970-01-01 00:00:00Z')
    WHEN 'hour' THEN date_bin('1 hour', "at", timestamptz '1970-01-01 00:00:00Z')
    ELSE date_bin('15 minutes', "at", timestamptz '1970-01-01 00:00:00Z')
  END
$$;

-- The facts that the rows of each table stand for. The functions below say the same of changed rows.
--
-- The link or coupon of a sale is that of its referral. PostgreSQL removes the join from queries that do not need it.
CREATE OR REPLACE VIEW analytics_facts AS
  SELECT s.program_id, 'accrued'::analytics_kind AS kind, s.occurred_at AS at, s.campaign_id, s.affiliate_id,
    coalesce(r.link_id, '00000000-0000-0000-0000-000000000000'::uuid) AS link_id,
    coalesce(r.coupon_id, '00000000-0000-0000-0000-000000000000'::uuid) AS coupon_id,
    s.currency, 1 AS count, s.amount_cents AS amount
  FROM commissions s LEFT JOIN referrals r ON r.program_id = s.program_id AND r.id = s.referral_id
  WHERE s.voided_at IS NULL
  UNION ALL
  SELECT s.program_id, 'due'::analytics_kind AS kind, s.due_at AS at, s.campaign_id, s.affiliate_id,
    coalesce(r.link_id, '00000000-0000-0000-0000-000000000000'::uuid) AS link_id,
    coalesce(r.coupon_id, '00000000-0000-0000-0000-000000000000'::uuid) AS coupon_id,
    s.currency, 1 AS count, s.amount_cents AS amount
  FROM commissions s LEFT JOIN referrals r ON r.program_id = s.program_id AND r.id = s.referral_id
  WHERE s.paid_at IS NULL AND s.voided_at IS NULL AND s.held_reason IS NULL
  UNION ALL
  SELECT s.program_id, 'paid'::analytics_kind AS kind, s.paid_at AS at, s.campaign_id, s.affiliate_id,
    coalesce(r.link_id, '00000000-0000-0000-0000-000000000000'::uuid) AS link_id,
    coalesce(r.coupon_id, '00000000-0000-0000-0000-000000000000'::uuid) AS coupon_id,
    s.currency, 1 AS count, s.amount_cents AS amount
  FROM commissions s LEFT JOIN referrals r ON r.program_id = s.program_id AND r.id = s.referral_id
  WHERE s.paid_at IS NOT NULL
  UNION ALL
  SELECT s.program_id, 'voided'::analytics_kind AS kind, s.voided_at AS at, s.campaign_id, s.affiliate_id,
    coalesce(r.link_id, '00000000-0000-0000-0000-000000000000'::uuid) AS link_id,
    coalesce(r.coupon_id, '00000000-0000-0000-0000-000000000000'::uuid) AS coupon_id,
    s.currency, 1 AS count, s.amount_cents AS amount
  FROM commissions s LEFT JOIN referrals r ON r.program_id = s.program_id AND r.id = s.referral_id
  WHERE s.voided_at IS NOT NULL
  UNION ALL
  SELECT r.program_id, 'visitor'::analytics_kind AS kind, r.created_at AS at, r.campaign_id, r.affiliate_id,
    coalesce(r.link_id, '00000000-0000-0000-0000-000000000000'::uuid) AS link_id,
    coalesce(r.coupon_id, '00000000-0000-0000-0000-000000000000'::uuid) AS coupon_id,
    ''::text AS currency, 1 AS count, 0::bigint AS amount
  FROM referrals r WHERE r.created_at IS NOT NULL
  UNION ALL
  SELECT r.program_id, 'lead'::analytics_kind AS kind, r.became_lead_at AS at, r.campaign_id, r.affiliate_id,
    coalesce(r.link_id, '00000000-0000-0000-0000-000000000000'::uuid) AS link_id,
    coalesce(r.coupon_id, '00000000-0000-0000-0000-000000000000'::uuid) AS coupon_id,
    ''::text AS currency, 1 AS count, 0::bigint AS amount
  FROM referrals r WHERE r.became_lead_at IS NOT NULL
  UNION ALL
  SELECT r.program_id, 'conversion'::analytics_kind AS kind, r.became_conversion_at AS at, r.campaign_id, r.affiliate_id,
    coalesce(r.link_id, '00000000-0000-0000-0000-000000000000'::uuid) AS link_id,
    coalesce(r.coupon_id, '00000000-0000-0000-0000-000000000000'::uuid) AS coupon_id,
    ''::text AS currency, 1 AS count, 0::bigint AS amount
  FROM referrals r WHERE r.became_conversion_at IS NOT NULL
  UNION ALL
  SELECT s.program_id, 'refund'::analytics_kind AS kind, f.created_at AS at, s.campaign_id, s.affiliate_id,
    coalesce(r.link_id, '00000000-0000-0000-0000-000000000000'::uuid) AS link_id,
    coalesce(r.coupon_id, '00000000-0000-0000-0000-000000000000'::uuid) AS coupon_id,
    s.currency, 1 AS count, f.amount_cents AS amount
  FROM refunds f JOIN sales s ON s.program_id = f.program_id AND s.id = f.sale_id
    LEFT JOIN referrals r ON r.program_id = s.program_id AND r.id = s.referral_id
  WHERE f.reversed_at IS NULL
  UNION ALL
  SELECT s.program_id, 'sale'::analytics_kind AS kind, s.occurred_at AS at, s.campaign_id, s.affiliate_id,
    coalesce(r.link_id, '00000000-0000-0000-0000-000000000000'::uuid) AS link_id,
    coalesce(r.coupon_id, '00000000-0000-0000-0000-000000000000'::uuid) AS coupon_id,
    s.currency, 1 AS count, s.amount_cents AS amount
  FROM sales s LEFT JOIN referrals r ON r.program_id = s.program_id AND r.id = s.referral_id;

-- The triggers run as the owner: the rows they count have passed the policies of their tables.
--
-- PL/pgSQL caches plans for a session. A plan made for a bulk of rows must not read a whole table for each later row,
-- so only index lookups are allowed.
--
-- The import of a whole program brings the counts and sums of its rows with it, so triggers add nothing to them. Its
-- transaction sets tributary.imports_program, which ends with the transaction. The functions ask for it themselves:
-- PostgreSQL parses the WHEN of a trigger in each statement.
CREATE OR REPLACE FUNCTION analytics_record_referrals() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET jit = off AS $$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on' THEN
    RETURN NULL;
  END IF;
  INSERT INTO analytics_deltas (program_id, kind, start, campaign_id, affiliate_id, link_id, coupon_id, currency, count, amount)
  SELECT r.program_id, kind, analytics_start('quarter_hour', at) AS start, r.campaign_id, r.affiliate_id,
    coalesce(r.link_id, '00000000-0000-0000-0000-000000000000'::uuid) AS link_id,
    coalesce(r.coupon_id, '00000000-0000-0000-0000-000000000000'::uuid) AS coupon_id,
    '' AS currency, sum(sign), 0
  FROM (SELECT *, CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END AS sign FROM changed_rows) r
    CROSS JOIN LATERAL (VALUES ('visitor'::analytics_kind, r.created_at), ('lead', r.became_lead_at), ('conversion', r.became_conversion_at))
      fact (kind, at)
  WHERE at IS NOT NULL
  GROUP BY r.program_id, kind, start, r.campaign_id, r.affiliate_id, r.link_id, r.coupon_id
  HAVING sum(sign) <> 0;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION analytics_record_updated_referrals() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET jit = off AS $$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on' THEN
    RETURN NULL;
  END IF;
  INSERT INTO analytics_deltas (program_id, kind, start, campaign_id, affiliate_id, link_id, coupon_id, currency, count, amount)
  SELECT r.program_id, kind, analytics_start('quarter_hour', at) AS start, r.campaign_id, r.affiliate_id,
    coalesce(r.link_id, '00000000-0000-0000-0000-000000000000'::uuid) AS link_id,
    coalesce(r.coupon_id, '00000000-0000-0000-0000-000000000000'::uuid) AS coupon_id,
    '' AS currency, sum(sign), 0
  FROM (SELECT *, -1 AS sign FROM old_rows UNION ALL SELECT *, 1 AS sign FROM new_rows) r
    CROSS JOIN LATERAL (VALUES ('visitor'::analytics_kind, r.created_at), ('lead', r.became_lead_at), ('conversion', r.became_conversion_at))
      fact (kind, at)
  WHERE at IS NOT NULL
  GROUP BY r.program_id, kind, start, r.campaign_id, r.affiliate_id, r.link_id, r.coupon_id
  HAVING sum(sign) <> 0;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION analytics_record_sales() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET jit = off AS $$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on' THEN
    RETURN NULL;
  END IF;
  INSERT INTO analytics_deltas
    (program_id, kind, start, campaign_id, affiliate_id, link_id, coupon_id, currency, customer_id, count, amount)
  SELECT s.program_id, 'sale', analytics_start('quarter_hour', s.occurred_at), s.campaign_id, s.affiliate_id,
    coalesce(r.link_id, '00000000-0000-0000-0000-000000000000'::uuid),
    coalesce(r.coupon_id, '00000000-0000-0000-0000-000000000000'::uuid),
    s.currency, coalesce(s.customer_id, s.referral_id), sign, s.amount_cents * sign
  FROM (SELECT *, CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END AS sign FROM changed_rows) s
    LEFT JOIN referrals r ON r.program_id = s.program_id AND r.id = s.referral_id;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION analytics_record_updated_sales() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET jit = off AS $$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on' THEN
    RETURN NULL;
  END IF;
  INSERT INTO analytics_deltas
    (program_id, kind, start, campaign_id, affiliate_id, link_id, coupon_id, currency, customer_id, count, amount)
  SELECT s.program_id, 'sale', analytics_start('quarter_hour', s.occurred_at) AS start, s.campaign_id, s.affiliate_id,
    coalesce(r.link_id, '00000000-0000-0000-0000-000000000000'::uuid) AS link_id,
    coalesce(r.coupon_id, '00000000-0000-0000-0000-000000000000'::uuid) AS coupon_id,
    s.currency, coalesce(s.customer_id, s.referral_id) AS customer, sum(sign), sum(s.amount_cents * sign)
  FROM (SELECT *, -1 AS sign FROM old_rows UNION ALL SELECT *, 1 AS sign FROM new_rows) s
    LEFT JOIN referrals r ON r.program_id = s.program_id AND r.id = s.referral_id
  GROUP BY s.program_id, start, s.campaign_id, s.affiliate_id, r.link_id, r.coupon_id, s.currency, customer
  HAVING sum(sign) <> 0 OR sum(s.amount_cents * sign) <> 0;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION analytics_record_refunds() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET jit = off AS $$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on' THEN
    RETURN NULL;
  END IF;
  INSERT INTO analytics_deltas (program_id, kind, start, campaign_id, affiliate_id, link_id, coupon_id, currency, count, amount)
  SELECT s.program_id, 'refund', analytics_start('quarter_hour', f.created_at) AS start, s.campaign_id, s.affiliate_id,
    coalesce(r.link_id, '00000000-0000-0000-0000-000000000000'::uuid) AS link_id,
    coalesce(r.coupon_id, '00000000-0000-0000-0000-000000000000'::uuid) AS coupon_id,
    s.currency, sum(sign), sum(f.amount_cents * sign)
  FROM (SELECT *, CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END AS sign FROM changed_rows) f
    JOIN sales s ON s.program_id = f.program_id AND s.id = f.sale_id
    LEFT JOIN referrals r ON r.program_id = s.program_id AND r.id = s.referral_id
  WHERE f.reversed_at IS NULL
  GROUP BY s.program_id, start, s.campaign_id, s.affiliate_id, r.link_id, r.coupon_id, s.currency
  HAVING sum(sign) <> 0 OR sum(f.amount_cents * sign) <> 0;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION analytics_record_updated_refunds() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET jit = off AS $$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on' THEN
    RETURN NULL;
  END IF;
  INSERT INTO analytics_deltas (program_id, kind, start, campaign_id, affiliate_id, link_id, coupon_id, currency, count, amount)
  SELECT s.program_id, 'refund', analytics_start('quarter_hour', f.created_at) AS start, s.campaign_id, s.affiliate_id,
    coalesce(r.link_id, '00000000-0000-0000-0000-000000000000'::uuid) AS link_id,
    coalesce(r.coupon_id, '00000000-0000-0000-0000-000000000000'::uuid) AS coupon_id,
    s.currency, sum(sign), sum(f.amount_cents * sign)
  FROM (SELECT *, -1 AS sign FROM old_rows UNION ALL SELECT *, 1 AS sign FROM new_rows) f
    JOIN sales s ON s.program_id = f.program_id AND s.id = f.sale_id
    LEFT JOIN referrals r ON r.program_id = s.program_id AND r.id = s.referral_id
  WHERE f.reversed_at IS NULL
  GROUP BY s.program_id, start, s.campaign_id, s.affiliate_id, r.link_id, r.coupon_id, s.currency
  HAVING sum(sign) <> 0 OR sum(f.amount_cents * sign) <> 0;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION analytics_record_commissions() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET jit = off AS $$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on' THEN
    RETURN NULL;
  END IF;
  INSERT INTO analytics_deltas (program_id, kind, start, campaign_id, affiliate_id, link_id, coupon_id, currency, count, amount)
  SELECT s.program_id, fact.kind, analytics_start('quarter_hour', at), s.campaign_id, s.affiliate_id,
    coalesce(r.link_id, '00000000-0000-0000-0000-000000000000'::uuid),
    coalesce(r.coupon_id, '00000000-0000-0000-0000-000000000000'::uuid),
    s.currency, sign, s.amount_cents * sign
  FROM (SELECT *, CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END AS sign FROM changed_rows) s
    LEFT JOIN referrals r ON r.program_id = s.program_id AND r.id = s.referral_id
    CROSS JOIN LATERAL (VALUES
      ('accrued'::analytics_kind, s.occurred_at, s.voided_at IS NULL),
      ('due', s.due_at, s.paid_at IS NULL AND s.voided_at IS NULL AND s.held_reason IS NULL),
      ('paid', s.paid_at, s.paid_at IS NOT NULL),
      ('voided', s.voided_at, s.voided_at IS NOT NULL)) fact (kind, at, is_true)
  WHERE is_true;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION analytics_record_updated_commissions() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET jit = off AS $$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on' THEN
    RETURN NULL;
  END IF;
  INSERT INTO analytics_deltas (program_id, kind, start, campaign_id, affiliate_id, link_id, coupon_id, currency, count, amount)
  SELECT s.program_id, fact.kind, analytics_start('quarter_hour', at) AS start, s.campaign_id, s.affiliate_id,
    coalesce(r.link_id, '00000000-0000-0000-0000-000000000000'::uuid) AS link_id,
    coalesce(r.coupon_id, '00000000-0000-0000-0000-000000000000'::uuid) AS coupon_id,
    s.currency, sum(sign), sum(s.amount_cents * sign)
  FROM (SELECT *, -1 AS sign FROM old_rows UNION ALL SELECT *, 1 AS sign FROM new_rows) s
    LEFT JOIN referrals r ON r.program_id = s.program_id AND r.id = s.referral_id
    CROSS JOIN LATERAL (VALUES
      ('accrued'::analytics_kind, s.occurred_at, s.voided_at IS NULL),
      ('due', s.due_at, s.paid_at IS NULL AND s.voided_at IS NULL AND s.held_reason IS NULL),
      ('paid', s.paid_at, s.paid_at IS NOT NULL),
      ('voided', s.voided_at, s.voided_at IS NOT NULL)) fact (kind, at, is_true)
  WHERE is_true
  GROUP BY s.program_id, fact.kind, start, s.campaign_id, s.affiliate_id, r.link_id, r.coupon_id, s.currency
  HAVING sum(sign) <> 0 OR sum(s.amount_cents * sign) <> 0;
  RETURN NULL;
END
$$;
