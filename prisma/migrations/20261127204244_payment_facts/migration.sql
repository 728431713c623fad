-- CreateEnum
CREATE TYPE "payment_fact_kind" AS ENUM ('sent', 'paid', 'failed', 'unclaimed', 'returned', 'reversed', 'cancelled');

-- DropIndex
DROP INDEX "payout_run_items_one_open_per_payout";

-- DropIndex
DROP INDEX "payout_run_items_open";

-- AlterTable
ALTER TABLE "commissions" ADD COLUMN     "payment_id" UUID;

-- AlterTable
ALTER TABLE "payout_run_items" ADD COLUMN     "gone_cents" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "is_extra" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "payout_runs" ADD COLUMN     "fetched_at" TIMESTAMPTZ(3),
ADD COLUMN     "fetched_by_id" UUID,
ADD COLUMN     "fetched_by_kind" "actor_kind";

-- CreateTable
CREATE TABLE "payment_facts" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "item_id" UUID NOT NULL,
    "kind" "payment_fact_kind" NOT NULL,
    "amount_cents" BIGINT,
    "at" TIMESTAMPTZ(3),
    "reference" TEXT,
    "reason" TEXT,
    "actor_kind" "actor_kind" NOT NULL,
    "actor_id" UUID,
    "request_id" TEXT NOT NULL,
    "recorded_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payment_facts_pkey" PRIMARY KEY ("program_id","id")
);

-- What was unclaimed was given back until now: it is due again, so it counts as returned.
UPDATE "payout_run_items" SET "state" = 'returned' WHERE "state" = 'unclaimed';

-- What is known of the payments that exist.
UPDATE "payout_run_items" SET "gone_cents" = "amount_cents" WHERE "state" = 'paid';

INSERT INTO "payment_facts" ("program_id", "id", "item_id", "kind", "reference", "reason", "actor_kind", "request_id", "recorded_at")
SELECT "program_id", "id", "id", "state"::text::"payment_fact_kind", "reference", "reason", 'system', 'upgrade', "updated_at"
FROM "payout_run_items" WHERE "state" <> 'prepared';

-- CreateIndex
CREATE INDEX "payment_facts_program_id_item_id_id_idx" ON "payment_facts"("program_id", "item_id", "id");

-- CreateIndex
CREATE INDEX "commissions_program_id_payment_id_idx" ON "commissions"("program_id", "payment_id") WHERE ("payment_id" IS NOT NULL);

-- CreateIndex
CREATE INDEX "payout_run_items_open" ON "payout_run_items"("program_id", "affiliate_id", "currency") WHERE (state = ANY (ARRAY['prepared'::payout_item_state, 'sent'::payout_item_state, 'unclaimed'::payout_item_state]));

-- CreateIndex
CREATE UNIQUE INDEX "payout_run_items_one_open_per_payout" ON "payout_run_items"("program_id", "payout_id") WHERE (state = ANY (ARRAY['prepared'::payout_item_state, 'sent'::payout_item_state, 'unclaimed'::payout_item_state]));

-- CreateIndex
CREATE INDEX "payout_run_items_failed" ON "payout_run_items"("program_id", "affiliate_id") WHERE (state = 'failed'::payout_item_state);

-- AddForeignKey
ALTER TABLE "commissions" ADD CONSTRAINT "commissions_program_id_payment_id_fkey" FOREIGN KEY ("program_id", "payment_id") REFERENCES "payout_run_items"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "payment_facts" ADD CONSTRAINT "payment_facts_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "payment_facts" ADD CONSTRAINT "payment_facts_program_id_item_id_fkey" FOREIGN KEY ("program_id", "item_id") REFERENCES "payout_run_items"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- Amounts are exact in JSON.
ALTER TABLE "payment_facts"
  ADD CONSTRAINT "payment_facts_amount_cents_is_exact" CHECK ("amount_cents" BETWEEN -9007199254740991 AND 9007199254740991);
ALTER TABLE "payout_run_items"
  ADD CONSTRAINT "payout_run_items_gone_cents_is_exact" CHECK ("gone_cents" BETWEEN -9007199254740991 AND 9007199254740991);
