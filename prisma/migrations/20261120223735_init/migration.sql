-- CreateEnum
CREATE TYPE "reward_type" AS ENUM ('percent', 'amount');

-- CreateEnum
CREATE TYPE "affiliate_state" AS ENUM ('active', 'disabled', 'suspicious');

-- CreateEnum
CREATE TYPE "attribution_signal" AS ENUM ('referral_id', 'coupon', 'email');

-- CreateEnum
CREATE TYPE "no_commission_reason" AS ENUM ('max_commissions_reached', 'commission_period_over', 'amount_rounds_to_zero');

-- CreateTable
CREATE TABLE "programs" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "programs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "last_four" TEXT NOT NULL,
    "secret_hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateTable
CREATE TABLE "campaigns" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "private" BOOLEAN NOT NULL,
    "is_default" BOOLEAN NOT NULL,
    "reward_type" "reward_type" NOT NULL,
    "commission_basis_points" INTEGER,
    "commission_amount_cents" BIGINT,
    "commission_currency" TEXT NOT NULL,
    "minimum_payout_cents" BIGINT NOT NULL,
    "days_before_referrals_expire" INTEGER NOT NULL,
    "days_before_commissions_are_due" INTEGER NOT NULL,
    "max_commissions" INTEGER,
    "max_commission_period_in_months" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "campaigns_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateTable
CREATE TABLE "affiliates" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "campaign_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "email_key" TEXT NOT NULL,
    "first_name" TEXT,
    "last_name" TEXT,
    "wallet_a_email" TEXT,
    "wallet_b_email" TEXT,
    "state" "affiliate_state" NOT NULL,
    "billing_customer_id" TEXT,
    "confirmed_at" TIMESTAMPTZ(3),
    "visitors" INTEGER NOT NULL DEFAULT 0,
    "leads" INTEGER NOT NULL DEFAULT 0,
    "conversions" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "affiliates_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateTable
CREATE TABLE "affiliate_links" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "affiliate_id" UUID NOT NULL,
    "token" TEXT NOT NULL,
    "token_key" TEXT NOT NULL,
    "visitors" INTEGER NOT NULL DEFAULT 0,
    "leads" INTEGER NOT NULL DEFAULT 0,
    "conversions" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "affiliate_links_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateTable
CREATE TABLE "affiliate_coupons" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "affiliate_id" UUID NOT NULL,
    "token" TEXT NOT NULL,
    "token_key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "affiliate_coupons_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateTable
CREATE TABLE "customers" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "email_key" TEXT NOT NULL,
    "name" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "customers_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateTable
CREATE TABLE "referrals" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "affiliate_id" UUID NOT NULL,
    "campaign_id" UUID NOT NULL,
    "link_id" UUID,
    "coupon_id" UUID,
    "customer_id" UUID,
    "billing_customer_id" TEXT,
    "became_lead_at" TIMESTAMPTZ(3),
    "became_conversion_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "referrals_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateTable
CREATE TABLE "sales" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "external_id" TEXT,
    "referral_id" UUID NOT NULL,
    "affiliate_id" UUID NOT NULL,
    "campaign_id" UUID NOT NULL,
    "customer_id" UUID,
    "customer_name" TEXT,
    "amount_cents" BIGINT NOT NULL,
    "currency" TEXT NOT NULL,
    "attributed_by" "attribution_signal" NOT NULL,
    "no_commission_reason" "no_commission_reason",
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sales_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateTable
CREATE TABLE "commissions" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "sale_id" UUID NOT NULL,
    "referral_id" UUID NOT NULL,
    "affiliate_id" UUID NOT NULL,
    "campaign_id" UUID NOT NULL,
    "payout_id" UUID,
    "currency" TEXT NOT NULL,
    "amount_cents" BIGINT NOT NULL,
    "rule_reward_type" "reward_type" NOT NULL,
    "rule_basis_points" INTEGER,
    "rule_amount_cents" BIGINT,
    "rule_days_before_due" INTEGER NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "paid_at" TIMESTAMPTZ(3),
    "voided_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "commissions_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateTable
