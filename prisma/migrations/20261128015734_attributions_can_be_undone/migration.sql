-- AlterEnum
ALTER TYPE "no_commission_reason" ADD VALUE 'attribution_undone';

-- AlterTable
ALTER TABLE "unattributed_sales" ADD COLUMN     "sale_id" UUID;

-- CreateIndex
CREATE UNIQUE INDEX "unattributed_sales_program_id_sale_id_key" ON "unattributed_sales"("program_id", "sale_id");

-- AddForeignKey
ALTER TABLE "unattributed_sales" ADD CONSTRAINT "unattributed_sales_program_id_sale_id_fkey" FOREIGN KEY ("program_id", "sale_id") REFERENCES "sales"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;
