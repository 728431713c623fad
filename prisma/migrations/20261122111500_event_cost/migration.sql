-- AlterTable
ALTER TABLE "affiliate_coupons" ADD COLUMN     "conversions" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "leads" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "visitors" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "event_states" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "state" JSONB NOT NULL,

    CONSTRAINT "event_states_pkey" PRIMARY KEY ("program_id","id")
);

-- AddForeignKey
ALTER TABLE "event_states" ADD CONSTRAINT "event_states_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AlterTable: the state of an event moves to a row of its own, which has the event's id.
INSERT INTO "event_states" ("program_id", "id", "state") SELECT "program_id", "id", "state" FROM "events";
ALTER TABLE "events" ADD COLUMN     "state_id" UUID;
UPDATE "events" SET "state_id" = "id";
ALTER TABLE "events" DROP COLUMN "state",
ALTER COLUMN "state_id" SET NOT NULL,
ALTER COLUMN "id" DROP DEFAULT,
ALTER COLUMN "version" DROP DEFAULT;

-- DropIndex
DROP INDEX "events_program_id_created_at_idx";

-- CreateIndex
CREATE INDEX "events_created_at_idx" ON "events" USING BRIN ("created_at");

-- Counters of coupons, as links have them: counting the referrals at each event took longer with each of them.
UPDATE "affiliate_coupons" SET "visitors" = counted.visitors, "leads" = counted.leads, "conversions" = counted.conversions
FROM (
  SELECT program_id, coupon_id, count(*) FILTER (WHERE is_counted) AS visitors, count(became_lead_at) AS leads,
    count(became_conversion_at) AS conversions
  FROM referrals WHERE coupon_id IS NOT NULL GROUP BY program_id, coupon_id
) counted
WHERE "affiliate_coupons"."program_id" = counted.program_id AND "affiliate_coupons"."id" = counted.coupon_id;

----------------------------------------------------------------------------------------------------------------------
-- events: a function records them
--
-- The statement of the cause calls record_events after its writes. Triggers cost more: each event was inserted, then
-- updated, and had a state of its own, although the events of a sale have the same.

DROP TRIGGER "events_number" ON "events";
DROP TRIGGER "events_complete" ON "events";
DROP FUNCTION "number_event"();
DROP FUNCTION "complete_event"();

CREATE OR REPLACE FUNCTION "event_coupon_state"("program" uuid, "coupon" uuid) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
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

-- The state of a referral, and of a sale and a commission that belong to it: what the renderings show, in one query.
CREATE OR REPLACE FUNCTION "event_referral_state"("program" uuid, "referral" uuid, "sale" uuid, "commission" uuid) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
DECLARE
  state jsonb;
  coupon uuid;
BEGIN
  SELECT r.coupon_id, jsonb_build_object(
    'referral', jsonb_build_object('id', r.id, 'became_lead_at', r.became_lead_at, 'became_conversion_at', r.became_conversion_at,
      'expires_at', r.expires_at, 'billing_customer_id', r.billing_customer_id, 'affiliate_id', r.affiliate_id,
      'campaign_id', r.campaign_id, 'created_at', r.created_at, 'updated_at', r.updated_at),
    'affiliate', to_jsonb(a),
    'affiliate_campaign', jsonb_build_object('id', c.id, 'name', c.name, 'url', c.url, 'created_at', c.created_at, 'updated_at', c.updated_at),
    'link', CASE WHEN l.id IS NOT NULL THEN to_jsonb(l) END,
    'customer', CASE WHEN u.id IS NOT NULL THEN jsonb_build_object('id', u.id, 'email', u.email, 'name', u.name) END,
    'visits', CASE WHEN r.link_id IS NULL THEN 0 ELSE greatest(1,
      (SELECT count(*) FROM visits v WHERE v.program_id = r.program_id AND v.referral_id = r.id)) END,
    'sale', CASE WHEN s.id IS NOT NULL THEN jsonb_build_object('id', s.id, 'currency', s.currency, 'amount_cents', s.amount_cents,
      'refunded_cents', s.refunded_cents, 'external_id', s.external_id, 'campaign_id', s.campaign_id, 'occurred_at', s.occurred_at,
      'created_at', s.created_at, 'updated_at', s.updated_at) END,
    'commission', CASE WHEN m.id IS NOT NULL THEN jsonb_build_object('id', m.id, 'currency', m.currency, 'amount_cents', m.amount_cents,
      'due_at', m.due_at, 'paid_at', m.paid_at, 'voided_at', m.voided_at, 'held_reason', m.held_reason, 'campaign_id', m.campaign_id,
      'affiliate_id', m.affiliate_id, 'created_at', m.created_at, 'updated_at', m.updated_at) END,
    'campaign', CASE WHEN mc.id IS NOT NULL THEN jsonb_build_object('id', mc.id, 'name', mc.name, 'created_at', mc.created_at, 'updated_at', mc.updated_at) END)
  INTO coupon, state
  FROM referrals r
    JOIN affiliates a ON a.program_id = r.program_id AND a.id = r.affiliate_id
    JOIN campaigns c ON c.program_id = a.program_id AND c.id = a.campaign_id
    LEFT JOIN affiliate_links l ON l.program_id = r.program_id AND l.id = r.link_id
    LEFT JOIN customers u ON u.program_id = r.program_id AND u.id = r.customer_id
    LEFT JOIN sales s ON s.program_id = r.program_id AND s.id = "sale"
    LEFT JOIN commissions m ON m.program_id = r.program_id AND m.id = "commission"
    LEFT JOIN campaigns mc ON mc.program_id = m.program_id AND mc.id = m.campaign_id
  WHERE r.program_id = "program" AND r.id = "referral";
  RETURN CASE WHEN coupon IS NULL THEN state ELSE state || event_coupon_state("program", coupon) END;
