-- AlterTable
ALTER TABLE "affiliates" ADD COLUMN     "receive_new_commission_notifications" BOOLEAN NOT NULL DEFAULT true;
