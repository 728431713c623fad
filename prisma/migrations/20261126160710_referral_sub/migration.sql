-- AlterTable
ALTER TABLE "referrals" ADD COLUMN     "sub" TEXT;

-- CreateIndex
CREATE INDEX "referrals_with_sub" ON "referrals"("program_id", "affiliate_id", "sub") WHERE ("sub" IS NOT NULL);