END
$$;

DROP FUNCTION "event_referral_state"("program" uuid, "referral" uuid);
DROP FUNCTION "event_sale_state"("program" uuid, "sale" uuid);
DROP FUNCTION "event_commission_state"("program" uuid, "commission" uuid);

CREATE OR REPLACE FUNCTION "event_state"("program" uuid, "subject" text, "subject_id" uuid) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
DECLARE
  state jsonb;
  sale uuid;
  referral uuid;
BEGIN
  CASE "subject"
    WHEN 'commission' THEN
      SELECT m.sale_id, m.referral_id INTO sale, referral FROM commissions m WHERE m.program_id = "program" AND m.id = "subject_id";
      state := event_referral_state("program", referral, sale, "subject_id");
    WHEN 'sale' THEN
      SELECT s.referral_id INTO referral FROM sales s WHERE s.program_id = "program" AND s.id = "subject_id";
      state := event_referral_state("program", referral, "subject_id", NULL);
    WHEN 'referral' THEN state := event_referral_state("program", "subject_id", NULL, NULL);
    WHEN 'payout' THEN state := event_payout_state("program", "subject_id");
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
  END CASE;
  IF state IS NULL THEN
    RAISE EXCEPTION 'an event of % % was recorded, but there is no such row', "subject", "subject_id";
  END IF;
  IF "subject" IN ('affiliate', 'campaign') THEN
    state := state || jsonb_build_object('campaign_counts', event_campaign_counts("program",
      coalesce(state #>> '{affiliate,campaign_id}', state #>> '{campaign,id}')::uuid));
  END IF;
  RETURN state;
END
$$;

-- Records events of one cause, in their order. Given are program_id, actor_kind, actor_id, request_id, created_at; `states`
-- with the subject and subject_id of each state to freeze; and `events` with type, subject, subject_id, the place among
-- the events of the same subject, and the number of the state. It adds ids, versions, the affiliate and the campaign;
-- counts the events, queues them for webhooks, and notifies. A message on the channel "tributary" is "events", the program's id, type,
-- affiliate, subject and id of an event. Returns the number of events.
CREATE FUNCTION "record_events"("given" jsonb) RETURNS integer LANGUAGE plpgsql
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
    INSERT INTO events (program_id, id, type, subject, subject_id, version, affiliate_id, campaign_id, actor_kind, actor_id, request_id, state_id, created_at)
    SELECT program, event_id(recorded_at, nextval('event_numbers')), e.type, e.subject, e.subject_id,
      e.place + greatest(clock, (
        SELECT version + 1 FROM events WHERE program_id = program AND subject_id = e.subject_id ORDER BY version DESC LIMIT 1)),
      affiliates[e.state + 1], campaigns[e.state + 1], kind, actor, request, states[e.state + 1], caused_at
    FROM jsonb_to_recordset("given" -> 'events') AS e(type text, subject text, subject_id uuid, place int, state int)
    RETURNING id, pg_notify('tributary', concat_ws(' ', 'events', program_id, type, coalesce(affiliate_id::text, '-'), subject_id, id))
  )
  SELECT array_agg(id) INTO recorded FROM written;
  INSERT INTO list_deltas (program_id, list, row_id, state, count) SELECT program, 'events', unnest(recorded), '', 1;
  IF EXISTS (SELECT FROM webhook_endpoints w WHERE w.program_id = program AND w.disabled_at IS NULL) THEN
    INSERT INTO webhook_queue (program_id, event_id) SELECT program, unnest(recorded);
    PERFORM pg_notify('tributary', 'webhooks');
  END IF;
  RETURN cardinality(recorded);
END
$$;

----------------------------------------------------------------------------------------------------------------------
-- list_counts: the number of events is kept, as those of the other lists

DO $generate$
BEGIN
  EXECUTE 'CREATE OR REPLACE VIEW listed_rows AS ' || rtrim(pg_get_viewdef('listed_rows'::regclass), '; ')
    || ' UNION ALL SELECT r.program_id, ''events''::listed_table AS list, r.id, ''''::text AS state FROM events r';
END
$generate$;

-- Retention deletes events.
CREATE FUNCTION "list_counts_record_deleted_events"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- The deletion of a program removes its counts too.
  IF current_setting('tributary.deletes_program', true) = 'on' THEN RETURN NULL; END IF;
  INSERT INTO list_deltas (program_id, list, row_id, state, count)
  SELECT r.program_id, 'events', r.id, '', -1 FROM changed_rows r;
  RETURN NULL;
END
$$;
CREATE TRIGGER "list_counts_deleted" AFTER DELETE ON "events" REFERENCING OLD TABLE AS changed_rows
  FOR EACH STATEMENT EXECUTE FUNCTION "list_counts_record_deleted_events"();

SELECT "list_counts_rebuild"();
