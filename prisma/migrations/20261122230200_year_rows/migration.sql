CREATE OR REPLACE FUNCTION "analytics_start"("grain" "analytics_grain", "at" timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE "grain"
    WHEN 'year' THEN date_trunc('year', "at" AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'
    WHEN 'month' THEN date_trunc('month', "at" AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'
    WHEN 'day' THEN date_bin('1 day', "at", timestamptz '1970-01-01 00:00:00Z')
    WHEN 'hour' THEN date_bin('1 hour', "at", timestamptz '1970-01-01 00:00:00Z')
    ELSE date_bin('15 minutes', "at", timestamptz '1970-01-01 00:00:00Z')
  END
$$;

-- The rollups by campaign and by source have rows of years: reports of a year read one row of each source instead of twelve.
DELETE FROM analytics_by_campaign WHERE grain = 'year';
INSERT INTO analytics_by_campaign (program_id, kind, grain, start, campaign_id, currency, count, amount)
SELECT program_id, kind, 'year'::analytics_grain, analytics_start('year', start), campaign_id, currency, sum(count), sum(amount)
FROM analytics_by_campaign WHERE grain = 'month' GROUP BY 1, 2, 3, 4, 5, 6;
INSERT INTO analytics_by_source (program_id, kind, grain, start, campaign_id, affiliate_id, link_id, coupon_id, currency, count, amount)
SELECT program_id, kind, 'year'::analytics_grain, analytics_start('year', start), campaign_id, affiliate_id, link_id, coupon_id, currency, sum(count), sum(amount)
FROM analytics_by_source WHERE grain = 'month' GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9;

CREATE OR REPLACE FUNCTION "analytics_facts_rebuild"() RETURNS void LANGUAGE sql SET work_mem = '64MB' AS $$
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
