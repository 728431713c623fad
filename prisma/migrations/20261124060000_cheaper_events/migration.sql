-- What a state has of each row. PostgreSQL puts these functions into the query that calls them, so they cost nothing.
CREATE FUNCTION "frozen"(r "referrals") RETURNS "frozen_referral" LANGUAGE sql STABLE AS $$
  SELECT ROW(r.id, r.became_lead_at, r.became_conversion_at, r.expires_at, r.billing_customer_id, r.affiliate_id, r.campaign_id,
    r.created_at, r.updated_at)::frozen_referral
$$;
CREATE FUNCTION "frozen"(a "affiliates") RETURNS "frozen_affiliate" LANGUAGE sql STABLE AS $$
  SELECT ROW(a.id, a.campaign_id, a.email, a.first_name, a.last_name, a.wallet_a_email, a.wallet_b_email, a.state,
    a.billing_customer_id, a.confirmed_at, a.visitors, a.leads, a.conversions, a.sign_in_count,
    a.receive_new_commission_notifications, a.created_at, a.updated_at)::frozen_affiliate
$$;
CREATE FUNCTION "frozen"(c "campaigns") RETURNS "frozen_campaign" LANGUAGE sql STABLE AS $$
  SELECT ROW(c.id, c.name, c.url, c.created_at, c.updated_at)::frozen_campaign
$$;
CREATE FUNCTION "frozen"(l "affiliate_links") RETURNS "frozen_link" LANGUAGE sql STABLE AS $$
  SELECT ROW(l.id, l.affiliate_id, l.token, l.visitors, l.leads, l.conversions)::frozen_link
$$;
CREATE FUNCTION "frozen"(k "affiliate_coupons") RETURNS "frozen_coupon" LANGUAGE sql STABLE AS $$
  SELECT ROW(k.id, k.affiliate_id, k.token, k.archived_at)::frozen_coupon
$$;
CREATE FUNCTION "frozen"(u "customers") RETURNS "frozen_customer" LANGUAGE sql STABLE AS $$
  SELECT ROW(u.id, u.email, u.name)::frozen_customer
$$;
CREATE FUNCTION "frozen"(s "sales") RETURNS "frozen_sale" LANGUAGE sql STABLE AS $$
  SELECT ROW(s.id, s.currency, s.amount_cents, s.refunded_cents, s.external_id, s.campaign_id, s.occurred_at, s.created_at,
    s.updated_at)::frozen_sale
$$;
CREATE FUNCTION "frozen"(m "commissions") RETURNS "frozen_commission" LANGUAGE sql STABLE AS $$
  SELECT ROW(m.id, m.currency, m.amount_cents, m.due_at, m.paid_at, m.voided_at, m.held_reason, m.campaign_id, m.affiliate_id,
    m.created_at, m.updated_at)::frozen_commission
$$;

-- As before, at half the cost:
-- - A state reads each row in a subquery of its own. Joined, the columns of all rows were set up again for each join.
-- - The function has no settings of the planner any more: nothing is joined that could be hashed or merged.
-- - The ids of a call share one time and one number, and the events of a call are counted in one row. Its ids follow each other, so they
--   are all in one range of list_counts.
-- - The earlier version of a subject is not looked up if all subjects are new.
-- - Visits and earlier events are looked up in the partitions that can have them. A visit is as old as its hour, in which the referral was
--   created. Versions grow with the clock, so an earlier event matters only if it is recent.
--
-- Records events of one cause, in their order. Given are program_id, actor_kind, actor_id, request_id, created_at; only_new, whether
-- these are the first events of all their subjects; `states` with the subject and subject_id of each state to freeze; and `events` with
-- type, subject, subject_id, the place among the events of the same subject, and the number of the state. It adds ids, versions,
-- the affiliate, the campaign and the transaction; counts the events, and queues them for webhooks. Returns the number of events.
--
-- It runs as the owner: the policies of ten tables would be checked for each state that is frozen. It writes for one program only.
CREATE OR REPLACE FUNCTION "record_events"("given" jsonb) RETURNS integer LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  program uuid := ("given" ->> 'program_id')::uuid;
  kind actor_kind := ("given" ->> 'actor_kind')::actor_kind;
  actor uuid := ("given" ->> 'actor_id')::uuid;
  request text := "given" ->> 'request_id';
  caused_at timestamptz := ("given" ->> 'created_at')::timestamptz;
  micros bigint := extract(epoch FROM clock_timestamp()) * 1000000;
  -- Milliseconds, so that versions still grow after the earlier events of the subject were deleted.
  version_of_first bigint := micros / 1000;
  -- What event_id() begins with: milliseconds, microseconds, a number of 30 bits. The place in the call follows: states, then events.
  id_of_call text := lpad(to_hex(micros / 1000), 12, '0') || to_hex(28672 + micros % 1000 * 4)
    || to_hex(2147483648 + nextval('event_numbers') % 1073741824);
  number_of_states integer := jsonb_array_length("given" -> 'states');
  number_of_events integer;
  is_sent boolean;
  of_subject text;
  of_id uuid;
  state_id uuid;
  state jsonb;
  referral uuid;
  sale uuid;
  commission uuid;
  affiliate uuid;
  campaign uuid;
  states uuid[] := '{}';
  affiliates uuid[] := '{}';
  campaigns uuid[] := '{}';
