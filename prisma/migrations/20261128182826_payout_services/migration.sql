-- CreateEnum
CREATE TYPE "payout_service_kind" AS ENUM ('stripe', 'paypal', 'wise');

-- CreateEnum
CREATE TYPE "payout_batch_state" AS ENUM ('waiting', 'unknown', 'sent');

-- AlterEnum
ALTER TYPE "change_subject" ADD VALUE 'payout_service';

-- AlterTable
ALTER TABLE "payout_run_items" ADD COLUMN     "batch_id" UUID,
ADD COLUMN     "contradiction" TEXT,
ADD COLUMN     "exchange_rate" TEXT,
ADD COLUMN     "fee_cents" BIGINT,
ADD COLUMN     "is_unknown" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "received_cents" BIGINT,
ADD COLUMN     "received_currency" TEXT,
ADD COLUMN     "service_id" TEXT,
ADD COLUMN     "service_state" TEXT;

-- AlterTable
ALTER TABLE "payout_runs" ADD COLUMN     "handed_over_at" TIMESTAMPTZ(3),
ADD COLUMN     "lease" UUID,
ADD COLUMN     "lease_ends_at" TIMESTAMPTZ(3),
ADD COLUMN     "next_step_at" TIMESTAMPTZ(3),
ADD COLUMN     "service" "payout_service_kind",
ADD COLUMN     "service_problem" TEXT;

-- CreateTable
CREATE TABLE "payout_services" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "service" "payout_service_kind" NOT NULL,
    "credentials" TEXT NOT NULL,
    "previous_credentials" TEXT,
    "previous_ends_at" TIMESTAMPTZ(3),
    "account" TEXT NOT NULL,
    "can_pay" TEXT NOT NULL,
    "checked_at" TIMESTAMPTZ(3) NOT NULL,
    "problem" TEXT,
    "paused_at" TIMESTAMPTZ(3),
    "most_per_run_cents" BIGINT,
    "most_per_day_cents" BIGINT,
    "most_per_payee_cents" BIGINT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payout_services_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateTable
CREATE TABLE "payout_batches" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "state" "payout_batch_state" NOT NULL,
    "service_id" TEXT,
    "service_state" TEXT,
    "first_tried_at" TIMESTAMPTZ(3),
    "tried_at" TIMESTAMPTZ(3),
    "sent_at" TIMESTAMPTZ(3),
    "asked_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payout_batches_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateIndex
CREATE INDEX "payout_services_id_idx" ON "payout_services"("id");

-- CreateIndex
CREATE UNIQUE INDEX "payout_services_program_id_service_key" ON "payout_services"("program_id", "service");

-- CreateIndex
CREATE INDEX "payout_batches_program_id_tried_at_idx" ON "payout_batches"("program_id", "tried_at");

-- CreateIndex
CREATE UNIQUE INDEX "payout_batches_program_id_run_id_number_key" ON "payout_batches"("program_id", "run_id", "number");

-- CreateIndex
CREATE INDEX "payout_run_items_of_batch" ON "payout_run_items"("program_id", "batch_id", "id") WHERE ("batch_id" IS NOT NULL);

-- CreateIndex
CREATE INDEX "payout_runs_next_step" ON "payout_runs"("next_step_at") WHERE ("next_step_at" IS NOT NULL);

-- AddForeignKey
ALTER TABLE "payout_run_items" ADD CONSTRAINT "payout_run_items_program_id_batch_id_fkey" FOREIGN KEY ("program_id", "batch_id") REFERENCES "payout_batches"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "payout_services" ADD CONSTRAINT "payout_services_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "payout_batches" ADD CONSTRAINT "payout_batches_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "payout_batches" ADD CONSTRAINT "payout_batches_program_id_run_id_fkey" FOREIGN KEY ("program_id", "run_id") REFERENCES "payout_runs"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE "payout_run_items"
  ADD CONSTRAINT "payout_run_items_fee_cents_is_exact" CHECK ("fee_cents" BETWEEN -9007199254740991 AND 9007199254740991),
  ADD CONSTRAINT "payout_run_items_received_cents_is_exact" CHECK ("received_cents" BETWEEN 0 AND 9007199254740991),
  ADD CONSTRAINT "payout_run_items_received_currency_is_code" CHECK ("received_currency" ~ '^[a-z]{3}$');

ALTER TABLE "payout_services"
  ADD CONSTRAINT "payout_services_most_per_run_cents_is_exact" CHECK ("most_per_run_cents" BETWEEN 0 AND 9007199254740991),
  ADD CONSTRAINT "payout_services_most_per_day_cents_is_exact" CHECK ("most_per_day_cents" BETWEEN 0 AND 9007199254740991),
  ADD CONSTRAINT "payout_services_most_per_payee_cents_is_exact" CHECK ("most_per_payee_cents" BETWEEN 0 AND 9007199254740991);
