-- AlterTable
ALTER TABLE "affiliates" ADD COLUMN     "withholding_basis_points" INTEGER;

-- AlterTable
ALTER TABLE "money_events" ADD COLUMN     "withheld_cents" BIGINT;

-- AlterTable
ALTER TABLE "payout_run_items" ADD COLUMN     "withheld_cents" BIGINT NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "tax_settings" ADD COLUMN     "withholding_basis_points" INTEGER;

ALTER TABLE "affiliates" ADD CONSTRAINT "affiliates_withholding_basis_points_in_range" CHECK ("withholding_basis_points" BETWEEN 0 AND 10000);
ALTER TABLE "tax_settings" ADD CONSTRAINT "tax_settings_withholding_basis_points_in_range" CHECK ("withholding_basis_points" BETWEEN 0 AND 10000);
ALTER TABLE "payout_run_items" ADD CONSTRAINT "payout_run_items_withheld_cents_is_exact" CHECK ("withheld_cents" BETWEEN 0 AND 9007199254740991);
ALTER TABLE "money_events" ADD CONSTRAINT "money_events_withheld_cents_is_of_a_payment" CHECK ("withheld_cents" IS NULL OR "kind" IN ('paid', 'unpaid'));
ALTER TABLE "money_events" ADD CONSTRAINT "money_events_withheld_cents_is_exact" CHECK ("withheld_cents" BETWEEN -9007199254740991 AND 9007199254740991);
