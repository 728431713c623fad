-- The sums of affiliates in their program's currency, by which lists are sorted. Rollups and open payouts have them already; here they
-- are in a row that an index sorts. They are computed again each time instead of added up, so that no error stays.

-- Computes the sums of sales, commissions and paid commissions again, from the rollup of years.
-- "sellers": pairs of program and affiliate, [["…", "…"], …].
CREATE OR REPLACE FUNCTION affiliates_keep_money(sellers jsonb) RETURNS void LANGUAGE sql AS $$
  WITH keys AS (
    SELECT (pair ->> 0)::uuid AS program_id, (pair ->> 1)::uuid AS id FROM jsonb_array_elements("sellers") pair
  ), locked AS MATERIALIZED (
    -- In the order in which everybody locks affiliates.
    SELECT a.program_id, a.id, p.currency FROM affiliates a JOIN keys USING (program_id, id) JOIN programs p ON p.id = a.program_id
    ORDER BY a.program_id, a.id FOR NO KEY UPDATE OF a
  ), sums AS (
    SELECT l.program_id, l.id,
      coalesce(sum(s.amount) FILTER (WHERE s.kind = 'sale'), 0) AS revenue,
      coalesce(sum(s.amount) FILTER (WHERE s.kind = 'accrued'), 0) AS commissions,
      coalesce(sum(s.amount) FILTER (WHERE s.kind = 'paid'), 0) AS paid
    FROM locked l LEFT JOIN analytics_by_source s ON s.program_id = l.program_id AND s.affiliate_id = l.id
      AND s.grain = 'year' AND s.kind IN ('sale', 'accrued', 'paid') AND s.currency = l.currency
    GROUP BY l.program_id, l.id
  ), kept AS (
    -- A sum that does not fit is sorted as the largest number that does.
    SELECT program_id, id, least(revenue, 9007199254740991)::bigint AS revenue, greatest(least(commissions, 9007199254740991), -9007199254740991)::bigint AS commissions,
      greatest(least(paid, 9007199254740991), -9007199254740991)::bigint AS paid
    FROM sums
  )
  UPDATE affiliates a SET revenue_cents = kept.revenue, commissions_cents = kept.commissions, paid_cents = kept.paid
  FROM kept WHERE a.program_id = kept.program_id AND a.id = kept.id
    AND (a.revenue_cents, a.commissions_cents, a.paid_cents) IS DISTINCT FROM (kept.revenue, kept.commissions, kept.paid)
$$;

-- Computes what is due again: the open payout in the program's currency.
CREATE OR REPLACE FUNCTION affiliates_keep_due(sellers jsonb) RETURNS void LANGUAGE sql AS $$
  WITH keys AS (
    SELECT (pair ->> 0)::uuid AS program_id, (pair ->> 1)::uuid AS id FROM jsonb_array_elements("sellers") pair
  ), due AS (
    SELECT keys.program_id, keys.id, coalesce(o.amount_cents, 0) AS cents
    FROM keys JOIN programs p ON p.id = keys.program_id
      LEFT JOIN payouts o ON o.program_id = keys.program_id AND o.affiliate_id = keys.id AND o.currency = p.currency
        AND o.paid_at IS NULL AND o.failed_at IS NULL
    ORDER BY keys.program_id, keys.id
  )
  UPDATE affiliates a SET due_cents = due.cents FROM due
  WHERE a.program_id = due.program_id AND a.id = due.id AND a.due_cents <> due.cents
$$;

-- A payout that is sent, or taken by a run, is as much due as before.
CREATE OR REPLACE FUNCTION affiliates_keep_due_of_updated() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on' THEN
    RETURN NULL;
  END IF;
  PERFORM affiliates_keep_due((SELECT jsonb_agg(DISTINCT jsonb_build_array(o.program_id, o.affiliate_id))
    FROM old_rows o JOIN new_rows n USING (program_id, id)
    WHERE (o.affiliate_id, o.currency, o.amount_cents, o.paid_at IS NULL, o.failed_at IS NULL)
      IS DISTINCT FROM (n.affiliate_id, n.currency, n.amount_cents, n.paid_at IS NULL, n.failed_at IS NULL)));
  RETURN NULL;
END
$$;

-- Whoever changes payouts has locked their affiliates before.
CREATE OR REPLACE FUNCTION affiliates_keep_due_of_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('tributary.imports_program', true) = 'on'
    OR TG_OP = 'DELETE' AND current_setting('tributary.deletes_program', true) = 'on' THEN
    RETURN NULL;
  END IF;
  PERFORM affiliates_keep_due((SELECT jsonb_agg(DISTINCT jsonb_build_array(r.program_id, r.affiliate_id)) FROM changed_rows r));
  RETURN NULL;
END
$$;
