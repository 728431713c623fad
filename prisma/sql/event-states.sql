-- The state of an event's subject, frozen when the event is recorded.

-- What a state has of each row. PostgreSQL puts these functions into the query that calls them, so they cost nothing.
CREATE OR REPLACE FUNCTION frozen(r referrals) RETURNS frozen_referral LANGUAGE sql STABLE AS $$
  SELECT ROW(r.id, r.became_lead_at, r.became_conversion_at, r.expires_at, r.billing_customer_id, r.affiliate_id, r.campaign_id,
    r.created_at, r.updated_at)::frozen_referral
$$;

CREATE OR REPLACE FUNCTION frozen(a affiliates) RETURNS frozen_affiliate LANGUAGE sql STABLE AS $$
  SELECT ROW(a.id, a.campaign_id, a.email, a.first_name, a.last_name, a.paypal_email, a.wise_email, a.state,
    a.billing_customer_id, a.confirmed_at, a.visitors, a.leads, a.conversions, a.sign_in_count,
    a.receive_new_commission_notifications, a.created_at, a.updated_at)::frozen_affiliate
$$;

CREATE OR REPLACE FUNCTION frozen(c campaigns) RETURNS frozen_campaign LANGUAGE sql STABLE AS $$
  SELECT ROW(c.id, c.name, c.url, c.created_at, c.updated_at)::frozen_campaign
$$;

CREATE OR REPLACE FUNCTION frozen(l affiliate_links) RETURNS frozen_link LANGUAGE sql STABLE AS $$
  SELECT ROW(l.id, l.affiliate_id, l.token, l.visitors, l.leads, l.conversions)::frozen_link
$$;

CREATE OR REPLACE FUNCTION frozen(k affiliate_coupons) RETURNS frozen_coupon LANGUAGE sql STABLE AS $$
  SELECT ROW(k.id, k.affiliate_id, k.token, k.archived_at)::frozen_coupon
$$;

CREATE OR REPLACE FUNCTION frozen(u customers) RETURNS frozen_customer LANGUAGE sql STABLE AS $$
  SELECT ROW(u.id, u.email, u.name)::frozen_customer
$$;

CREATE OR REPLACE FUNCTION frozen(s sales) RETURNS frozen_sale LANGUAGE sql STABLE AS $$
  SELECT ROW(s.id, s.currency, s.amount_cents, s.refunded_cents, s.external_id, s.campaign_id, s.occurred_at, s.created_at,
    s.updated_at)::frozen_sale
$$;

CREATE OR REPLACE FUNCTION frozen(m commissions) RETURNS frozen_commission LANGUAGE sql STABLE AS $$
  SELECT ROW(m.id, m.currency, m.amount_cents, m.due_at, m.paid_at, m.voided_at, m.held_reason, m.campaign_id, m.affiliate_id,
    m.created_at, m.updated_at, m.kind, m.reason)::frozen_commission
$$;

CREATE OR REPLACE FUNCTION event_coupon_state(program uuid, coupon uuid) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (
    SELECT jsonb_build_object('coupon', jsonb_build_object('id', k.id, 'token', k.token, 'affiliate_id', k.affiliate_id, 'archived_at', k.archived_at),
      'coupon_leads', k.leads, 'coupon_conversions', k.conversions,
      'coupon_imported_id', (SELECT external_id FROM imported_records i
        WHERE i.program_id = k.program_id AND i.id = k.id AND i.kind = 'affiliate_coupon' LIMIT 1))
    FROM affiliate_coupons k
    WHERE k.program_id = "program" AND k.id = "coupon");
END
$$;

