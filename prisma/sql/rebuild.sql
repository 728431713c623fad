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

-- Rebuilds all rollups.
CREATE OR REPLACE FUNCTION analytics_rebuild() RETURNS void LANGUAGE sql AS $$
  SELECT analytics_facts_rebuild();
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
