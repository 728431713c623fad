-- CreateTable
CREATE TABLE "affiliate_measures" (
    "program_id" UUID NOT NULL,
    "affiliate_id" UUID NOT NULL,
    "campaign_id" UUID NOT NULL,
    "start" TIMESTAMPTZ(3) NOT NULL,
    "currency" TEXT NOT NULL,
    "conversions" BIGINT NOT NULL,
    "revenue_cents" DECIMAL(38,0) NOT NULL,
    "commissions_cents" DECIMAL(38,0) NOT NULL,

    CONSTRAINT "affiliate_measures_pkey" PRIMARY KEY ("program_id","affiliate_id","campaign_id","start","currency")
);

-- CreateTable
CREATE TABLE "affiliate_measure_deltas" (
    "program_id" UUID NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "affiliate_id" UUID NOT NULL,
    "campaign_id" UUID NOT NULL,
    "start" TIMESTAMPTZ(3) NOT NULL,
    "currency" TEXT NOT NULL,
    "conversions" BIGINT NOT NULL,
    "revenue_cents" DECIMAL(38,0) NOT NULL,
    "commissions_cents" DECIMAL(38,0) NOT NULL,

    CONSTRAINT "affiliate_measure_deltas_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateIndex
CREATE INDEX "affiliate_measure_deltas_program_id_affiliate_id_idx" ON "affiliate_measure_deltas"("program_id", "affiliate_id");

-- No sale may come between the sums and the triggers that keep them. The functions are those of prisma/sql/measures.sql.
LOCK TABLE "sales", "commissions" IN SHARE ROW EXCLUSIVE MODE;


CREATE OR REPLACE FUNCTION measure_start(at timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN date_trunc('month', "at" AT TIME ZONE 'UTC' - interval '14 hours') = date_trunc('month', "at" AT TIME ZONE 'UTC' + interval '14 hours')
      THEN (date_trunc('month', "at" AT TIME ZONE 'UTC') + interval '14 hours') AT TIME ZONE 'UTC'
    ELSE date_bin('15 minutes', "at", timestamptz '1970-01-01 00:00:00Z')
  END
$$;

CREATE OR REPLACE VIEW measure_facts AS
  SELECT s.program_id, s.affiliate_id, s.campaign_id, s.occurred_at AS at, s.currency,
    CASE WHEN s.refunded_cents > 0 AND s.refunded_cents >= s.amount_cents THEN 0 ELSE 1 END AS conversions,
    s.amount_cents - s.refunded_cents AS revenue, 0::bigint AS commissions
  FROM sales s WHERE s.no_commission_reason IS DISTINCT FROM 'self_referral'
  UNION ALL
  SELECT c.program_id, c.affiliate_id, c.campaign_id,
    CASE WHEN c.refund_id IS NULL THEN c.occurred_at
      ELSE (SELECT s.occurred_at FROM sales s WHERE s.program_id = c.program_id AND s.id = c.sale_id) END AS at,
    c.currency, 0, 0::bigint, c.amount_cents
  FROM commissions c WHERE c.kind = 'sale' AND c.voided_at IS NULL;

CREATE OR REPLACE FUNCTION measure_record_sales() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET jit = off AS $$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on'
    OR TG_OP = 'DELETE' AND current_setting('tributary.deletes_program', true) = 'on' THEN
    RETURN NULL;
  END IF;
  INSERT INTO affiliate_measure_deltas (program_id, affiliate_id, campaign_id, start, currency, conversions, revenue_cents, commissions_cents)
  SELECT s.program_id, s.affiliate_id, s.campaign_id, measure_start(s.occurred_at) AS start, s.currency,
    sum(CASE WHEN s.refunded_cents > 0 AND s.refunded_cents >= s.amount_cents THEN 0 ELSE sign END),
    sum((s.amount_cents - s.refunded_cents) * sign), 0
  FROM (SELECT *, CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END AS sign FROM changed_rows) s
  WHERE s.no_commission_reason IS DISTINCT FROM 'self_referral'
  GROUP BY s.program_id, s.affiliate_id, s.campaign_id, start, s.currency;
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
  WHERE s.no_commission_reason IS DISTINCT FROM 'self_referral'
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
      ELSE (SELECT s.occurred_at FROM sales s WHERE s.program_id = c.program_id AND s.id = c.sale_id) END) AS start,
    c.currency, 0, 0, sum(c.amount_cents * sign)
  FROM (SELECT *, CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END AS sign FROM changed_rows) c
  WHERE c.kind = 'sale' AND c.voided_at IS NULL
  GROUP BY c.program_id, c.affiliate_id, c.campaign_id, start, c.currency
  HAVING sum(c.amount_cents * sign) <> 0;
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

CREATE OR REPLACE TRIGGER measure_inserted AFTER INSERT ON sales
  REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION measure_record_sales();

CREATE OR REPLACE TRIGGER measure_deleted AFTER DELETE ON sales
  REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION measure_record_sales();

CREATE OR REPLACE TRIGGER measure_updated AFTER UPDATE ON sales
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION measure_record_updated_sales();

CREATE OR REPLACE TRIGGER measure_inserted AFTER INSERT ON commissions
  REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION measure_record_commissions();

CREATE OR REPLACE TRIGGER measure_deleted AFTER DELETE ON commissions
  REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION measure_record_commissions();

CREATE OR REPLACE TRIGGER measure_updated AFTER UPDATE ON commissions
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION measure_record_updated_commissions();

INSERT INTO "affiliate_measures" ("program_id", "affiliate_id", "campaign_id", "start", "currency", "conversions", "revenue_cents", "commissions_cents")
SELECT program_id, affiliate_id, campaign_id, measure_start(at), currency, sum(conversions), sum(revenue), sum(commissions)
FROM measure_facts GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5;

-- Sums that a JSON number holds exactly. A delta can be negative.
ALTER TABLE "affiliate_measures"
  ADD CONSTRAINT "affiliate_measures_currency_is_code" CHECK ("currency" ~ '^[a-z]{3}$'),
  ADD CONSTRAINT "affiliate_measures_revenue_cents_is_exact" CHECK ("revenue_cents" BETWEEN -9007199254740991 AND 9007199254740991),
  ADD CONSTRAINT "affiliate_measures_commissions_cents_is_exact" CHECK ("commissions_cents" BETWEEN -9007199254740991 AND 9007199254740991);
ALTER TABLE "affiliate_measure_deltas"
  ADD CONSTRAINT "affiliate_measure_deltas_currency_is_code" CHECK ("currency" ~ '^[a-z]{3}$'),
  ADD CONSTRAINT "affiliate_measure_deltas_revenue_cents_is_exact" CHECK ("revenue_cents" BETWEEN -9007199254740991 AND 9007199254740991),
  ADD CONSTRAINT "affiliate_measure_deltas_commissions_cents_is_exact" CHECK ("commissions_cents" BETWEEN -9007199254740991 AND 9007199254740991);
