-- CreateEnum
CREATE TYPE "analytics_kind" AS ENUM ('visitor', 'lead', 'conversion', 'sale', 'refund', 'accrued', 'due', 'paid', 'voided');

-- CreateEnum
CREATE TYPE "analytics_grain" AS ENUM ('quarter_hour', 'hour', 'day', 'month');

-- CreateTable
CREATE TABLE "analytics_deltas" (
    "program_id" UUID NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "kind" "analytics_kind" NOT NULL,
    "start" TIMESTAMPTZ(3) NOT NULL,
    "campaign_id" UUID NOT NULL,
    "affiliate_id" UUID NOT NULL,
    "link_id" UUID NOT NULL,
    "coupon_id" UUID NOT NULL,
    "currency" TEXT NOT NULL,
    "count" BIGINT NOT NULL,
    "amount" DECIMAL(38,0) NOT NULL,

    CONSTRAINT "analytics_deltas_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateTable
CREATE TABLE "analytics_by_campaign" (
    "program_id" UUID NOT NULL,
    "kind" "analytics_kind" NOT NULL,
    "grain" "analytics_grain" NOT NULL,
    "start" TIMESTAMPTZ(3) NOT NULL,
    "campaign_id" UUID NOT NULL,
    "currency" TEXT NOT NULL,
    "count" BIGINT NOT NULL,
    "amount" DECIMAL(38,0) NOT NULL,

    CONSTRAINT "analytics_by_campaign_pkey" PRIMARY KEY ("program_id","kind","grain","start","campaign_id","currency")
);

-- CreateTable
CREATE TABLE "analytics_by_source" (
    "program_id" UUID NOT NULL,
    "kind" "analytics_kind" NOT NULL,
    "grain" "analytics_grain" NOT NULL,
    "start" TIMESTAMPTZ(3) NOT NULL,
    "campaign_id" UUID NOT NULL,
    "affiliate_id" UUID NOT NULL,
    "link_id" UUID NOT NULL,
    "coupon_id" UUID NOT NULL,
    "currency" TEXT NOT NULL,
    "count" BIGINT NOT NULL,
    "amount" DECIMAL(38,0) NOT NULL,

    CONSTRAINT "analytics_by_source_pkey" PRIMARY KEY ("program_id","kind","grain","start","affiliate_id","campaign_id","link_id","coupon_id","currency")
);

-- CreateIndex
CREATE INDEX "commissions_program_id_voided_at_idx" ON "commissions"("program_id", "voided_at") WHERE ("voided_at" IS NOT NULL);

-- CreateIndex
CREATE INDEX "referrals_program_id_created_at_idx" ON "referrals"("program_id", "created_at");

-- CreateIndex
CREATE INDEX "referrals_program_id_became_lead_at_idx" ON "referrals"("program_id", "became_lead_at") WHERE ("became_lead_at" IS NOT NULL);

-- CreateIndex
CREATE INDEX "referrals_program_id_became_conversion_at_idx" ON "referrals"("program_id", "became_conversion_at") WHERE ("became_conversion_at" IS NOT NULL);

-- CreateIndex
CREATE INDEX "refunds_program_id_created_at_idx" ON "refunds"("program_id", "created_at");

-- AddForeignKey
ALTER TABLE "analytics_deltas" ADD CONSTRAINT "analytics_deltas_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "analytics_by_campaign" ADD CONSTRAINT "analytics_by_campaign_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "analytics_by_source" ADD CONSTRAINT "analytics_by_source_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- Written by hand

ALTER TABLE "analytics_deltas" ADD CONSTRAINT "analytics_deltas_currency_is_a_code" CHECK ("currency" = '' OR "currency" ~ '^[a-z]{3}$');
ALTER TABLE "analytics_by_campaign" ADD CONSTRAINT "analytics_by_campaign_currency_is_a_code" CHECK ("currency" = '' OR "currency" ~ '^[a-z]{3}$');
ALTER TABLE "analytics_by_source" ADD CONSTRAINT "analytics_by_source_currency_is_a_code" CHECK ("currency" = '' OR "currency" ~ '^[a-z]{3}$');

-- Where the grain's piece of time begins that a moment is in. Offsets of time zones are multiples of a quarter of an hour.
CREATE FUNCTION "analytics_start"("grain" "analytics_grain", "at" timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE "grain"
    WHEN 'month' THEN date_trunc('month', "at" AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'
    WHEN 'day' THEN date_bin('1 day', "at", timestamptz '1970-01-01 00:00:00Z')
    WHEN 'hour' THEN date_bin('1 hour', "at", timestamptz '1970-01-01 00:00:00Z')
    ELSE date_bin('15 minutes', "at", timestamptz '1970-01-01 00:00:00Z')
  END
$$;

-- What the rows of a table count as. The one definition: the view over all rows, and the triggers, which see the rows
-- that a statement changed, are made of this text. {rows} stands for the table, or for those rows.
DO $make$
DECLARE
  nil text := '''00000000-0000-0000-0000-000000000000''::uuid';
  source text := format('coalesce(r.link_id, %1$s) AS link_id, coalesce(r.coupon_id, %1$s) AS coupon_id', nil);
  -- The referral tells which link or coupon a sale came through. Where the view is not asked for it, the join is left away.
  referral text := 'LEFT JOIN referrals r ON r.program_id = s.program_id AND r.id = s.referral_id';
  of_referral text := 'SELECT r.program_id, %L::analytics_kind AS kind, r.%I AS at, r.campaign_id, r.affiliate_id, '
    || source || ', ''''::text AS currency, 1 AS count, 0::bigint AS amount FROM {rows} r WHERE r.%2$I IS NOT NULL';
  of_commission text := 'SELECT s.program_id, %L::analytics_kind AS kind, s.%I AS at, s.campaign_id, s.affiliate_id, '
    || source || ', s.currency, 1 AS count, s.amount_cents AS amount FROM {rows} s ' || referral || ' WHERE %s';
  facts jsonb := jsonb_build_object(
    'referrals', concat_ws(' UNION ALL ',
      format(of_referral, 'visitor', 'created_at'),
      format(of_referral, 'lead', 'became_lead_at'),
      format(of_referral, 'conversion', 'became_conversion_at')),
    'sales', 'SELECT s.program_id, ''sale''::analytics_kind AS kind, s.occurred_at AS at, s.campaign_id, s.affiliate_id, '
      || source || ', s.currency, 1 AS count, s.amount_cents AS amount FROM {rows} s ' || referral,
    'refunds', 'SELECT s.program_id, ''refund''::analytics_kind AS kind, f.created_at AS at, s.campaign_id, s.affiliate_id, '
      || source || ', s.currency, 1 AS count, f.amount_cents AS amount FROM {rows} f'
      || ' JOIN sales s ON s.program_id = f.program_id AND s.id = f.sale_id ' || referral,
    'commissions', concat_ws(' UNION ALL ',
      format(of_commission, 'accrued', 'occurred_at', 's.voided_at IS NULL'),
      format(of_commission, 'due', 'due_at', 's.paid_at IS NULL AND s.voided_at IS NULL AND s.held_reason IS NULL'),
      format(of_commission, 'paid', 'paid_at', 's.paid_at IS NOT NULL'),
      format(of_commission, 'voided', 'voided_at', 's.voided_at IS NOT NULL')));
  -- A session keeps its plans: one that was made for a bulk of rows must not read a whole table for each single row after it.
  note text := 'CREATE FUNCTION %I() RETURNS trigger LANGUAGE plpgsql
    SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET jit = off AS $note$
BEGIN
  INSERT INTO analytics_deltas (program_id, kind, start, campaign_id, affiliate_id, link_id, coupon_id, currency, count, amount)
  SELECT program_id, kind, analytics_start(''quarter_hour'', at) AS start, campaign_id, affiliate_id, link_id, coupon_id,
    currency, sum(count * sign), sum(amount * sign)
  FROM (%s) changed GROUP BY program_id, kind, start, campaign_id, affiliate_id, link_id, coupon_id, currency
  HAVING sum(count * sign) <> 0 OR sum(amount * sign) <> 0;
  RETURN NULL;
END $note$';
  attach text := 'CREATE TRIGGER %I AFTER %s ON %I REFERENCING %s FOR EACH STATEMENT EXECUTE FUNCTION %I()';
  name text;
  fact text;
  gone text;
  come text;
BEGIN
  EXECUTE 'CREATE VIEW analytics_facts AS ' || (
    SELECT string_agg(replace(value, '{rows}', quote_ident(key)), ' UNION ALL ' ORDER BY key) FROM jsonb_each_text(facts));
  FOR name, fact IN SELECT key, value FROM jsonb_each_text(facts) LOOP
    gone := 'SELECT *, -1 AS sign FROM (' || replace(fact, '{rows}', 'gone') || ') gone_facts';
    come := 'SELECT *, 1 AS sign FROM (' || replace(fact, '{rows}', 'come') || ') come_facts';
    EXECUTE format(note, 'analytics_note_inserted_' || name, come);
    EXECUTE format(note, 'analytics_note_updated_' || name, gone || ' UNION ALL ' || come);
    EXECUTE format(note, 'analytics_note_deleted_' || name, gone);
    EXECUTE format(attach, 'analytics_inserted', 'INSERT', name, 'NEW TABLE AS come', 'analytics_note_inserted_' || name);
    EXECUTE format(attach, 'analytics_updated', 'UPDATE', name, 'OLD TABLE AS gone NEW TABLE AS come', 'analytics_note_updated_' || name);
    EXECUTE format(attach, 'analytics_deleted', 'DELETE', name, 'OLD TABLE AS gone', 'analytics_note_deleted_' || name);
  END LOOP;
END
$make$;

-- Makes the rollups anew from the rows; nothing may be written meanwhile.
CREATE FUNCTION "analytics_rebuild"() RETURNS void LANGUAGE sql SET work_mem = '64MB' AS $$
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
  FROM facts CROSS JOIN unnest(ARRAY['day', 'month']::analytics_grain[]) AS grain GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9
  ORDER BY 1, 2, 3, 4, 6, 5, 7, 8, 9;
$$;
SELECT analytics_rebuild();