BEGIN
  IF nullif(current_setting('tributary.program', true), '') <> program::text THEN
    RAISE insufficient_privilege USING MESSAGE = 'the transaction is of another program';
  END IF;
  SELECT EXISTS (SELECT FROM webhook_endpoints w WHERE w.program_id = program AND w.disabled_at IS NULL) INTO is_sent
  FROM programs WHERE id = program AND closed_at IS NULL FOR KEY SHARE;
  IF NOT FOUND THEN
    PERFORM require_open_program(program);
  END IF;
  FOR i IN 0 .. number_of_states - 1 LOOP
    of_subject := "given" -> 'states' -> i ->> 'subject';
    of_id := ("given" -> 'states' -> i ->> 'subject_id')::uuid;
    state_id := (id_of_call || lpad(to_hex(i), 8, '0'))::uuid;
    IF of_subject IN ('commission', 'sale', 'referral') THEN
      IF of_subject = 'commission' THEN
        SELECT m.referral_id, m.sale_id, m.id, m.affiliate_id, m.campaign_id INTO referral, sale, commission, affiliate, campaign
        FROM commissions m WHERE m.program_id = program AND m.id = of_id;
      ELSIF of_subject = 'sale' THEN
        SELECT s.referral_id, s.id, NULL, s.affiliate_id, s.campaign_id INTO referral, sale, commission, affiliate, campaign
        FROM sales s WHERE s.program_id = program AND s.id = of_id;
      ELSE
        SELECT r.id, NULL, NULL, r.affiliate_id, r.campaign_id INTO referral, sale, commission, affiliate, campaign
        FROM referrals r WHERE r.program_id = program AND r.id = of_id;
      END IF;
      INSERT INTO event_states (program_id, id, rows)
      SELECT program, state_id, ROW(
        frozen(r),
        frozen(a),
        (SELECT frozen(c) FROM campaigns c WHERE c.program_id = program AND c.id = a.campaign_id),
        (SELECT frozen(l) FROM affiliate_links l WHERE l.program_id = program AND l.id = r.link_id),
        CASE WHEN k.id IS NOT NULL THEN frozen(k) END,
        k.leads, k.conversions,
        CASE WHEN k.id IS NOT NULL THEN (SELECT external_id FROM imported_records i
          WHERE i.program_id = program AND i.id = k.id AND i.kind = 'affiliate_coupon' LIMIT 1) END,
        (SELECT frozen(u) FROM customers u WHERE u.program_id = program AND u.id = r.customer_id),
        CASE WHEN r.link_id IS NULL THEN 0 ELSE greatest(1,
          (SELECT count(*) FROM visits v WHERE v.program_id = program AND v.referral_id = r.id
            AND v.id >= least_id(r.created_at - interval '1 hour')))::integer END,
        (SELECT frozen(s) FROM sales s WHERE s.program_id = program AND s.id = sale),
        (SELECT frozen(m) FROM commissions m WHERE m.program_id = program AND m.id = commission),
        CASE WHEN commission IS NOT NULL THEN
          (SELECT frozen(c) FROM campaigns c WHERE c.program_id = program AND c.id = campaign) END)::frozen_rows
      FROM referrals r
        JOIN affiliates a ON a.program_id = r.program_id AND a.id = r.affiliate_id
        LEFT JOIN affiliate_coupons k ON k.program_id = r.program_id AND k.id = r.coupon_id
      WHERE r.program_id = program AND r.id = referral;
    ELSE
      state := event_state(program, of_subject, of_id);
      affiliate := coalesce(state #>> '{affiliate,id}', state #>> '{link,affiliate_id}', state #>> '{coupon,affiliate_id}');
      campaign := coalesce(state #>> ARRAY[of_subject, 'campaign_id'], state #>> '{affiliate,campaign_id}', state #>> '{campaign,id}');
      INSERT INTO event_states (program_id, id, state) SELECT program, state_id, state WHERE state IS NOT NULL;
    END IF;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'an event of % % was recorded, but there is no such row', of_subject, of_id;
    END IF;
    states := states || state_id;
    affiliates := affiliates || affiliate;
    campaigns := campaigns || campaign;
  END LOOP;
  IF ("given" -> 'only_new')::boolean IS NOT TRUE THEN
    SELECT greatest(version_of_first, max(last.version) + 1) INTO version_of_first
    FROM jsonb_to_recordset("given" -> 'events') AS e(subject_id uuid), LATERAL (
      SELECT version FROM events WHERE program_id = program AND subject_id = e.subject_id
        AND id >= least_id(clock_timestamp() - interval '1 day') ORDER BY version DESC LIMIT 1) last;
  END IF;
  INSERT INTO events (program_id, id, type, subject, subject_id, version, affiliate_id, campaign_id, actor_kind, actor_id, request_id, state_id, created_at, transaction)
  SELECT program, (id_of_call || lpad(to_hex(number_of_states - 1 + e.number), 8, '0'))::uuid, e.type, e.subject, e.subject_id,
    version_of_first + e.place, affiliates[e.state + 1], campaigns[e.state + 1], kind, actor, request, states[e.state + 1],
    caused_at, pg_current_xact_id()
  FROM ROWS FROM (jsonb_to_recordset("given" -> 'events') AS (type text, subject text, subject_id uuid, place int, state int))
    WITH ORDINALITY AS e(type, subject, subject_id, place, state, number);
  GET DIAGNOSTICS number_of_events = ROW_COUNT;
  INSERT INTO list_deltas (program_id, list, row_id, state, count)
  VALUES (program, 'events', (id_of_call || lpad(to_hex(number_of_states), 8, '0'))::uuid, '', number_of_events);
  IF is_sent THEN
    INSERT INTO webhook_queue (program_id, event_id)
    SELECT program, (id_of_call || lpad(to_hex(number_of_states - 1 + n), 8, '0'))::uuid FROM generate_series(1, number_of_events) n;
  END IF;
  RETURN number_of_events;
END
$$;
