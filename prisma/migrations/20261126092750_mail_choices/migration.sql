-- CreateEnum
CREATE TYPE "commission_mails" AS ENUM ('at_once', 'daily', 'weekly', 'never');

-- CreateTable
CREATE TABLE "mail_stops" (
    "program_id" UUID NOT NULL,
    "email_key" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "mail_stops_pkey" PRIMARY KEY ("program_id","email_key")
);

-- CreateTable
CREATE TABLE "mail_notices" (
    "program_id" UUID NOT NULL,
    "at_once_until" TIMESTAMPTZ(3) NOT NULL,
    "daily_until" TIMESTAMPTZ(3) NOT NULL,
    "weekly_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "mail_notices_pkey" PRIMARY KEY ("program_id")
);

-- CreateTable
CREATE TABLE "mail_choices" (
    "program_id" UUID NOT NULL,
    "affiliate_id" UUID NOT NULL,
    "commissions" "commission_mails" NOT NULL DEFAULT 'daily',
    "payouts" BOOLEAN NOT NULL DEFAULT true,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "mail_choices_pkey" PRIMARY KEY ("program_id","affiliate_id")
);

-- AddForeignKey
ALTER TABLE "mail_stops" ADD CONSTRAINT "mail_stops_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "mail_notices" ADD CONSTRAINT "mail_notices_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "mail_choices" ADD CONSTRAINT "mail_choices_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "mail_choices" ADD CONSTRAINT "mail_choices_program_id_affiliate_id_fkey" FOREIGN KEY ("program_id", "affiliate_id") REFERENCES "affiliates"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;
