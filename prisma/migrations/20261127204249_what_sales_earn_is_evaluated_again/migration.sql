-- AlterEnum
ALTER TYPE "change_subject" ADD VALUE 'sale';

-- AlterEnum
ALTER TYPE "money_event_kind" ADD VALUE 'recalculated';

-- AlterTable
ALTER TABLE "commissions" ADD COLUMN     "corrects_sale_id" UUID;

-- CreateIndex
CREATE INDEX "commissions_program_id_corrects_sale_id_idx" ON "commissions"("program_id", "corrects_sale_id") WHERE ("corrects_sale_id" IS NOT NULL);

-- AddForeignKey
ALTER TABLE "commissions" ADD CONSTRAINT "commissions_program_id_corrects_sale_id_fkey" FOREIGN KEY ("program_id", "corrects_sale_id") REFERENCES "sales"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;
