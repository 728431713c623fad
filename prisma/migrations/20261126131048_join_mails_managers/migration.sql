-- AlterTable
ALTER TABLE "join_settings" ADD COLUMN     "mails_managers" BOOLEAN NOT NULL DEFAULT true;
