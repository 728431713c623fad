-- CreateEnum
CREATE TYPE "self_referral_policy" AS ENUM ('allow', 'hold', 'reject');

-- CreateEnum
CREATE TYPE "held_reason" AS ENUM ('self_referral_email', 'self_referral_domain');

-- CreateEnum
CREATE TYPE "change_subject" AS ENUM ('affiliate', 'campaign', 'payout');

-- AlterEnum
ALTER TYPE "attribution_signal" ADD VALUE 'manual';

-- AlterEnum
-- This migration adds more than one value to an enum.
-- With PostgreSQL versions 11 and earlier, this is not possible
-- in a single migration. This can be worked around by creating
-- multiple migrations, each migration adding only one value to
-- the enum.


ALTER TYPE "money_event_kind" ADD VALUE 'refunded';
ALTER TYPE "money_event_kind" ADD VALUE 'held';
ALTER TYPE "money_event_kind" ADD VALUE 'approved';

-- AlterEnum
ALTER TYPE "no_commission_reason" ADD VALUE 'self_referral';

-- DropIndex
DROP INDEX "commissions_awaiting_payout";

-- DropIndex
DROP INDEX "commissions_program_id_sale_id_key";

-- AlterTable
ALTER TABLE "campaigns" ADD COLUMN     "self_referrals" "self_referral_policy" NOT NULL DEFAULT 'allow';

-- AlterTable
ALTER TABLE "commissions" ADD COLUMN     "held_reason" "held_reason",
ADD COLUMN     "refund_id" UUID,
ADD COLUMN     "rule_max_commissions" INTEGER,
ADD COLUMN     "rule_max_period_in_months" INTEGER;

-- AlterTable
ALTER TABLE "payouts" ADD COLUMN     "reference" TEXT;

-- AlterTable
ALTER TABLE "programs" ADD COLUMN     "clock_advanced_by_days" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "previous_publishable_key" TEXT,
ADD COLUMN     "previous_publishable_key_ends_at" TIMESTAMPTZ(3),
ADD COLUMN     "publishable_key" TEXT,
ADD COLUMN     "sandbox" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "slug" TEXT;

-- Programs that exist already: a slug of the name and the end of the id, and a key.
UPDATE "programs" SET
  "slug" = left(trim(both '-' from lower(regexp_replace("name", '[^A-Za-z0-9]+', '-', 'g'))), 60) || '-' || right("id"::text, 8),
  "publishable_key" = 'trib_pk_' || replace(gen_random_uuid()::text, '-', '');
UPDATE "programs" SET "slug" = trim(both '-' from "slug");
ALTER TABLE "programs" ALTER COLUMN "publishable_key" SET NOT NULL, ALTER COLUMN "slug" SET NOT NULL;

-- AlterTable
ALTER TABLE "referrals" ADD COLUMN     "is_counted" BOOLEAN NOT NULL DEFAULT true;

-- AlterTable
ALTER TABLE "sales" ADD COLUMN     "decision" JSONB,
ADD COLUMN     "refunded_cents" BIGINT NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "visits" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "link_id" UUID NOT NULL,
    "referral_id" UUID NOT NULL,
    "visitor_hash" TEXT NOT NULL,
    "url" TEXT,
    "referrer" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "visits_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateTable
CREATE TABLE "tracking_salts" (
    "program_id" UUID NOT NULL,
    "day" TEXT NOT NULL,
    "salt" TEXT NOT NULL,

    CONSTRAINT "tracking_salts_pkey" PRIMARY KEY ("program_id","day")
);

-- CreateTable
CREATE TABLE "refunds" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "sale_id" UUID NOT NULL,
    "external_id" TEXT,
    "amount_cents" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "refunds_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateTable
CREATE TABLE "unattributed_sales" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "external_id" TEXT,
    "referral_id" TEXT,
    "email" TEXT,
    "coupon" TEXT,
    "customer_name" TEXT,
    "amount_cents" BIGINT NOT NULL,
    "currency" TEXT NOT NULL,
    "decision" JSONB NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "unattributed_sales_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateTable
CREATE TABLE "changes" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "subject" "change_subject" NOT NULL,
    "subject_id" UUID NOT NULL,
    "action" TEXT NOT NULL,
    "fields" JSONB NOT NULL,
    "actor_kind" "actor_kind" NOT NULL,
    "actor_id" UUID,
    "request_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "changes_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateIndex
CREATE INDEX "visits_program_id_link_id_id_idx" ON "visits"("program_id", "link_id", "id");

-- CreateIndex
CREATE INDEX "visits_program_id_referral_id_idx" ON "visits"("program_id", "referral_id");

-- CreateIndex
CREATE INDEX "refunds_program_id_sale_id_idx" ON "refunds"("program_id", "sale_id");

-- CreateIndex
CREATE UNIQUE INDEX "refunds_program_id_external_id_key" ON "refunds"("program_id", "external_id");

