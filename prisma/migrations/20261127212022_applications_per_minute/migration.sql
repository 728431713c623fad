-- AlterTable
ALTER TABLE "join_settings" ADD COLUMN     "applications_per_minute" INTEGER NOT NULL DEFAULT 30;
