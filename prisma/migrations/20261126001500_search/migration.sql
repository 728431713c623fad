-- An index that compares bytes finds texts by their beginning, whatever the collation of the database is.

-- It finds equal texts too, so it takes the place of the present one. Nothing sorts by this column.
DROP INDEX "sales_program_id_external_id_key";
CREATE UNIQUE INDEX "sales_program_id_external_id_key" ON "sales"("program_id", "external_id" text_pattern_ops);

CREATE INDEX "affiliate_coupons_search_token" ON "affiliate_coupons"("program_id", "token_key" text_pattern_ops);

CREATE INDEX "payouts_search_reference" ON "payouts"("program_id", "reference" text_pattern_ops) WHERE ("reference" IS NOT NULL);
