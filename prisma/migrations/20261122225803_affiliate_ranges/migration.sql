-- DropIndex
DROP INDEX "analytics_by_source_program_id_affiliate_id_grain_kind_idx";

-- CreateIndex
CREATE INDEX "analytics_by_source_program_id_affiliate_id_grain_kind_star_idx" ON "analytics_by_source"("program_id", "affiliate_id", "grain", "kind", "start");
