-- AlterEnum
ALTER TYPE "mail_kind" ADD VALUE 'invitation';

-- AlterTable
ALTER TABLE "applications" ADD COLUMN     "is_invited" BOOLEAN NOT NULL DEFAULT false;