CREATE OR REPLACE FUNCTION event_affiliate_state(program uuid, affiliate uuid) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (
    SELECT jsonb_build_object('affiliate', to_jsonb(frozen(a)) || jsonb_build_object('own_fields', a.own_fields), 'affiliate_campaign', to_jsonb(c),
        'links', (SELECT jsonb_agg(to_jsonb(l) ORDER BY l.id) FROM affiliate_links l
          WHERE l.program_id = a.program_id AND l.affiliate_id = a.id AND l.archived_at IS NULL),
        'coupons', (SELECT jsonb_agg(jsonb_build_object('id', k.id, 'token', k.token, 'affiliate_id', k.affiliate_id,
            'leads', k.leads, 'conversions', k.conversions,
            'imported_id', (SELECT external_id FROM imported_records i
              WHERE i.program_id = k.program_id AND i.id = k.id AND i.kind = 'affiliate_coupon' LIMIT 1)) ORDER BY k.id)
          FROM affiliate_coupons k
          WHERE k.program_id = a.program_id AND k.affiliate_id = a.id AND k.archived_at IS NULL))
      || coalesce((SELECT event_coupon_state(k.program_id, k.id) FROM affiliate_coupons k
        WHERE k.program_id = a.program_id AND k.first_of = a.id), '{}')
    FROM affiliates a JOIN campaigns c ON c.program_id = a.program_id AND c.id = a.campaign_id
    WHERE a.program_id = "program" AND a.id = "affiliate");
END
$$;

-- Each row is found by its key, whatever the planner knows.
CREATE OR REPLACE FUNCTION event_link_state(program uuid, link uuid) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (
    SELECT jsonb_build_object('link', to_jsonb(l), 'affiliate_campaign', (
      SELECT to_jsonb(c) FROM campaigns c WHERE c.program_id = "program" AND c.id = (
        SELECT a.campaign_id FROM affiliates a WHERE a.program_id = "program" AND a.id = l.affiliate_id)))
    FROM affiliate_links l WHERE l.program_id = "program" AND l.id = "link");
END
$$;

-- The states of all payouts among the given subjects, each with its number in the list. A run has hundreds of them, and to set up this
-- query takes several times as long as one state. Each row is found by its key, whatever the planner knows.
--
-- A state has the newest 250 commissions: the size of an event is limited.
CREATE OR REPLACE FUNCTION event_payout_states(program uuid, subjects jsonb)
RETURNS TABLE (number bigint, affiliate_id uuid, campaign_id uuid, amount_cents bigint, currency text, state jsonb) LANGUAGE sql STABLE AS $$
  SELECT s.number, (p).affiliate_id, (a).campaign_id, (p).amount_cents, (p).currency,
    jsonb_build_object('payout', to_jsonb(p), 'affiliate', to_jsonb(frozen(a)), 'affiliate_campaign', to_jsonb(frozen(c))
        || jsonb_build_object('minimum_payout_cents', (c).minimum_payout_cents, 'minimum_payouts', (c).minimum_payouts),
      'commissions', (
        SELECT jsonb_agg(jsonb_build_object('commission', to_jsonb(m.state), 'campaign', to_jsonb(frozen(mc))) ORDER BY m.id DESC)
        FROM (SELECT n.id, n.campaign_id, frozen(n) AS state FROM commissions n
          WHERE n.program_id = "program" AND n.payout_id = s.subject_id ORDER BY n.id DESC LIMIT 250) m
          JOIN campaigns mc ON mc.program_id = "program" AND mc.id = m.campaign_id))
  FROM ROWS FROM (jsonb_to_recordset("subjects") AS (subject text, subject_id uuid)) WITH ORDINALITY AS s(subject, subject_id, number),
    LATERAL (SELECT o FROM payouts o WHERE o.program_id = "program" AND o.id = s.subject_id LIMIT 1) AS of_payout(p),
    LATERAL (SELECT o FROM affiliates o WHERE o.program_id = "program" AND o.id = (p).affiliate_id LIMIT 1) AS of_affiliate(a),
    LATERAL (SELECT o FROM campaigns o WHERE o.program_id = "program" AND o.id = (a).campaign_id LIMIT 1) AS of_campaign(c)
  WHERE s.subject = 'payout'
