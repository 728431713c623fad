-- Analytics by cohort: when customers bought first, and again.

-- Returns the day of a time in a calendar, as its start in UTC.
CREATE OR REPLACE FUNCTION analytics_day(at timestamptz, starts timestamptz[], offsets integer[]) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT date_bin('1 day', "at" + "offsets"[1 + width_bucket("at", "starts")] * interval '1 minute', timestamptz '1970-01-01 00:00:00Z')
$$;

-- The calendars by which cohorts are kept: UTC always, others on demand, for the customers up to "built_until".
CREATE OR REPLACE VIEW analytics_cohort_calendars AS
  SELECT id AS program_id, 'UTC' AS calendar, '{}'::timestamptz[] AS starts, '{0}'::int[] AS offsets,
    'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid AS built_until FROM programs
  UNION ALL
  SELECT program_id, id, starts, offsets, built_until FROM analytics_calendars;

-- The rows of the rollup of cohorts by day: all sales but those whose deltas are not folded, by customer and day; of all
-- campaigns, which have the nil UUID, and of each; in each currency, and in all, which have '' and no amounts.
--
-- Deltas of sales name the customer. How many customers buy again cannot be added up from sales, so customers with such
-- deltas are counted anew by folding and by reading: without the deltas, as the rollup has them, and with them.
CREATE OR REPLACE VIEW analytics_cohort_facts AS
  SELECT program_id, calendar, campaign_id, customer_id, first_value(day) OVER sold AS cohort, day, currency, amount,
    (lag(analytics_start('month', day)) OVER sold IS DISTINCT FROM analytics_start('month', day))::int AS customers
  FROM (
    SELECT program_id, calendar, any_or_one AS campaign_id, customer_id, analytics_day(at, starts, offsets) AS day, counted.currency,
      sum(counted.amount) AS amount
    FROM (
      SELECT program_id, coalesce(customer_id, referral_id) AS customer_id, campaign_id, occurred_at AS at, currency, 1 AS count,
        amount_cents AS amount FROM sales
      UNION ALL
      SELECT program_id, customer_id, campaign_id, start, currency, -count, -amount FROM analytics_deltas WHERE customer_id IS NOT NULL
    ) changes
    JOIN analytics_cohort_calendars USING (program_id)
    CROSS JOIN unnest(ARRAY['00000000-0000-0000-0000-000000000000'::uuid, campaign_id]) any_or_one
    CROSS JOIN LATERAL (VALUES ('', 0), (changes.currency, changes.amount)) counted (currency, amount)
    WHERE customer_id <= built_until
    GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(count) <> 0
  ) days
  WINDOW sold AS (PARTITION BY program_id, calendar, campaign_id, customer_id, currency ORDER BY day);