CREATE TABLE "payouts" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "affiliate_id" UUID NOT NULL,
    "currency" TEXT NOT NULL,
    "amount_cents" BIGINT NOT NULL,
    "paid_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payouts_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateIndex
CREATE INDEX "api_keys_secret_hash_idx" ON "api_keys"("secret_hash");

-- CreateIndex
CREATE INDEX "api_keys_id_idx" ON "api_keys"("id");

-- CreateIndex
CREATE INDEX "campaigns_program_id_updated_at_idx" ON "campaigns"("program_id", "updated_at");

-- CreateIndex
CREATE UNIQUE INDEX "campaigns_one_default_per_program" ON "campaigns"("program_id") WHERE ("is_default" = true);

-- CreateIndex
CREATE INDEX "affiliates_program_id_campaign_id_id_idx" ON "affiliates"("program_id", "campaign_id", "id");

-- CreateIndex
CREATE INDEX "affiliates_program_id_updated_at_idx" ON "affiliates"("program_id", "updated_at");

-- CreateIndex
CREATE INDEX "affiliates_program_id_billing_customer_id_idx" ON "affiliates"("program_id", "billing_customer_id");

-- CreateIndex
CREATE UNIQUE INDEX "affiliates_program_id_email_key_key" ON "affiliates"("program_id", "email_key");

-- CreateIndex
CREATE INDEX "affiliate_links_program_id_affiliate_id_id_idx" ON "affiliate_links"("program_id", "affiliate_id", "id");

-- CreateIndex
CREATE INDEX "affiliate_links_program_id_updated_at_idx" ON "affiliate_links"("program_id", "updated_at");

-- CreateIndex
CREATE UNIQUE INDEX "affiliate_links_program_id_token_key_key" ON "affiliate_links"("program_id", "token_key");

-- CreateIndex
CREATE INDEX "affiliate_coupons_program_id_updated_at_idx" ON "affiliate_coupons"("program_id", "updated_at");

-- CreateIndex
CREATE UNIQUE INDEX "affiliate_coupons_program_id_affiliate_id_key" ON "affiliate_coupons"("program_id", "affiliate_id");

-- CreateIndex
CREATE UNIQUE INDEX "affiliate_coupons_program_id_token_key_key" ON "affiliate_coupons"("program_id", "token_key");

-- CreateIndex
CREATE UNIQUE INDEX "customers_program_id_email_key_key" ON "customers"("program_id", "email_key");

-- CreateIndex
CREATE INDEX "referrals_program_id_affiliate_id_id_idx" ON "referrals"("program_id", "affiliate_id", "id");

-- CreateIndex
CREATE INDEX "referrals_program_id_campaign_id_id_idx" ON "referrals"("program_id", "campaign_id", "id");

-- CreateIndex
CREATE INDEX "referrals_program_id_customer_id_idx" ON "referrals"("program_id", "customer_id");

-- CreateIndex
CREATE INDEX "referrals_program_id_updated_at_idx" ON "referrals"("program_id", "updated_at");

-- CreateIndex
CREATE INDEX "referrals_program_id_billing_customer_id_idx" ON "referrals"("program_id", "billing_customer_id");

-- CreateIndex
CREATE INDEX "sales_program_id_affiliate_id_id_idx" ON "sales"("program_id", "affiliate_id", "id");

-- CreateIndex
CREATE INDEX "sales_program_id_referral_id_idx" ON "sales"("program_id", "referral_id");

-- CreateIndex
CREATE UNIQUE INDEX "sales_program_id_external_id_key" ON "sales"("program_id", "external_id");

-- CreateIndex
CREATE INDEX "commissions_program_id_affiliate_id_id_idx" ON "commissions"("program_id", "affiliate_id", "id");

-- CreateIndex
CREATE INDEX "commissions_program_id_campaign_id_id_idx" ON "commissions"("program_id", "campaign_id", "id");

-- CreateIndex
CREATE INDEX "commissions_program_id_referral_id_idx" ON "commissions"("program_id", "referral_id");

-- CreateIndex
CREATE INDEX "commissions_program_id_payout_id_idx" ON "commissions"("program_id", "payout_id");

-- CreateIndex
CREATE INDEX "commissions_awaiting_payout" ON "commissions"("program_id", "due_at") WHERE ("payout_id" IS NULL AND "paid_at" IS NULL AND "voided_at" IS NULL);

