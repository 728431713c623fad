-- Records events of one cause, in their order. Given are program_id, actor_kind, actor_id, request_id, created_at; only_new, whether
-- these are the first events of all their subjects; `states` with the subject and subject_id of each state to freeze; and `events` with
-- type, subject, subject_id, the place among the events of the same subject, and the number of the state. It adds ids, versions,
-- the affiliate, the campaign, the amount and the transaction; counts the events, and queues them for webhooks. Returns the number of events.
--
-- The statement of the cause calls it after its writes. Triggers would cost more: the events of a sale have one state.
--
-- It sends no notification. Transactions that notify commit one after the other, each with its own fsync, and each wakes all
-- listeners. Readers that wait for events read what was committed since their last look.
--
-- It runs as the owner: the policies of ten tables would be checked for each state that is frozen. It writes for one program only.
-- It has no search_path of its own, which PostgreSQL would look up at each call: the role of programs cannot log in, and runs only
-- statements of the service.
--
-- PL/pgSQL caches plans for a session. A plan that was made while a table was small must not read all of it for each later row, so only
-- index lookups are allowed, also in the functions that it calls. Without statistics, the planner takes the primary key for the last version
-- of a subject, if its tree is lower, and sorts: a call took 7 s after 30,000 events. So sorting is not allowed either.
--
-- What keeps it cheap:
-- - A state reads each row in a subquery of its own. Joined, the columns of all rows were set up again for each join.
-- - The ids of a call share one time and one number, and the events of a call are counted in one row. Its ids follow each other, so they
--   are all in one range of list_counts.
-- - The referral, the sale and the commission of a state are read into variables, so states of one referral read it once.
-- - Visits are counted once for all states of a referral, in a statement of its own: its plan names each partition of visits.
-- - Visits and earlier events are looked up in the partitions that can have them. A visit is as old as its hour, in which the referral was
--   created. Versions grow with the clock, so an earlier event matters only if it is recent.
-- - The states of payouts are written by one statement: a run has hundreds of them in a call.
-- - The campaign of a commission is stored only if it is not that of the affiliate.
-- - The affiliates of a campaign are counted once for all states of it.
CREATE OR REPLACE FUNCTION record_events(given jsonb) RETURNS integer LANGUAGE plpgsql SECURITY DEFINER
  SET enable_seqscan = off SET enable_sort = off SET jit = off AS $$
DECLARE
  program uuid := ("given" ->> 'program_id')::uuid;
  micros bigint := extract(epoch FROM clock_timestamp()) * 1000000;
  -- Milliseconds, so that versions still grow after the earlier events of the subject were deleted.
  version_of_first bigint := micros / 1000;
  -- What event_id() begins with: milliseconds, microseconds, a number of 30 bits. The place in the call follows: states, then events.
  id_of_call text := lpad(to_hex(micros / 1000), 12, '0') || to_hex(28672 + micros % 1000 * 4)
    || to_hex(2147483648 + nextval('event_numbers') % 1073741824);
  given_states jsonb := "given" -> 'states';
  number_of_states integer := jsonb_array_length(given_states);
  number_of_events integer;
  recent uuid := least_id(clock_timestamp() - interval '1 day');
  is_sent boolean;
  of_subject text;
  of_id uuid;
  state_id uuid;
  state jsonb;
  referral referrals;
  sale sales;
  commission commissions;
  visited integer;
  affiliate_id uuid;
  campaign_id uuid;
  counted_campaign uuid;
  counts jsonb;
  states uuid[] := '{}';
  affiliates uuid[] := '{}';
  campaigns uuid[] := '{}';
  amounts bigint[] := '{}';
  currencies text[] := '{}';
  of_payout record;
  sale_amounts bigint[] := '{}';
  sale_currencies text[] := '{}';
