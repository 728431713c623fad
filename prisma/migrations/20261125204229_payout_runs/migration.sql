-- CreateEnum
CREATE TYPE "payout_method" AS ENUM ('paypal', 'wise', 'sepa', 'generic', 'manual');

-- CreateEnum
CREATE TYPE "decimal_mark" AS ENUM ('point', 'comma');

-- CreateEnum
CREATE TYPE "recipient_type" AS ENUM ('person', 'business');

-- CreateEnum
CREATE TYPE "payout_run_state" AS ENUM ('prepared', 'approved', 'sent', 'paid', 'cancelled');

-- CreateEnum
CREATE TYPE "payout_item_state" AS ENUM ('prepared', 'sent', 'paid', 'failed', 'returned', 'unclaimed', 'cancelled');

-- AlterEnum
ALTER TYPE "change_subject" ADD VALUE 'payout_run';

-- DropIndex
DROP INDEX "payouts_one_open_per_affiliate_and_currency";

-- AlterTable
ALTER TABLE "affiliates" ADD COLUMN     "bic" TEXT,
ADD COLUMN     "iban" TEXT,
ADD COLUMN     "preferred_payout_method" "payout_method",
ADD COLUMN     "recipient_type" "recipient_type";

-- AlterTable
ALTER TABLE "payouts" ADD COLUMN     "failed_at" TIMESTAMPTZ(3),
ADD COLUMN     "sent_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "programs" ADD COLUMN     "debtor_bic" TEXT,
ADD COLUMN     "debtor_iban" TEXT,
ADD COLUMN     "debtor_name" TEXT,
ADD COLUMN     "default_payout_method" "payout_method" NOT NULL DEFAULT 'paypal',
ADD COLUMN     "payout_approval_above_cents" BIGINT,
ADD COLUMN     "payout_file_decimal_mark" "decimal_mark" NOT NULL DEFAULT 'point',
ADD COLUMN     "payout_file_has_mark" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "payout_runs" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "method" "payout_method" NOT NULL,
    "currency" TEXT NOT NULL,
    "state" "payout_run_state" NOT NULL,
    "as_of" TIMESTAMPTZ(3) NOT NULL,
    "payout_count" INTEGER NOT NULL,
    "amount_cents" BIGINT NOT NULL,
    "needs_approval" BOOLEAN NOT NULL,
    "file_name" TEXT,
    "file_has_mark" BOOLEAN NOT NULL,
    "reference" TEXT,
    "reason" TEXT,
    "prepared_by_kind" "actor_kind" NOT NULL,
    "prepared_by_id" UUID,
    "approved_by_kind" "actor_kind",
    "approved_by_id" UUID,
    "approved_at" TIMESTAMPTZ(3),
    "sent_at" TIMESTAMPTZ(3),
    "paid_at" TIMESTAMPTZ(3),
    "cancelled_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payout_runs_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateTable
CREATE TABLE "payout_run_items" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "payout_id" UUID NOT NULL,
    "affiliate_id" UUID NOT NULL,
    "currency" TEXT NOT NULL,
    "amount_cents" BIGINT NOT NULL,
    "state" "payout_item_state" NOT NULL,
    "recipient" TEXT,
    "is_new_recipient" BOOLEAN NOT NULL,
    "is_by_default" BOOLEAN NOT NULL,
    "reference" TEXT,
    "reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payout_run_items_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateTable
CREATE TABLE "payout_run_skips" (
    "program_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "payout_id" UUID NOT NULL,
    "reason" TEXT NOT NULL,

    CONSTRAINT "payout_run_skips_pkey" PRIMARY KEY ("program_id","run_id","payout_id")
);

-- CreateTable
CREATE TABLE "payout_run_file_parts" (
    "program_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "content" TEXT NOT NULL,

    CONSTRAINT "payout_run_file_parts_pkey" PRIMARY KEY ("program_id","run_id","number")
);

-- CreateIndex
CREATE INDEX "payout_run_items_program_id_run_id_id_idx" ON "payout_run_items"("program_id", "run_id", "id");

-- CreateIndex
CREATE INDEX "payout_run_items_program_id_payout_id_idx" ON "payout_run_items"("program_id", "payout_id");

-- CreateIndex
CREATE INDEX "payout_run_items_open" ON "payout_run_items"("program_id", "affiliate_id", "currency") WHERE (state = ANY (ARRAY['prepared'::payout_item_state, 'sent'::payout_item_state]));

-- CreateIndex
CREATE INDEX "payout_run_items_program_id_affiliate_id_recipient_idx" ON "payout_run_items"("program_id", "affiliate_id", "recipient");

-- CreateIndex
CREATE UNIQUE INDEX "payout_run_items_program_id_run_id_payout_id_key" ON "payout_run_items"("program_id", "run_id", "payout_id");

-- CreateIndex
CREATE UNIQUE INDEX "payout_run_items_one_open_per_payout" ON "payout_run_items"("program_id", "payout_id") WHERE (state = ANY (ARRAY['prepared'::payout_item_state, 'sent'::payout_item_state]));

-- CreateIndex
CREATE UNIQUE INDEX "payouts_one_open_per_affiliate_and_currency" ON "payouts"("program_id", "affiliate_id", "currency") WHERE ("paid_at" IS NULL AND "failed_at" IS NULL);

-- AddForeignKey
ALTER TABLE "payout_runs" ADD CONSTRAINT "payout_runs_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "payout_run_items" ADD CONSTRAINT "payout_run_items_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "payout_run_items" ADD CONSTRAINT "payout_run_items_program_id_run_id_fkey" FOREIGN KEY ("program_id", "run_id") REFERENCES "payout_runs"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "payout_run_items" ADD CONSTRAINT "payout_run_items_program_id_affiliate_id_fkey" FOREIGN KEY ("program_id", "affiliate_id") REFERENCES "affiliates"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "payout_run_skips" ADD CONSTRAINT "payout_run_skips_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "payout_run_skips" ADD CONSTRAINT "payout_run_skips_program_id_run_id_fkey" FOREIGN KEY ("program_id", "run_id") REFERENCES "payout_runs"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "payout_run_file_parts" ADD CONSTRAINT "payout_run_file_parts_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "payout_run_file_parts" ADD CONSTRAINT "payout_run_file_parts_program_id_run_id_fkey" FOREIGN KEY ("program_id", "run_id") REFERENCES "payout_runs"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE "programs"
  ADD CONSTRAINT "programs_payout_approval_above_cents_is_exact" CHECK ("payout_approval_above_cents" BETWEEN 0 AND 9007199254740991);
ALTER TABLE "payout_runs"
  ADD CONSTRAINT "payout_runs_amount_cents_is_exact" CHECK ("amount_cents" BETWEEN 0 AND 9007199254740991),
  ADD CONSTRAINT "payout_runs_currency_is_a_code" CHECK ("currency" ~ '^[a-z]{3}$');
ALTER TABLE "payout_run_items"
  ADD CONSTRAINT "payout_run_items_amount_cents_is_exact" CHECK ("amount_cents" BETWEEN 0 AND 9007199254740991),
  ADD CONSTRAINT "payout_run_items_currency_is_a_code" CHECK ("currency" ~ '^[a-z]{3}$');
