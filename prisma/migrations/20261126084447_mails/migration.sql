-- CreateEnum
CREATE TYPE "mail_kind" AS ENUM ('application_confirm', 'application_received', 'application_approved', 'application_rejected', 'applications_waiting', 'commissions_earned', 'payout_sent', 'payout_failed', 'monthly_statement', 'payouts_due', 'terms_changed', 'sign_in', 'payout_address_change', 'test');

-- CreateEnum
CREATE TYPE "mail_state" AS ENUM ('pending', 'sent', 'failed', 'stopped');

-- CreateTable
CREATE TABLE "mails" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "kind" "mail_kind" NOT NULL,
    "to" TEXT NOT NULL,
    "to_key" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "html" TEXT NOT NULL,
    "state" "mail_state" NOT NULL DEFAULT 'pending',
    "affiliate_id" UUID,
    "unsubscribe_url" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_try_at" TIMESTAMPTZ(3) NOT NULL,
    "lease" UUID,
    "error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "mails_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateIndex
CREATE INDEX "mails_to_be_sent" ON "mails"("program_id", "next_try_at") WHERE ("state" = 'pending');

-- CreateIndex
CREATE INDEX "mails_program_id_to_key_id_idx" ON "mails"("program_id", "to_key", "id");

-- CreateIndex
CREATE INDEX "mails_program_id_affiliate_id_id_idx" ON "mails"("program_id", "affiliate_id", "id");

-- AddForeignKey
ALTER TABLE "mails" ADD CONSTRAINT "mails_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "mails" ADD CONSTRAINT "mails_program_id_affiliate_id_fkey" FOREIGN KEY ("program_id", "affiliate_id") REFERENCES "affiliates"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;