BEGIN
  IF nullif(current_setting('tributary.program', true), '') <> program::text THEN
    RAISE insufficient_privilege USING MESSAGE = 'the transaction is of another program';
  END IF;
  SELECT EXISTS (SELECT FROM webhook_endpoints w WHERE w.program_id = program AND w.disabled_at IS NULL) INTO is_sent
  FROM programs WHERE id = program AND closed_at IS NULL FOR KEY SHARE;
  IF NOT FOUND THEN
    PERFORM require_open_program(program);
  END IF;
  IF given_states @> '[{"subject": "payout"}]' THEN
    FOR of_payout IN
      WITH frozen AS MATERIALIZED (
        SELECT s.*, (id_of_call || lpad(to_hex(s.number - 1), 8, '0'))::uuid AS id FROM event_payout_states(program, given_states) s
      ), written AS (
        INSERT INTO event_states (program_id, id, state) SELECT program, frozen.id, frozen.state FROM frozen
      )
      SELECT frozen.number, frozen.id, frozen.affiliate_id, frozen.campaign_id, frozen.amount_cents, frozen.currency FROM frozen
    LOOP
      states[of_payout.number] := of_payout.id;
      affiliates[of_payout.number] := of_payout.affiliate_id;
      campaigns[of_payout.number] := of_payout.campaign_id;
      amounts[of_payout.number] := of_payout.amount_cents;
      currencies[of_payout.number] := of_payout.currency;
    END LOOP;
  END IF;
  FOR i IN 0 .. number_of_states - 1 LOOP
    CONTINUE WHEN states[i + 1] IS NOT NULL;
    of_subject := given_states -> i ->> 'subject';
    of_id := (given_states -> i ->> 'subject_id')::uuid;
    state_id := (id_of_call || lpad(to_hex(i), 8, '0'))::uuid;
    IF of_subject IN ('commission', 'sale', 'referral') THEN
      IF of_subject = 'commission' THEN
        IF commission.id IS DISTINCT FROM of_id THEN
          SELECT * INTO commission FROM commissions m WHERE m.program_id = program AND m.id = of_id;
        END IF;
        affiliate_id := commission.affiliate_id;
        campaign_id := commission.campaign_id;
        amounts[i + 1] := commission.amount_cents;
        currencies[i + 1] := commission.currency;
        of_id := commission.sale_id;
      ELSE
        commission := NULL;
      END IF;
      IF of_subject = 'referral' THEN
        sale := NULL;
      ELSE
        IF sale.id IS DISTINCT FROM of_id THEN
          SELECT * INTO sale FROM sales s WHERE s.program_id = program AND s.id = of_id;
        END IF;
        of_id := coalesce(sale.referral_id, commission.referral_id);
        sale_amounts[i + 1] := sale.amount_cents;
        sale_currencies[i + 1] := sale.currency;
      END IF;
      IF referral.id IS DISTINCT FROM of_id THEN
        SELECT * INTO referral FROM referrals r WHERE r.program_id = program AND r.id = of_id;
        visited := NULL;
      END IF;
      IF of_subject = 'sale' THEN
        affiliate_id := sale.affiliate_id;
        campaign_id := sale.campaign_id;
      ELSIF of_subject = 'referral' THEN
        affiliate_id := referral.affiliate_id;
        campaign_id := referral.campaign_id;
      END IF;
      IF visited IS NULL THEN
        IF referral.link_id IS NULL THEN
          visited := 0;
        ELSIF of_subject = 'referral' AND ("given" -> 'only_new')::boolean THEN
          -- It has at most the visit that it was created by.
          visited := 1;
        ELSE
          SELECT greatest(1, count(*)) INTO visited FROM visits v
          WHERE v.program_id = program AND v.referral_id = referral.id AND v.id >= least_id(referral.created_at - interval '1 hour');
        END IF;
      END IF;
      INSERT INTO event_states (program_id, id, rows)
      SELECT program, state_id, ROW(
        CASE WHEN referral.id IS NOT NULL THEN frozen(referral) END,
        frozen(a),
        (SELECT frozen(c) FROM campaigns c WHERE c.program_id = program AND c.id = a.campaign_id),
        (SELECT frozen(l) FROM affiliate_links l WHERE l.program_id = program AND l.id = referral.link_id),
        CASE WHEN k.id IS NOT NULL THEN frozen(k) END,
        k.leads, k.conversions,
        CASE WHEN k.id IS NOT NULL THEN (SELECT external_id FROM imported_records i
          WHERE i.program_id = program AND i.id = k.id AND i.kind = 'affiliate_coupon' LIMIT 1) END,
        (SELECT frozen(u) FROM customers u WHERE u.program_id = program AND u.id = referral.customer_id),
        visited,
        CASE WHEN sale.id IS NOT NULL THEN frozen(sale) END,
        CASE WHEN commission.id IS NOT NULL THEN frozen(commission) END,
        CASE WHEN commission.campaign_id <> a.campaign_id THEN
          (SELECT frozen(c) FROM campaigns c WHERE c.program_id = program AND c.id = commission.campaign_id) END)::frozen_rows
      FROM affiliates a LEFT JOIN affiliate_coupons k ON k.program_id = a.program_id AND k.id = referral.coupon_id
      WHERE a.program_id = program AND a.id = coalesce(referral.affiliate_id, commission.affiliate_id);
    ELSE
      state := event_state(program, of_subject, of_id);
      affiliate_id := coalesce(state #>> '{affiliate,id}', state #>> '{link,affiliate_id}', state #>> '{coupon,affiliate_id}');
      campaign_id := coalesce(state #>> ARRAY[of_subject, 'campaign_id'], state #>> '{affiliate,campaign_id}', state #>> '{campaign,id}');
      amounts[i + 1] := state #>> ARRAY[of_subject, 'amount_cents'];
      currencies[i + 1] := state #>> ARRAY[of_subject, 'currency'];
      IF of_subject IN ('affiliate', 'campaign') THEN
        IF counted_campaign IS DISTINCT FROM campaign_id THEN
          counts := event_campaign_counts(program, campaign_id);
          counted_campaign := campaign_id;
        END IF;
        state := state || jsonb_build_object('campaign_counts', counts);
      END IF;
      INSERT INTO event_states (program_id, id, state) SELECT program, state_id, state WHERE state IS NOT NULL;
    END IF;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'an event of % % was recorded, but there is no such row', of_subject, given_states -> i ->> 'subject_id';
    END IF;
    states[i + 1] := state_id;
    affiliates[i + 1] := affiliate_id;
    campaigns[i + 1] := campaign_id;
  END LOOP;
  IF ("given" -> 'only_new')::boolean IS NOT TRUE THEN
    SELECT greatest(version_of_first, max(last.version) + 1) INTO version_of_first
    FROM jsonb_to_recordset("given" -> 'events') AS e(subject_id uuid, place int), LATERAL (
      SELECT version FROM events WHERE program_id = program AND subject_id = e.subject_id
        AND id >= recent ORDER BY version DESC LIMIT 1) last
    WHERE e.place = 0;
  END IF;
  INSERT INTO events (program_id, id, type, subject, subject_id, version, affiliate_id, campaign_id, amount_cents, currency, actor_kind, actor_id,
    request_id, state_id, created_at, transaction)
  SELECT program, (id_of_call || lpad(to_hex(number_of_states - 1 + e.number), 8, '0'))::uuid, e.type, e.subject, e.subject_id,
    version_of_first + e.place, affiliates[e.state + 1], campaigns[e.state + 1],
    CASE e.subject WHEN 'sale' THEN sale_amounts[e.state + 1] WHEN 'referral' THEN NULL ELSE amounts[e.state + 1] END,
    CASE e.subject WHEN 'sale' THEN sale_currencies[e.state + 1] WHEN 'referral' THEN NULL ELSE currencies[e.state + 1] END,
    ("given" ->> 'actor_kind')::actor_kind,
    ("given" ->> 'actor_id')::uuid, "given" ->> 'request_id', states[e.state + 1], ("given" ->> 'created_at')::timestamptz, pg_current_xact_id()
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

-- A UUIDv7 of a time: milliseconds, microseconds, 30 bits of the number, random bits.
CREATE OR REPLACE FUNCTION event_id(at timestamptz, number bigint) RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE
  micros bigint := extract(epoch FROM "at") * 1000000;
BEGIN
  RETURN encode(
    substring(int8send(micros / 1000) FROM 3)
      || int2send((28672 + (micros % 1000) * 4)::int2)
      || int4send((-2147483648 + ("number" & 1073741823))::int4)
      || substring(uuid_send(gen_random_uuid()) FROM 13),
    'hex')::uuid;
END
$$;
