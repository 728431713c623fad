-- AlterEnum
ALTER TYPE "payout_method" ADD VALUE 'stripe';

-- AlterTable
ALTER TABLE "affiliates" ADD COLUMN     "stripe_account" TEXT;

-- CreateTable
CREATE TABLE "payout_recipients" (
    "program_id" UUID NOT NULL,
    "affiliate_id" UUID NOT NULL,
    "service" "payout_service_kind" NOT NULL,
    "recipient" TEXT NOT NULL,
    "is_ready" BOOLEAN NOT NULL,
    "missing" TEXT,
    "checked_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payout_recipients_pkey" PRIMARY KEY ("program_id","affiliate_id","service")
);

-- AddForeignKey
ALTER TABLE "payout_recipients" ADD CONSTRAINT "payout_recipients_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "payout_recipients" ADD CONSTRAINT "payout_recipients_program_id_affiliate_id_fkey" FOREIGN KEY ("program_id", "affiliate_id") REFERENCES "affiliates"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;
