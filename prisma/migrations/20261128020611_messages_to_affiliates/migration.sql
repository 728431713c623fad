-- AlterEnum
ALTER TYPE "mail_kind" ADD VALUE 'message';

-- AlterTable
ALTER TABLE "mail_choices" ADD COLUMN     "messages" BOOLEAN NOT NULL DEFAULT true;
