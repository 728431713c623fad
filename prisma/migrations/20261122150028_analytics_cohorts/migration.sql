-- AlterTable
ALTER TABLE "analytics_deltas" ADD COLUMN     "customer_id" UUID;

-- CreateTable
CREATE TABLE "analytics_cohorts" (
    "program_id" UUID NOT NULL,
    "cohort_grain" "analytics_grain" NOT NULL,
    "grain" "analytics_grain" NOT NULL,
    "start" TIMESTAMPTZ(3) NOT NULL,
    "cohort" TIMESTAMPTZ(3) NOT NULL,
    "currency" TEXT NOT NULL,
    "customers" BIGINT NOT NULL,
    "amount" DECIMAL(38,0) NOT NULL,

    CONSTRAINT "analytics_cohorts_pkey" PRIMARY KEY ("program_id","cohort_grain","grain","start","cohort","currency"),
    CONSTRAINT "analytics_cohorts_currency_is_a_code" CHECK ("currency" ~ '^[a-z]{3}$')
);

-- CreateIndex
CREATE INDEX "analytics_deltas_program_id_customer_id_idx" ON "analytics_deltas"("program_id", "customer_id") WHERE ("customer_id" IS NOT NULL);

-- AddForeignKey
ALTER TABLE "analytics_cohorts" ADD CONSTRAINT "analytics_cohorts_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- Deltas of sales name the customer. How many customers buy again cannot be added up from sales, so customers with such
-- deltas are counted anew by folding and by reading: without the deltas, as the rollup has them, and with them.
DO $generate$
DECLARE
  record_changes text := 'CREATE OR REPLACE FUNCTION %I() RETURNS trigger LANGUAGE plpgsql
    SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET jit = off AS $record$
BEGIN
  INSERT INTO analytics_deltas
    (program_id, kind, start, campaign_id, affiliate_id, link_id, coupon_id, currency, customer_id, count, amount)
  SELECT s.program_id, ''sale'', analytics_start(''quarter_hour'', s.occurred_at) AS start, s.campaign_id, s.affiliate_id,
    coalesce(r.link_id, %2$s) AS link_id, coalesce(r.coupon_id, %2$s) AS coupon_id, s.currency,
    coalesce(s.customer_id, s.referral_id) AS customer, sum(sign), sum(s.amount_cents * sign)
  FROM (%3$s) s LEFT JOIN referrals r ON r.program_id = s.program_id AND r.id = s.referral_id
  GROUP BY s.program_id, start, s.campaign_id, s.affiliate_id, r.link_id, r.coupon_id, s.currency, customer
  HAVING sum(sign) <> 0 OR sum(s.amount_cents * sign) <> 0;
  RETURN NULL;
END $record$';
  nil text := '''00000000-0000-0000-0000-000000000000''::uuid';
  removed text := 'SELECT *, -1 AS sign FROM old_rows';
  added text := 'SELECT *, 1 AS sign FROM new_rows';
BEGIN
  EXECUTE format(record_changes, 'analytics_record_inserted_sales', nil, added);
  EXECUTE format(record_changes, 'analytics_record_updated_sales', nil, removed || ' UNION ALL ' || added);
  EXECUTE format(record_changes, 'analytics_record_deleted_sales', nil, removed);
END
$generate$;

-- The rows of the rollup of cohorts by day: all sales but those whose deltas are not folded, by customer and day.
CREATE VIEW "analytics_cohort_facts" AS
  SELECT program_id, customer_id, first_value(day) OVER sold AS cohort, day, currency, amount,
    (lag(analytics_start('month', day)) OVER sold IS DISTINCT FROM analytics_start('month', day))::int AS customers
  FROM (
    SELECT program_id, customer_id, analytics_start('day', at) AS day, currency, sum(amount) AS amount
    FROM (
      SELECT program_id, coalesce(customer_id, referral_id) AS customer_id, occurred_at AS at, currency, 1 AS count,
        amount_cents AS amount FROM sales
      UNION ALL
      SELECT program_id, customer_id, start, currency, -count, -amount FROM analytics_deltas WHERE customer_id IS NOT NULL
    ) changes
    GROUP BY 1, 2, 3, 4 HAVING sum(count) <> 0
  ) days
  WINDOW sold AS (PARTITION BY program_id, customer_id ORDER BY day, currency);

-- Fills the rollup of cohorts. No other transaction may write at the same time.
CREATE FUNCTION "analytics_cohorts_rebuild"() RETURNS void LANGUAGE sql SET work_mem = '64MB' AS $$
  DELETE FROM analytics_cohorts;
  WITH days AS (
    SELECT program_id, cohort, day, currency, sum(customers) AS customers, sum(amount) AS amount
    FROM analytics_cohort_facts GROUP BY 1, 2, 3, 4
  )
  INSERT INTO analytics_cohorts (program_id, cohort_grain, grain, start, cohort, currency, customers, amount)
  SELECT program_id, cohort_grain, grain, analytics_start(grain, day), analytics_start(cohort_grain, cohort), currency,
    sum(customers), sum(amount)
  FROM days CROSS JOIN unnest(ARRAY['day', 'month']::analytics_grain[]) AS cohort_grain
    CROSS JOIN unnest(ARRAY['day', 'month']::analytics_grain[]) AS grain
  GROUP BY 1, 2, 3, 4, 5, 6;
$$;

ALTER FUNCTION "analytics_rebuild"() RENAME TO "analytics_facts_rebuild";
CREATE FUNCTION "analytics_rebuild"() RETURNS void LANGUAGE sql AS $$
  SELECT analytics_facts_rebuild();
  SELECT analytics_cohorts_rebuild();
$$;

SELECT analytics_cohorts_rebuild();