-- CreateIndex
CREATE INDEX "commissions_program_id_updated_at_idx" ON "commissions"("program_id", "updated_at");

-- CreateIndex
CREATE UNIQUE INDEX "commissions_program_id_sale_id_key" ON "commissions"("program_id", "sale_id");

-- CreateIndex
CREATE INDEX "payouts_program_id_affiliate_id_id_idx" ON "payouts"("program_id", "affiliate_id", "id");

-- CreateIndex
CREATE INDEX "payouts_program_id_updated_at_idx" ON "payouts"("program_id", "updated_at");

-- CreateIndex
CREATE UNIQUE INDEX "payouts_one_open_per_affiliate_and_currency" ON "payouts"("program_id", "affiliate_id", "currency") WHERE ("paid_at" IS NULL);

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "affiliates" ADD CONSTRAINT "affiliates_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "affiliates" ADD CONSTRAINT "affiliates_program_id_campaign_id_fkey" FOREIGN KEY ("program_id", "campaign_id") REFERENCES "campaigns"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "affiliate_links" ADD CONSTRAINT "affiliate_links_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "affiliate_links" ADD CONSTRAINT "affiliate_links_program_id_affiliate_id_fkey" FOREIGN KEY ("program_id", "affiliate_id") REFERENCES "affiliates"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "affiliate_coupons" ADD CONSTRAINT "affiliate_coupons_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "affiliate_coupons" ADD CONSTRAINT "affiliate_coupons_program_id_affiliate_id_fkey" FOREIGN KEY ("program_id", "affiliate_id") REFERENCES "affiliates"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "customers" ADD CONSTRAINT "customers_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "referrals" ADD CONSTRAINT "referrals_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "referrals" ADD CONSTRAINT "referrals_program_id_affiliate_id_fkey" FOREIGN KEY ("program_id", "affiliate_id") REFERENCES "affiliates"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "referrals" ADD CONSTRAINT "referrals_program_id_campaign_id_fkey" FOREIGN KEY ("program_id", "campaign_id") REFERENCES "campaigns"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "referrals" ADD CONSTRAINT "referrals_program_id_link_id_fkey" FOREIGN KEY ("program_id", "link_id") REFERENCES "affiliate_links"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "referrals" ADD CONSTRAINT "referrals_program_id_coupon_id_fkey" FOREIGN KEY ("program_id", "coupon_id") REFERENCES "affiliate_coupons"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "referrals" ADD CONSTRAINT "referrals_program_id_customer_id_fkey" FOREIGN KEY ("program_id", "customer_id") REFERENCES "customers"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "sales" ADD CONSTRAINT "sales_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "sales" ADD CONSTRAINT "sales_program_id_referral_id_fkey" FOREIGN KEY ("program_id", "referral_id") REFERENCES "referrals"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "sales" ADD CONSTRAINT "sales_program_id_affiliate_id_fkey" FOREIGN KEY ("program_id", "affiliate_id") REFERENCES "affiliates"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "sales" ADD CONSTRAINT "sales_program_id_campaign_id_fkey" FOREIGN KEY ("program_id", "campaign_id") REFERENCES "campaigns"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "sales" ADD CONSTRAINT "sales_program_id_customer_id_fkey" FOREIGN KEY ("program_id", "customer_id") REFERENCES "customers"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "commissions" ADD CONSTRAINT "commissions_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "commissions" ADD CONSTRAINT "commissions_program_id_sale_id_fkey" FOREIGN KEY ("program_id", "sale_id") REFERENCES "sales"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "commissions" ADD CONSTRAINT "commissions_program_id_referral_id_fkey" FOREIGN KEY ("program_id", "referral_id") REFERENCES "referrals"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "commissions" ADD CONSTRAINT "commissions_program_id_affiliate_id_fkey" FOREIGN KEY ("program_id", "affiliate_id") REFERENCES "affiliates"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "commissions" ADD CONSTRAINT "commissions_program_id_campaign_id_fkey" FOREIGN KEY ("program_id", "campaign_id") REFERENCES "campaigns"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "commissions" ADD CONSTRAINT "commissions_program_id_payout_id_fkey" FOREIGN KEY ("program_id", "payout_id") REFERENCES "payouts"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_program_id_affiliate_id_fkey" FOREIGN KEY ("program_id", "affiliate_id") REFERENCES "affiliates"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- Written by hand: rules that prisma/schema.prisma can not say. Keep this block at the end of the file.