$$;

-- Replaced by event_payout_states.
DROP FUNCTION IF EXISTS event_payout_state(uuid, uuid);

-- The state of a subject whose state is JSON, without the counts of its campaign. Null if there is none, and for a payout.
CREATE OR REPLACE FUNCTION event_state(program uuid, subject text, subject_id uuid) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
DECLARE
  state jsonb;
BEGIN
  CASE "subject"
    WHEN 'affiliate' THEN state := event_affiliate_state("program", "subject_id");
    WHEN 'affiliate_link' THEN state := event_link_state("program", "subject_id");
    WHEN 'affiliate_coupon' THEN state := event_coupon_state("program", "subject_id");
    WHEN 'campaign' THEN
      SELECT jsonb_build_object('campaign', to_jsonb(c)) INTO state FROM campaigns c WHERE c.program_id = "program" AND c.id = "subject_id";
    WHEN 'api_key' THEN
      SELECT jsonb_build_object('api_key', to_jsonb(k) - 'secret_hash') INTO state FROM api_keys k WHERE k.program_id = "program" AND k.id = "subject_id";
    WHEN 'unattributed_sale' THEN
      SELECT jsonb_build_object('unattributed_sale', to_jsonb(s)) INTO state FROM unattributed_sales s WHERE s.program_id = "program" AND s.id = "subject_id";
    WHEN 'webhook_endpoint' THEN
      SELECT jsonb_build_object('webhook_endpoint', to_jsonb(w) - 'secret' - 'previous_secret') INTO state FROM webhook_endpoints w WHERE w.program_id = "program" AND w.id = "subject_id";
    WHEN 'proposal' THEN
      SELECT jsonb_build_object('proposal', to_jsonb(p) - 'arguments') INTO state FROM proposals p WHERE p.program_id = "program" AND p.id = "subject_id";
    WHEN 'statements' THEN
      SELECT jsonb_build_object('statements', to_jsonb(m)) INTO state FROM statement_months m WHERE m.program_id = "program" AND m.id = "subject_id";
    WHEN 'invoice' THEN
      SELECT jsonb_build_object('invoice', to_jsonb(i) - array['supplier', 'supplier_tax_id', 'buyer', 'lines', 'notes', 'reason']) INTO state FROM invoices i WHERE i.program_id = "program" AND i.id = "subject_id";
    ELSE state := NULL;
  END CASE;
  RETURN state;
END
$$;

-- The counts that REST shows of a campaign.
--
-- Runs as the owner: PostgreSQL compares an enum after a policy, so that the role of programs would read every row of the
-- rollups. For the same reason it refuses another program than the one of the transaction.
CREATE OR REPLACE FUNCTION event_campaign_counts(program uuid, campaign uuid) RETURNS jsonb LANGUAGE plpgsql STABLE SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
BEGIN
  IF nullif(current_setting('tributary.program', true), '') <> "program"::text THEN
    RAISE insufficient_privilege USING MESSAGE = 'the transaction is of another program';
  END IF;
  RETURN (
    SELECT jsonb_build_object('visitors', coalesce(sum(count) FILTER (WHERE kind = 'visitor'), 0),
      'leads', coalesce(sum(count) FILTER (WHERE kind = 'lead'), 0),
      'conversions', coalesce(sum(count) FILTER (WHERE kind = 'conversion'), 0),
      'affiliates', (SELECT count(*) FROM affiliates WHERE program_id = "program" AND campaign_id = "campaign"))
    FROM (
      SELECT kind, count FROM analytics_by_campaign
      WHERE program_id = "program" AND kind IN ('visitor', 'lead', 'conversion') AND grain = 'month' AND campaign_id = "campaign"
      UNION ALL
      SELECT kind, count FROM analytics_deltas
      WHERE program_id = "program" AND kind IN ('visitor', 'lead', 'conversion') AND campaign_id = "campaign"
    ) counted);
END
$$;
