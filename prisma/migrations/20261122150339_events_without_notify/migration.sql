-- AlterTable: events that are recorded from now on have the transaction.
ALTER TABLE "events" ADD COLUMN     "transaction" xid8;

-- As before, but without notifications. Transactions that notify commit one after the other, each with its own fsync, and
-- each wakes all listeners. Instead, whoever waits for events reads those of the transactions that were committed since it
-- last looked.
--
-- Records events of one cause, in their order. Given are program_id, actor_kind, actor_id, request_id, created_at; `states`
-- with the subject and subject_id of each state to freeze; and `events` with type, subject, subject_id, the place among
-- the events of the same subject, and the number of the state. It adds ids, versions, the affiliate, the campaign and the
-- transaction; counts the events, and queues them for webhooks. Returns the number of events.
CREATE OR REPLACE FUNCTION "record_events"("given" jsonb) RETURNS integer LANGUAGE plpgsql
  SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET jit = off AS $$
DECLARE
  program uuid := "given" ->> 'program_id';
  kind actor_kind := "given" ->> 'actor_kind';
  actor uuid := "given" ->> 'actor_id';
  request text := "given" ->> 'request_id';
  caused_at timestamptz := "given" ->> 'created_at';
  recorded_at timestamptz := clock_timestamp();
  -- Milliseconds, so that versions still grow after the earlier events of the subject were deleted.
  clock bigint := extract(epoch FROM recorded_at) * 1000;
  of jsonb;
  state jsonb;
  states uuid[] := '{}';
  affiliates uuid[] := '{}';
  campaigns uuid[] := '{}';
  recorded uuid[];
BEGIN
  FOR i IN 0 .. jsonb_array_length("given" -> 'states') - 1 LOOP
    of := "given" -> 'states' -> i;
    state := event_state(program, of ->> 'subject', (of ->> 'subject_id')::uuid);
    states := states || event_id(recorded_at, nextval('event_numbers'));
    affiliates := affiliates
      || coalesce(state #>> '{affiliate,id}', state #>> '{link,affiliate_id}', state #>> '{coupon,affiliate_id}')::uuid;
    campaigns := campaigns || coalesce(state #>> ARRAY[of ->> 'subject', 'campaign_id'],
      state #>> '{affiliate,campaign_id}', state #>> '{campaign,id}')::uuid;
    INSERT INTO event_states (program_id, id, state) VALUES (program, states[i + 1], state);
  END LOOP;
  WITH written AS (
    INSERT INTO events (program_id, id, type, subject, subject_id, version, affiliate_id, campaign_id, actor_kind, actor_id, request_id, state_id, created_at, transaction)
    SELECT program, event_id(recorded_at, nextval('event_numbers')), e.type, e.subject, e.subject_id,
      e.place + greatest(clock, (
        SELECT version + 1 FROM events WHERE program_id = program AND subject_id = e.subject_id ORDER BY version DESC LIMIT 1)),
      affiliates[e.state + 1], campaigns[e.state + 1], kind, actor, request, states[e.state + 1], caused_at, pg_current_xact_id()
    FROM jsonb_to_recordset("given" -> 'events') AS e(type text, subject text, subject_id uuid, place int, state int)
    RETURNING id
  )
  SELECT array_agg(id) INTO recorded FROM written;
  INSERT INTO list_deltas (program_id, list, row_id, state, count) SELECT program, 'events', unnest(recorded), '', 1;
  IF EXISTS (SELECT FROM webhook_endpoints w WHERE w.program_id = program AND w.disabled_at IS NULL) THEN
    INSERT INTO webhook_queue (program_id, event_id) SELECT program, unnest(recorded);
  END IF;
  RETURN cardinality(recorded);
END
$$;
