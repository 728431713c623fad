-- CreateEnum
CREATE TYPE "webhook_format" AS ENUM ('standard', 'convention');

-- CreateEnum
CREATE TYPE "webhook_disabled_reason" AS ENUM ('manual', 'failing', 'gone');

-- CreateEnum
CREATE TYPE "webhook_delivery_state" AS ENUM ('pending', 'succeeded', 'failed');

-- AlterTable
ALTER TABLE "commissions" ADD COLUMN     "due_noted_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "payouts" ADD COLUMN     "due_noted_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "events" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "type" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "subject_id" UUID NOT NULL,
    "version" BIGINT NOT NULL DEFAULT 0,
    "affiliate_id" UUID,
    "campaign_id" UUID,
    "actor_kind" "actor_kind" NOT NULL,
    "actor_id" UUID,
    "request_id" TEXT NOT NULL,
    "state" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "events_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateTable
CREATE TABLE "event_sweeps" (
    "program_id" UUID NOT NULL,
    "referrals_expired_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "event_sweeps_pkey" PRIMARY KEY ("program_id")
);

-- CreateTable
CREATE TABLE "webhook_endpoints" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "description" TEXT,
    "event_types" TEXT[],
    "filter" JSONB,
    "format" "webhook_format" NOT NULL,
    "secret" TEXT NOT NULL,
    "previous_secret" TEXT,
    "previous_secret_ends_at" TIMESTAMPTZ(3),
    "disabled_at" TIMESTAMPTZ(3),
    "disabled_reason" "webhook_disabled_reason",
    "failing_since" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_endpoints_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateTable
CREATE TABLE "webhook_queue" (
    "program_id" UUID NOT NULL,
    "event_id" UUID NOT NULL,

    CONSTRAINT "webhook_queue_pkey" PRIMARY KEY ("program_id","event_id")
);

-- CreateTable
CREATE TABLE "webhook_deliveries" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "endpoint_id" UUID NOT NULL,
    "event_id" UUID NOT NULL,
    "event_type" TEXT NOT NULL,
    "state" "webhook_delivery_state" NOT NULL DEFAULT 'pending',
    "body" TEXT,
    "next_try_at" TIMESTAMPTZ(3) NOT NULL,
    "lease" UUID,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "responses" JSONB NOT NULL DEFAULT '[]',
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateIndex
CREATE INDEX "events_program_id_type_id_idx" ON "events"("program_id", "type", "id");

