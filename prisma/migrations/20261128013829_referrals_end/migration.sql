-- AlterEnum
ALTER TYPE "change_subject" ADD VALUE 'referral';

-- AlterTable
ALTER TABLE "referrals" ADD COLUMN     "ended_at" TIMESTAMPTZ(3);
