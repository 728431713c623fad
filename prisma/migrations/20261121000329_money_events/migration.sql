-- CreateEnum
CREATE TYPE "money_event_kind" AS ENUM ('earned', 'amended', 'voided', 'paid');

-- CreateEnum
CREATE TYPE "actor_kind" AS ENUM ('operator', 'api_key', 'system');

-- CreateTable
CREATE TABLE "money_events" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "commission_id" UUID NOT NULL,
    "kind" "money_event_kind" NOT NULL,
    "delta_cents" BIGINT NOT NULL,
    "currency" TEXT NOT NULL,
    "actor_kind" "actor_kind" NOT NULL,
    "actor_id" UUID,
    "request_id" TEXT NOT NULL,
    "reason" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "money_events_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateIndex
CREATE INDEX "money_events_program_id_commission_id_idx" ON "money_events"("program_id", "commission_id");

-- AddForeignKey
ALTER TABLE "money_events" ADD CONSTRAINT "money_events_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "money_events" ADD CONSTRAINT "money_events_program_id_commission_id_fkey" FOREIGN KEY ("program_id", "commission_id") REFERENCES "commissions"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- Written by hand

ALTER TABLE "money_events" ADD CONSTRAINT "money_events_delta_cents_range" CHECK ("delta_cents" BETWEEN -9007199254740991 AND 9007199254740991);
ALTER TABLE "money_events" ADD CONSTRAINT "money_events_currency_form" CHECK ("currency" ~ '^[a-z]{3}$');

CREATE FUNCTION "money_events_are_append_only"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'money_events are facts: they can not be changed or removed';
END
$$;
CREATE TRIGGER "money_events_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "money_events"
  FOR EACH STATEMENT EXECUTE FUNCTION "money_events_are_append_only"();

-- What is known of the commissions that exist already: what they come to today, and how they ended.
INSERT INTO "money_events" ("program_id", "id", "commission_id", "kind", "delta_cents", "currency", "actor_kind", "request_id", "reason", "at")
SELECT "program_id", gen_random_uuid(), "id", 'earned'::"money_event_kind", "amount_cents", "currency", 'system'::"actor_kind", 'migration', 'as it stood when facts began to be kept', "created_at" FROM "commissions"
UNION ALL
SELECT "program_id", gen_random_uuid(), "id", 'voided', 0, "currency", 'system'::"actor_kind", 'migration', NULL, "voided_at" FROM "commissions" WHERE "voided_at" IS NOT NULL
UNION ALL
SELECT "program_id", gen_random_uuid(), "id", 'paid', 0, "currency", 'system'::"actor_kind", 'migration', NULL, "paid_at" FROM "commissions" WHERE "paid_at" IS NOT NULL;
