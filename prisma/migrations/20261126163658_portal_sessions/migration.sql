-- AlterTable
ALTER TABLE "sso_redemptions" ADD COLUMN     "address" TEXT,
ADD COLUMN     "affiliate_id" UUID,
ADD COLUMN     "session_ends_at" TIMESTAMPTZ(3),
ADD COLUMN     "started_at" TIMESTAMPTZ(3),
ADD COLUMN     "user_agent" TEXT;

-- CreateIndex
CREATE INDEX "sso_redemptions_program_id_affiliate_id_idx" ON "sso_redemptions"("program_id", "affiliate_id");

-- AddForeignKey
ALTER TABLE "sso_redemptions" ADD CONSTRAINT "sso_redemptions_program_id_affiliate_id_fkey" FOREIGN KEY ("program_id", "affiliate_id") REFERENCES "affiliates"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;
