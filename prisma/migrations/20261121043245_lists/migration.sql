-- Written by hand
-- Names and e-mails are searched by their trigrams.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- Written by Prisma
-- DropIndex
DROP INDEX "affiliate_coupons_program_id_updated_at_idx";

-- DropIndex
DROP INDEX "affiliate_links_program_id_updated_at_idx";

-- DropIndex
DROP INDEX "affiliates_program_id_updated_at_idx";

-- DropIndex
DROP INDEX "campaigns_program_id_updated_at_idx";

-- DropIndex
DROP INDEX "commissions_program_id_payout_id_idx";

-- DropIndex
DROP INDEX "commissions_program_id_referral_id_idx";

-- DropIndex
DROP INDEX "commissions_program_id_updated_at_idx";

-- DropIndex
DROP INDEX "payouts_program_id_updated_at_idx";

-- DropIndex
DROP INDEX "referrals_program_id_customer_id_idx";

-- DropIndex
DROP INDEX "referrals_program_id_updated_at_idx";

-- DropIndex
DROP INDEX "sales_program_id_customer_id_idx";

-- DropIndex
DROP INDEX "sales_program_id_referral_id_idx";

-- CreateIndex
CREATE INDEX "affiliate_coupons_program_id_updated_at_id_idx" ON "affiliate_coupons"("program_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "affiliate_links_program_id_updated_at_id_idx" ON "affiliate_links"("program_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "affiliates_program_id_updated_at_id_idx" ON "affiliates"("program_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "affiliates_search_email" ON "affiliates" USING GIN ("email_key" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "affiliates_search_first_name" ON "affiliates" USING GIN ("first_name" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "affiliates_search_last_name" ON "affiliates" USING GIN ("last_name" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "campaigns_program_id_updated_at_id_idx" ON "campaigns"("program_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "campaigns_program_id_name_id_idx" ON "campaigns"("program_id", "name", "id");

-- CreateIndex
CREATE INDEX "commissions_program_id_referral_id_id_idx" ON "commissions"("program_id", "referral_id", "id");

-- CreateIndex
CREATE INDEX "commissions_program_id_payout_id_id_idx" ON "commissions"("program_id", "payout_id", "id");

-- CreateIndex
CREATE INDEX "commissions_program_id_occurred_at_id_idx" ON "commissions"("program_id", "occurred_at", "id");

-- CreateIndex
CREATE INDEX "commissions_program_id_due_at_id_idx" ON "commissions"("program_id", "due_at", "id");

-- CreateIndex
CREATE INDEX "commissions_program_id_paid_at_id_idx" ON "commissions"("program_id", "paid_at", "id");

-- CreateIndex
CREATE INDEX "commissions_program_id_amount_cents_id_idx" ON "commissions"("program_id", "amount_cents", "id");

-- CreateIndex
CREATE INDEX "commissions_program_id_updated_at_id_idx" ON "commissions"("program_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "customers_search_email" ON "customers" USING GIN ("email_key" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "customers_search_name" ON "customers" USING GIN ("name" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "payouts_program_id_amount_cents_id_idx" ON "payouts"("program_id", "amount_cents", "id");

-- CreateIndex
CREATE INDEX "payouts_program_id_updated_at_id_idx" ON "payouts"("program_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "referrals_program_id_customer_id_id_idx" ON "referrals"("program_id", "customer_id", "id");

-- CreateIndex
CREATE INDEX "referrals_program_id_link_id_id_idx" ON "referrals"("program_id", "link_id", "id");

-- CreateIndex
CREATE INDEX "referrals_program_id_coupon_id_id_idx" ON "referrals"("program_id", "coupon_id", "id");

-- CreateIndex
CREATE INDEX "referrals_program_id_updated_at_id_idx" ON "referrals"("program_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "sales_program_id_campaign_id_id_idx" ON "sales"("program_id", "campaign_id", "id");

-- CreateIndex
CREATE INDEX "sales_program_id_referral_id_id_idx" ON "sales"("program_id", "referral_id", "id");

-- CreateIndex
CREATE INDEX "sales_program_id_customer_id_id_idx" ON "sales"("program_id", "customer_id", "id");

-- CreateIndex
CREATE INDEX "sales_program_id_occurred_at_id_idx" ON "sales"("program_id", "occurred_at", "id");

-- CreateIndex
CREATE INDEX "sales_program_id_amount_cents_id_idx" ON "sales"("program_id", "amount_cents", "id");

-- CreateIndex
CREATE INDEX "sales_program_id_updated_at_id_idx" ON "sales"("program_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "unattributed_sales_program_id_updated_at_id_idx" ON "unattributed_sales"("program_id", "updated_at", "id");
