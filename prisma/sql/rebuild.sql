-- Rebuilds what triggers keep, from the rows. No other transaction may write at the same time.

-- Rebuilds the rollups by campaign and by source from the facts. They have rows of years too: reports of a year read one row of
-- each source instead of twelve.
CREATE OR REPLACE FUNCTION analytics_facts_rebuild() RETURNS void LANGUAGE sql
  SET work_mem = '64MB' AS $$
  DELETE FROM analytics_deltas;
  DELETE FROM analytics_by_campaign;
  DELETE FROM analytics_by_source;
  WITH facts AS (
    SELECT program_id, kind, analytics_start('quarter_hour', at) AS start, campaign_id, affiliate_id, link_id, coupon_id,
      currency, sum(count) AS count, sum(amount) AS amount
    FROM analytics_facts GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
  ), by_campaign AS (
    INSERT INTO analytics_by_campaign (program_id, kind, grain, start, campaign_id, currency, count, amount)
    SELECT program_id, kind, grain, analytics_start(grain, start), campaign_id, currency, sum(count), sum(amount)
    FROM facts CROSS JOIN unnest(enum_range(NULL::analytics_grain)) AS grain GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6
  )
  INSERT INTO analytics_by_source
    (program_id, kind, grain, start, campaign_id, affiliate_id, link_id, coupon_id, currency, count, amount)
  SELECT program_id, kind, grain, analytics_start(grain, start), campaign_id, affiliate_id, link_id, coupon_id, currency,
    sum(count), sum(amount)
  FROM facts CROSS JOIN unnest(ARRAY['day', 'month', 'year']::analytics_grain[]) AS grain GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9
  ORDER BY 1, 2, 3, 4, 6, 5, 7, 8, 9;
$$;

-- Fills the rollup of cohorts in UTC; other calendars are built again when they are used.
CREATE OR REPLACE FUNCTION analytics_cohorts_rebuild() RETURNS void LANGUAGE sql
  SET work_mem = '64MB' AS $$
  DELETE FROM analytics_cohorts;
  DELETE FROM analytics_calendars;
  WITH days AS (
    SELECT program_id, calendar, campaign_id, cohort, day, currency, sum(customers) AS customers, sum(amount) AS amount
    FROM analytics_cohort_facts GROUP BY 1, 2, 3, 4, 5, 6
  )
  INSERT INTO analytics_cohorts (program_id, calendar, campaign_id, cohort_grain, grain, start, cohort, currency, customers, amount)
  SELECT program_id, calendar, campaign_id, cohort_grain, grain, analytics_start(grain, day), analytics_start(cohort_grain, cohort),
    currency, sum(customers), sum(amount)
  FROM days CROSS JOIN unnest(ARRAY['day', 'month']::analytics_grain[]) AS cohort_grain
    CROSS JOIN unnest(ARRAY['day', 'month']::analytics_grain[]) AS grain
  GROUP BY 1, 2, 3, 4, 5, 6, 7, 8;
$$;

-- Computes the sums of all affiliates again, or of those of one program: what the functions of affiliate-money.sql compute for some.
CREATE OR REPLACE FUNCTION affiliates_money_rebuild(program uuid DEFAULT NULL) RETURNS void LANGUAGE sql
  SET work_mem = '64MB' AS $$
  WITH sums AS (
    SELECT s.program_id, s.affiliate_id,
      sum(s.amount) FILTER (WHERE s.kind = 'sale') AS revenue,
      sum(s.amount) FILTER (WHERE s.kind = 'accrued') AS commissions,
      sum(s.amount) FILTER (WHERE s.kind = 'paid') AS paid
    FROM analytics_by_source s JOIN programs p ON p.id = s.program_id AND p.currency = s.currency
    WHERE ("program" IS NULL OR s.program_id = "program") AND s.grain = 'year' AND s.kind IN ('sale', 'accrued', 'paid')
    GROUP BY s.program_id, s.affiliate_id
  ), kept AS (
    SELECT a.program_id, a.id, least(coalesce(sums.revenue, 0), 9007199254740991)::bigint AS revenue,
      greatest(least(coalesce(sums.commissions, 0), 9007199254740991), -9007199254740991)::bigint AS commissions,
      greatest(least(coalesce(sums.paid, 0), 9007199254740991), -9007199254740991)::bigint AS paid, coalesce(o.amount_cents, 0) AS due
    FROM affiliates a JOIN programs p ON p.id = a.program_id
      LEFT JOIN sums ON sums.program_id = a.program_id AND sums.affiliate_id = a.id
      LEFT JOIN payouts o ON o.program_id = a.program_id AND o.affiliate_id = a.id AND o.currency = p.currency
        AND o.paid_at IS NULL AND o.failed_at IS NULL
    WHERE "program" IS NULL OR a.program_id = "program"
  )
  UPDATE affiliates a
  SET revenue_cents = kept.revenue, commissions_cents = kept.commissions, paid_cents = kept.paid, due_cents = kept.due
  FROM kept WHERE a.program_id = kept.program_id AND a.id = kept.id
    AND (a.revenue_cents, a.commissions_cents, a.paid_cents, a.due_cents)
      IS DISTINCT FROM (kept.revenue, kept.commissions, kept.paid, kept.due);
$$;

-- Rebuilds the measures of affiliates.
CREATE OR REPLACE FUNCTION measures_rebuild() RETURNS void LANGUAGE sql
  SET work_mem = '64MB' AS $$
  DELETE FROM affiliate_measure_deltas;
  DELETE FROM affiliate_measures;
  INSERT INTO affiliate_measures (program_id, affiliate_id, campaign_id, start, currency, conversions, revenue_cents, commissions_cents)
  SELECT program_id, affiliate_id, campaign_id, measure_start(at), currency, sum(conversions), sum(revenue), sum(commissions)
  FROM measure_facts GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5;
$$;

-- Rebuilds all rollups.
CREATE OR REPLACE FUNCTION analytics_rebuild() RETURNS void LANGUAGE sql AS $$
  SELECT analytics_facts_rebuild();
  SELECT measures_rebuild();
  SELECT affiliates_money_rebuild();
  SELECT analytics_cohorts_rebuild();
$$;

-- Rebuilds the counts from the rows, in ranges of 2000.
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
