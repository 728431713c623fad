-- Cohorts are kept by currency, and for all currencies (''), where each customer counts once. The rollup is made again from the sales
-- that are folded into it; that of another time zone is made again when a report asks for it. It is a copy of analytics_cohorts_rebuild(),
-- because functions are applied after the migrations.
DELETE FROM "analytics_calendars";
DELETE FROM "analytics_cohorts";

ALTER TABLE "analytics_cohorts" DROP CONSTRAINT "analytics_cohorts_currency_is_a_code",
  ADD CONSTRAINT "analytics_cohorts_currency_is_a_code" CHECK ("currency" = '' OR "currency" ~ '^[a-z]{3}$');

WITH changes AS (
  SELECT program_id, coalesce(customer_id, referral_id) AS customer_id, campaign_id, occurred_at AS at, currency, 1 AS count,
    amount_cents::numeric AS amount FROM sales
  UNION ALL
  SELECT program_id, customer_id, campaign_id, start, currency, -count, -amount FROM analytics_deltas WHERE customer_id IS NOT NULL
), days AS (
  SELECT program_id, any_or_one AS campaign_id, customer_id, date_bin('1 day', at, timestamptz '1970-01-01 00:00:00Z') AS day,
    counted.currency, sum(counted.amount) AS amount
  FROM changes CROSS JOIN unnest(ARRAY['00000000-0000-0000-0000-000000000000'::uuid, campaign_id]) any_or_one
    CROSS JOIN LATERAL (VALUES ('', 0), (changes.currency, changes.amount)) counted (currency, amount)
  GROUP BY 1, 2, 3, 4, 5 HAVING sum(count) <> 0
), months AS (
  SELECT *, date_trunc('month', day, 'UTC') AS month FROM days
), facts AS (
  SELECT program_id, campaign_id, first_value(day) OVER sold AS cohort, day, month, currency, amount,
    (lag(month) OVER sold IS DISTINCT FROM month)::int AS customers
  FROM months WINDOW sold AS (PARTITION BY program_id, campaign_id, customer_id, currency ORDER BY day)
)
INSERT INTO "analytics_cohorts" (program_id, calendar, campaign_id, cohort_grain, grain, start, cohort, currency, customers, amount)
SELECT program_id, 'UTC', campaign_id, cohort_grain, grain, CASE grain WHEN 'day' THEN day ELSE month END,
  CASE cohort_grain WHEN 'day' THEN cohort ELSE date_trunc('month', cohort, 'UTC') END, currency, sum(customers), sum(amount)
FROM facts CROSS JOIN unnest(ARRAY['day', 'month']::analytics_grain[]) AS cohort_grain
  CROSS JOIN unnest(ARRAY['day', 'month']::analytics_grain[]) AS grain
GROUP BY 1, 2, 3, 4, 5, 6, 7, 8;
