-- AlterEnum
ALTER TYPE "attribution_signal" ADD VALUE 'agent';

-- AlterTable
ALTER TABLE "programs" ADD COLUMN     "agent_provider" TEXT;
