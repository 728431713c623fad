-- CreateIndex
CREATE INDEX "sales_program_id_customer_id_idx" ON "sales"("program_id", "customer_id");
