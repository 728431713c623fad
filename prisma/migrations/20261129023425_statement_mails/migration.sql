-- AlterEnum
ALTER TYPE "mail_kind" ADD VALUE 'month_closed';

-- AlterTable
ALTER TABLE "mails" ADD COLUMN     "statement_month_id" UUID;

-- AlterTable
ALTER TABLE "statement_months" ADD COLUMN     "mailed_at" TIMESTAMPTZ(3),
ADD COLUMN     "mailed_to" UUID;

-- AddForeignKey
ALTER TABLE "mails" ADD CONSTRAINT "mails_program_id_statement_month_id_fkey" FOREIGN KEY ("program_id", "statement_month_id") REFERENCES "statement_months"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- Months that are closed already are not announced.
UPDATE "statement_months" SET "mailed_at" = "closed_at";
