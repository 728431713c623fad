-- AlterTable
ALTER TABLE "applications" ADD COLUMN     "referred_by_id" UUID;

-- CreateIndex
CREATE INDEX "applications_program_id_referred_by_id_id_idx" ON "applications"("program_id", "referred_by_id", "id");

-- AddForeignKey
ALTER TABLE "applications" ADD CONSTRAINT "applications_program_id_referred_by_id_fkey" FOREIGN KEY ("program_id", "referred_by_id") REFERENCES "affiliates"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;