-- CreateIndex
CREATE INDEX "unattributed_sales_program_id_created_at_idx" ON "unattributed_sales"("program_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "unattributed_sales_program_id_external_id_key" ON "unattributed_sales"("program_id", "external_id");

-- CreateIndex
CREATE INDEX "changes_program_id_subject_subject_id_id_idx" ON "changes"("program_id", "subject", "subject_id", "id");

-- CreateIndex
CREATE INDEX "commissions_program_id_sale_id_idx" ON "commissions"("program_id", "sale_id");

-- CreateIndex
CREATE INDEX "commissions_awaiting_payout" ON "commissions"("program_id", "due_at") WHERE ("payout_id" IS NULL AND "paid_at" IS NULL AND "voided_at" IS NULL AND "held_reason" IS NULL);

-- CreateIndex
CREATE UNIQUE INDEX "commissions_one_earned_per_sale" ON "commissions"("program_id", "sale_id") WHERE ("refund_id" IS NULL);

-- CreateIndex
CREATE UNIQUE INDEX "commissions_program_id_refund_id_key" ON "commissions"("program_id", "refund_id");

-- CreateIndex
CREATE UNIQUE INDEX "programs_slug_key" ON "programs"("slug");

-- CreateIndex
CREATE UNIQUE INDEX "programs_publishable_key_key" ON "programs"("publishable_key");

-- CreateIndex
CREATE UNIQUE INDEX "programs_previous_publishable_key_key" ON "programs"("previous_publishable_key");

-- CreateIndex
CREATE INDEX "referrals_to_be_counted" ON "referrals"("program_id", "id") WHERE ("is_counted" = false);

-- AddForeignKey
ALTER TABLE "visits" ADD CONSTRAINT "visits_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "visits" ADD CONSTRAINT "visits_program_id_link_id_fkey" FOREIGN KEY ("program_id", "link_id") REFERENCES "affiliate_links"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "visits" ADD CONSTRAINT "visits_program_id_referral_id_fkey" FOREIGN KEY ("program_id", "referral_id") REFERENCES "referrals"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "tracking_salts" ADD CONSTRAINT "tracking_salts_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_program_id_sale_id_fkey" FOREIGN KEY ("program_id", "sale_id") REFERENCES "sales"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "unattributed_sales" ADD CONSTRAINT "unattributed_sales_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "commissions" ADD CONSTRAINT "commissions_program_id_refund_id_fkey" FOREIGN KEY ("program_id", "refund_id") REFERENCES "refunds"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "changes" ADD CONSTRAINT "changes_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- Written by hand

ALTER TABLE "programs" ADD CONSTRAINT "programs_slug_form" CHECK ("slug" ~ '^[a-z0-9]+(-[a-z0-9]+)*$');
ALTER TABLE "programs" ADD CONSTRAINT "programs_publishable_key_form" CHECK ("publishable_key" ~ '^trib_pk_[0-9a-z]{32}$');
ALTER TABLE "programs" ADD CONSTRAINT "programs_only_a_sandbox_has_a_clock" CHECK ("sandbox" OR "clock_advanced_by_days" = 0);
ALTER TABLE "programs" ADD CONSTRAINT "programs_clock_goes_forward" CHECK ("clock_advanced_by_days" >= 0);

ALTER TABLE "refunds" ADD CONSTRAINT "refunds_amount_cents_is_exact" CHECK ("amount_cents" BETWEEN 1 AND 9007199254740991);
ALTER TABLE "sales" ADD CONSTRAINT "sales_refunded_cents_at_most_all" CHECK ("refunded_cents" <= "amount_cents");
ALTER TABLE "sales" ADD CONSTRAINT "sales_refunded_cents_is_exact" CHECK ("refunded_cents" BETWEEN 0 AND 9007199254740991);
ALTER TABLE "commissions" ADD CONSTRAINT "commissions_negative_for_a_refund" CHECK (CASE WHEN "refund_id" IS NULL THEN "amount_cents" >= 0 ELSE "amount_cents" < 0 END);
ALTER TABLE "commissions" ADD CONSTRAINT "commissions_held_is_not_paid" CHECK ("held_reason" IS NULL OR "paid_at" IS NULL);
ALTER TABLE "unattributed_sales" ADD CONSTRAINT "unattributed_sales_amount_cents_is_exact" CHECK ("amount_cents" BETWEEN 0 AND 9007199254740991);
ALTER TABLE "unattributed_sales" ADD CONSTRAINT "unattributed_sales_currency_is_a_code" CHECK ("currency" ~ '^[a-z]{3}$');

CREATE FUNCTION "changes_are_append_only"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'changes are history: they can not be changed or removed';
END
$$;
CREATE TRIGGER "changes_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "changes"
  FOR EACH STATEMENT EXECUTE FUNCTION "changes_are_append_only"();
