-- AlterTable
ALTER TABLE "refunds" ADD COLUMN     "occurred_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "waiting_refunds" ADD COLUMN     "occurred_at" TIMESTAMPTZ(3);
