-- CreateEnum
CREATE TYPE "payout_fee_bearer" AS ENUM ('company', 'affiliate');

-- AlterTable
ALTER TABLE "programs" ADD COLUMN     "payout_fee_bearer" "payout_fee_bearer" NOT NULL DEFAULT 'company';
