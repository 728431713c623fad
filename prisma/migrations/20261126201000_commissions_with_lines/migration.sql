-- CreateIndex
CREATE INDEX "commissions_with_lines" ON "commissions"("program_id", "affiliate_id", "occurred_at") WHERE (rule_lines IS NOT NULL);
