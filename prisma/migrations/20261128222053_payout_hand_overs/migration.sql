-- AlterEnum
ALTER TYPE "payout_batch_state" ADD VALUE 'handed_over';

-- AlterTable
ALTER TABLE "payout_batches" ADD COLUMN     "expires_at" TIMESTAMPTZ(3),
ADD COLUMN     "hand_over" TEXT;

-- AlterTable
ALTER TABLE "payout_run_items" ADD COLUMN     "fee_currency" TEXT;

UPDATE "payout_run_items" SET "fee_currency" = "currency" WHERE "fee_cents" IS NOT NULL;

ALTER TABLE "payout_run_items"
  ADD CONSTRAINT "payout_run_items_fee_currency_is_code" CHECK ("fee_currency" ~ '^[a-z]{3}$');