-- What is compared and unique is in lower case.
ALTER TABLE "affiliates" ADD CONSTRAINT "affiliates_email_key_is_lower_case" CHECK ("email_key" = lower("email_key"));
ALTER TABLE "customers" ADD CONSTRAINT "customers_email_key_is_lower_case" CHECK ("email_key" = lower("email_key"));
ALTER TABLE "affiliate_links" ADD CONSTRAINT "affiliate_links_token_key_is_lower_case" CHECK ("token_key" = lower("token_key"));
ALTER TABLE "affiliate_coupons" ADD CONSTRAINT "affiliate_coupons_token_key_is_lower_case" CHECK ("token_key" = lower("token_key"));

-- Every amount is exact as a JSON number: within 2^53 - 1.
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_commission_amount_cents_is_exact" CHECK ("commission_amount_cents" BETWEEN -9007199254740991 AND 9007199254740991);
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_minimum_payout_cents_is_exact" CHECK ("minimum_payout_cents" BETWEEN -9007199254740991 AND 9007199254740991);
ALTER TABLE "sales" ADD CONSTRAINT "sales_amount_cents_is_exact" CHECK ("amount_cents" BETWEEN -9007199254740991 AND 9007199254740991);
ALTER TABLE "commissions" ADD CONSTRAINT "commissions_amount_cents_is_exact" CHECK ("amount_cents" BETWEEN -9007199254740991 AND 9007199254740991);
ALTER TABLE "commissions" ADD CONSTRAINT "commissions_rule_amount_cents_is_exact" CHECK ("rule_amount_cents" BETWEEN -9007199254740991 AND 9007199254740991);
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_amount_cents_is_exact" CHECK ("amount_cents" BETWEEN 0 AND 9007199254740991);

-- ISO 4217, in lower case.
ALTER TABLE "programs" ADD CONSTRAINT "programs_currency_is_a_code" CHECK ("currency" ~ '^[a-z]{3}$');
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_commission_currency_is_a_code" CHECK ("commission_currency" ~ '^[a-z]{3}$');
ALTER TABLE "sales" ADD CONSTRAINT "sales_currency_is_a_code" CHECK ("currency" ~ '^[a-z]{3}$');
ALTER TABLE "commissions" ADD CONSTRAINT "commissions_currency_is_a_code" CHECK ("currency" ~ '^[a-z]{3}$');
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_currency_is_a_code" CHECK ("currency" ~ '^[a-z]{3}$');

-- A reward is of one kind and the field of that kind is there.
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_commission_basis_points_in_range" CHECK ("commission_basis_points" BETWEEN 0 AND 10000);
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_reward_is_given" CHECK (CASE "reward_type" WHEN 'percent' THEN "commission_basis_points" IS NOT NULL ELSE "commission_amount_cents" IS NOT NULL END);
ALTER TABLE "commissions" ADD CONSTRAINT "commissions_rule_basis_points_in_range" CHECK ("rule_basis_points" BETWEEN 0 AND 10000);
ALTER TABLE "commissions" ADD CONSTRAINT "commissions_rule_is_given" CHECK (CASE "rule_reward_type" WHEN 'percent' THEN "rule_basis_points" IS NOT NULL ELSE "rule_amount_cents" IS NOT NULL END);

-- A commission ends once: it is paid or it is void.
ALTER TABLE "commissions" ADD CONSTRAINT "commissions_paid_or_void" CHECK ("paid_at" IS NULL OR "voided_at" IS NULL);

ALTER TABLE "affiliates" ADD CONSTRAINT "affiliates_counters_are_counts" CHECK ("visitors" >= 0 AND "leads" >= 0 AND "conversions" >= 0);
ALTER TABLE "affiliate_links" ADD CONSTRAINT "affiliate_links_counters_are_counts" CHECK ("visitors" >= 0 AND "leads" >= 0 AND "conversions" >= 0);