-- CreateIndex
CREATE INDEX "events_program_id_created_at_idx" ON "events"("program_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "events_program_id_subject_id_version_key" ON "events"("program_id", "subject_id", "version");

-- CreateIndex
CREATE INDEX "webhook_deliveries_to_be_sent" ON "webhook_deliveries"("program_id", "endpoint_id", "next_try_at") WHERE ("state" = 'pending');

-- CreateIndex
CREATE INDEX "webhook_deliveries_program_id_endpoint_id_id_idx" ON "webhook_deliveries"("program_id", "endpoint_id", "id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_program_id_event_id_idx" ON "webhook_deliveries"("program_id", "event_id");

-- CreateIndex
CREATE INDEX "commissions_due_to_be_noted" ON "commissions"("due_at") WHERE ("due_noted_at" IS NULL AND "paid_at" IS NULL AND "voided_at" IS NULL AND "held_reason" IS NULL);

-- CreateIndex
CREATE INDEX "referrals_to_expire" ON "referrals"("program_id", "expires_at") WHERE ("became_conversion_at" IS NULL);

-- AddForeignKey
ALTER TABLE "events" ADD CONSTRAINT "events_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "event_sweeps" ADD CONSTRAINT "event_sweeps_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "webhook_queue" ADD CONSTRAINT "webhook_queue_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_program_id_endpoint_id_fkey" FOREIGN KEY ("program_id", "endpoint_id") REFERENCES "webhook_endpoints"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- A check of what only the service writes.
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_finished_or_pending" CHECK (("state" = 'pending') = ("finished_at" IS NULL));

-- What is due or expired when this migration runs was so before there were events.
UPDATE "commissions" SET "due_noted_at" = "due_at" WHERE "due_at" <= now() AND "paid_at" IS NULL AND "voided_at" IS NULL;
UPDATE "payouts" SET "due_noted_at" = "payouts"."updated_at" FROM "affiliates", "campaigns"
  WHERE "payouts"."paid_at" IS NULL AND "affiliates"."program_id" = "payouts"."program_id" AND "affiliates"."id" = "payouts"."affiliate_id"
    AND "campaigns"."program_id" = "affiliates"."program_id" AND "campaigns"."id" = "affiliates"."campaign_id"
    AND "payouts"."amount_cents" >= "campaigns"."minimum_payout_cents";
INSERT INTO "event_sweeps" ("program_id", "referrals_expired_until")
  SELECT "id", now() + "clock_advanced_by_days" * interval '24 hours' FROM "programs";

----------------------------------------------------------------------------------------------------------------------
-- events: triggers complete the rows that the service inserts
--
-- The service inserts type and subject. Before the insert, a trigger adds the id and the version; after the statement,
-- another adds the state of the subject, queues the event for webhooks, and notifies. So an event can be inserted by the
-- same statement as its cause. PL/pgSQL keeps the plans of a session, so this costs little beyond the rows it reads.

-- Numbers the events, so that ids of the same microsecond are in order.
CREATE SEQUENCE "event_numbers";

-- A UUIDv7 of a time: milliseconds, microseconds, 30 bits of the number, random bits.
CREATE FUNCTION "event_id"("at" timestamptz, "number" bigint) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
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

CREATE FUNCTION "number_event"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.id := event_id(clock_timestamp(), nextval('event_numbers'));
  -- Milliseconds, so that versions still grow after the earlier events of the subject were deleted.
  NEW.version := greatest(
    (extract(epoch FROM clock_timestamp()) * 1000)::bigint,
    (SELECT version + 1 FROM events WHERE program_id = NEW.program_id AND subject_id = NEW.subject_id ORDER BY version DESC LIMIT 1));
  RETURN NEW;
END
$$;
CREATE TRIGGER "events_number" BEFORE INSERT ON "events" FOR EACH ROW EXECUTE FUNCTION "number_event"();

CREATE FUNCTION "event_coupon_state"("program" uuid, "coupon" uuid) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (
    SELECT jsonb_build_object('coupon', to_jsonb(k), 'coupon_leads', counts.leads, 'coupon_conversions', counts.conversions,
      'coupon_imported_id', (SELECT external_id FROM imported_records i
        WHERE i.program_id = k.program_id AND i.id = k.id AND i.kind = 'affiliate_coupon' LIMIT 1))
    FROM affiliate_coupons k,
      LATERAL (SELECT count(became_lead_at) AS leads, count(became_conversion_at) AS conversions FROM referrals r
        WHERE r.program_id = k.program_id AND r.coupon_id = k.id) counts
    WHERE k.program_id = "program" AND k.id = "coupon");
END
$$;

CREATE FUNCTION "event_affiliate_state"("program" uuid, "affiliate" uuid) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (
    SELECT jsonb_build_object('affiliate', to_jsonb(a), 'affiliate_campaign', to_jsonb(c),
        'links', (SELECT jsonb_agg(to_jsonb(l) ORDER BY l.id) FROM affiliate_links l
          WHERE l.program_id = a.program_id AND l.affiliate_id = a.id AND l.archived_at IS NULL))
      || coalesce((SELECT event_coupon_state(k.program_id, k.id) FROM affiliate_coupons k
        WHERE k.program_id = a.program_id AND k.affiliate_id = a.id), '{}')
    FROM affiliates a JOIN campaigns c ON c.program_id = a.program_id AND c.id = a.campaign_id
    WHERE a.program_id = "program" AND a.id = "affiliate");
END
$$;

CREATE FUNCTION "event_link_state"("program" uuid, "link" uuid) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (
    SELECT jsonb_build_object('link', to_jsonb(l), 'affiliate_campaign', to_jsonb(c))
    FROM affiliate_links l
      JOIN affiliates a ON a.program_id = l.program_id AND a.id = l.affiliate_id
      JOIN campaigns c ON c.program_id = a.program_id AND c.id = a.campaign_id
    WHERE l.program_id = "program" AND l.id = "link");
END
$$;

CREATE FUNCTION "event_referral_state"("program" uuid, "referral" uuid) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (
    SELECT jsonb_build_object('referral', to_jsonb(r), 'affiliate', to_jsonb(a),
        'affiliate_campaign', jsonb_build_object('id', c.id, 'name', c.name, 'url', c.url, 'created_at', c.created_at, 'updated_at', c.updated_at),
        'link', to_jsonb(l), 'customer', to_jsonb(u),
        'visits', CASE WHEN r.link_id IS NULL THEN 0 ELSE greatest(1,
          (SELECT count(*) FROM visits v WHERE v.program_id = r.program_id AND v.referral_id = r.id)) END)
      || CASE WHEN r.coupon_id IS NULL THEN '{}' ELSE event_coupon_state(r.program_id, r.coupon_id) END
    FROM referrals r
      JOIN affiliates a ON a.program_id = r.program_id AND a.id = r.affiliate_id
      JOIN campaigns c ON c.program_id = a.program_id AND c.id = a.campaign_id
      LEFT JOIN affiliate_links l ON l.program_id = r.program_id AND l.id = r.link_id
      LEFT JOIN customers u ON u.program_id = r.program_id AND u.id = r.customer_id
    WHERE r.program_id = "program" AND r.id = "referral");
END
$$;

CREATE FUNCTION "event_sale_state"("program" uuid, "sale" uuid) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (
    SELECT jsonb_build_object('sale', to_jsonb(s) - 'decision') || event_referral_state(s.program_id, s.referral_id)
    FROM sales s WHERE s.program_id = "program" AND s.id = "sale");
END
$$;

CREATE FUNCTION "event_commission_state"("program" uuid, "commission" uuid) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (
    SELECT jsonb_build_object('commission', to_jsonb(m),
        'campaign', jsonb_build_object('id', c.id, 'name', c.name, 'created_at', c.created_at, 'updated_at', c.updated_at))
      || event_sale_state(m.program_id, m.sale_id)
    FROM commissions m JOIN campaigns c ON c.program_id = m.program_id AND c.id = m.campaign_id
    WHERE m.program_id = "program" AND m.id = "commission");
END
$$;

-- The newest 250 commissions: the size of an event is limited.
CREATE FUNCTION "event_payout_state"("program" uuid, "payout" uuid) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (
    SELECT jsonb_build_object('payout', to_jsonb(p), 'affiliate', to_jsonb(a), 'affiliate_campaign', to_jsonb(c),
      'commissions', (
        SELECT jsonb_agg(jsonb_build_object('commission', to_jsonb(m),
          'campaign', jsonb_build_object('id', mc.id, 'name', mc.name, 'created_at', mc.created_at, 'updated_at', mc.updated_at)) ORDER BY m.id DESC)
        FROM (SELECT * FROM commissions WHERE program_id = p.program_id AND payout_id = p.id ORDER BY id DESC LIMIT 250) m
          JOIN campaigns mc ON mc.program_id = m.program_id AND mc.id = m.campaign_id),
      'paid_by_id', (SELECT actor_id FROM changes h
        WHERE h.program_id = p.program_id AND h.subject = 'payout' AND h.subject_id = p.id AND h.action = 'paid' AND h.actor_kind = 'api_key'
        ORDER BY h.id DESC LIMIT 1))
    FROM payouts p
      JOIN affiliates a ON a.program_id = p.program_id AND a.id = p.affiliate_id
      JOIN campaigns c ON c.program_id = a.program_id AND c.id = a.campaign_id
    WHERE p.program_id = "program" AND p.id = "payout");
END
$$;

CREATE FUNCTION "event_state"("program" uuid, "subject" text, "subject_id" uuid) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
DECLARE
  state jsonb;
BEGIN
  CASE "subject"
    WHEN 'commission' THEN state := event_commission_state("program", "subject_id");
    WHEN 'sale' THEN state := event_sale_state("program", "subject_id");
    WHEN 'referral' THEN state := event_referral_state("program", "subject_id");
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
  RETURN state;
END
$$;

-- The counts that REST shows of a campaign.
CREATE FUNCTION "event_campaign_counts"("program" uuid, "campaign" uuid) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
BEGIN
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

-- A message on the channel "tributary" is "events", the program's id, type, affiliate, subject and id of an event. Row
-- triggers run after the whole statement, and their plans are kept, which those of statement triggers are not.
CREATE FUNCTION "complete_event"() RETURNS trigger LANGUAGE plpgsql
  SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET jit = off AS $$
DECLARE
  completed jsonb := event_state(NEW.program_id, NEW.subject, NEW.subject_id);
  affiliate uuid := coalesce(completed #>> '{affiliate,id}', completed #>> '{link,affiliate_id}', completed #>> '{coupon,affiliate_id}');
  campaign uuid := coalesce(completed #>> '{commission,campaign_id}', completed #>> '{sale,campaign_id}',
    completed #>> '{referral,campaign_id}', completed #>> '{affiliate,campaign_id}', completed #>> '{campaign,id}');
BEGIN
  IF NEW.subject IN ('affiliate', 'campaign') THEN
    completed := completed || jsonb_build_object('campaign_counts', event_campaign_counts(NEW.program_id, campaign));
  END IF;
  UPDATE events SET state = jsonb_strip_nulls(completed), affiliate_id = affiliate, campaign_id = campaign
  WHERE program_id = NEW.program_id AND id = NEW.id;
  IF EXISTS (SELECT FROM webhook_endpoints w WHERE w.program_id = NEW.program_id AND w.disabled_at IS NULL) THEN
    INSERT INTO webhook_queue (program_id, event_id) VALUES (NEW.program_id, NEW.id);
    PERFORM pg_notify('tributary', 'webhooks');
  END IF;
  PERFORM pg_notify('tributary', concat_ws(' ', 'events', NEW.program_id, NEW.type, coalesce(affiliate::text, '-'), NEW.subject_id, NEW.id));
  RETURN NULL;
END
$$;
CREATE TRIGGER "events_complete" AFTER INSERT ON "events" FOR EACH ROW EXECUTE FUNCTION "complete_event"();

-- Subscriptions are served from the events.
DROP TRIGGER "sales_notify" ON "sales";
DROP TRIGGER "money_events_notify" ON "money_events";
DROP TRIGGER "payouts_notify" ON "payouts";
DROP FUNCTION "notify_sales"();
DROP FUNCTION "notify_commissions"();
DROP FUNCTION "notify_payout"();

-- The time in a UUIDv7, in milliseconds.
CREATE FUNCTION "event_time"("id" uuid) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
  SELECT to_timestamp((('x0000' || substring(replace("id"::text, '-', '') FROM 1 FOR 12))::bit(64)::bigint) / 1000.0)
$$;
