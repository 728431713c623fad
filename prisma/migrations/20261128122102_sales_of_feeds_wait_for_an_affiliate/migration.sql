-- AlterTable
ALTER TABLE "unattributed_sales" ADD COLUMN     "needs_attention" BOOLEAN NOT NULL DEFAULT true;

-- CreateIndex
CREATE INDEX "unattributed_sales_to_decide" ON "unattributed_sales"("program_id", "id") WHERE ("needs_attention" = true AND "dismissed_at" IS NULL);

-- CreateIndex
CREATE INDEX "unattributed_sales_search_email" ON "unattributed_sales" USING GIN ("email" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "unattributed_sales_search_customer_name" ON "unattributed_sales" USING GIN ("customer_name" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "unattributed_sales_search_external_id" ON "unattributed_sales" USING GIN ("external_id" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "unattributed_sales_search_billing_customer" ON "unattributed_sales" USING GIN ("billing_customer_id" gin_trgm_ops);
