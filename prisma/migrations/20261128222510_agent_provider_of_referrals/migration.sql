-- AlterTable
ALTER TABLE "referrals" ADD COLUMN     "agent_provider" TEXT;
