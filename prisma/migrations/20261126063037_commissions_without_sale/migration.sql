-- CreateEnum
CREATE TYPE "commission_kind" AS ENUM ('sale', 'bonus', 'correction', 'lead');

-- AlterTable
ALTER TABLE "commissions" ADD COLUMN     "external_id" TEXT,
ADD COLUMN     "kind" "commission_kind" NOT NULL DEFAULT 'sale',
ADD COLUMN     "reason" TEXT,
ALTER COLUMN "sale_id" DROP NOT NULL,
ALTER COLUMN "referral_id" DROP NOT NULL;

-- CreateIndex
CREATE UNIQUE INDEX "commissions_one_per_external_id" ON "commissions"("program_id", "external_id") WHERE ("external_id" IS NOT NULL);

-- Bonuses and corrections have a reason, all others come from a referral. A correction can be negative, and be no debt of a refund.
ALTER TABLE "commissions"
  DROP CONSTRAINT "commissions_earned_or_of_a_refund",
  ADD CONSTRAINT "commissions_earned_or_of_a_refund" CHECK (CASE
    WHEN "kind" = 'correction' THEN TRUE WHEN "refund_id" IS NULL THEN "amount_cents" >= 0 ELSE "amount_cents" <> 0 END),
  ADD CONSTRAINT "commissions_of_a_sale_or_not" CHECK (CASE "kind"
    WHEN 'sale' THEN "sale_id" IS NOT NULL AND "referral_id" IS NOT NULL AND "reason" IS NULL
    WHEN 'lead' THEN "sale_id" IS NULL AND "refund_id" IS NULL AND "referral_id" IS NOT NULL AND "reason" IS NULL
    ELSE "sale_id" IS NULL AND "refund_id" IS NULL AND "referral_id" IS NULL AND "reason" IS NOT NULL END);

-- What events freeze of a commission.
ALTER TYPE "frozen_commission" ADD ATTRIBUTE "kind" "commission_kind", ADD ATTRIBUTE "reason" text;
