-- AlterTable
ALTER TABLE "affiliates" ADD COLUMN     "company" TEXT,
ADD COLUMN     "payouts_held_until" TIMESTAMPTZ(3),
ADD COLUMN     "postal_address" TEXT;

-- AlterTable
ALTER TABLE "programs" ADD COLUMN     "payout_hold_hours" INTEGER NOT NULL DEFAULT 24;

-- CreateTable
CREATE TABLE "terms_acceptances" (
    "program_id" UUID NOT NULL,
    "affiliate_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "accepted_at" TIMESTAMPTZ(3) NOT NULL,
    "address" TEXT,

    CONSTRAINT "terms_acceptances_pkey" PRIMARY KEY ("program_id","affiliate_id","version")
);

-- CreateIndex
CREATE INDEX "terms_acceptances_program_id_version_idx" ON "terms_acceptances"("program_id", "version");

-- AddForeignKey
ALTER TABLE "terms_acceptances" ADD CONSTRAINT "terms_acceptances_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "terms_acceptances" ADD CONSTRAINT "terms_acceptances_program_id_affiliate_id_fkey" FOREIGN KEY ("program_id", "affiliate_id") REFERENCES "affiliates"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "terms_acceptances" ADD CONSTRAINT "terms_acceptances_program_id_version_fkey" FOREIGN KEY ("program_id", "version") REFERENCES "terms_versions"("program_id", "number") ON DELETE RESTRICT ON UPDATE RESTRICT;
