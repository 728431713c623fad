-- The tables, by module, in the order of their references.
--
-- prisma/schema.prisma describes what each table and column means. Prisma cannot express CHECK constraints, triggers,
-- functions, views and extensions; they exist only here. Later migrations keep them: `npm run migration` compares the
-- schema with a database made by all migrations.
--
-- Conventions:
--   * The primary key, each unique index and each foreign key of a program's table start with program_id, so that a row
--     cannot reference another program.
--   * Amounts are integers of minor units. Their range, 2^53 - 1, is what a JSON number represents exactly.
--   * A currency is an ISO 4217 code in lower case.
--   * An email_key or token_key is the lower-case form that is compared and unique.

-- Trigram indexes, for the search in names and e-mail addresses.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

----------------------------------------------------------------------------------------------------------------------
-- programs

CREATE TABLE "programs" (
  "id" UUID NOT NULL,
  "name" TEXT NOT NULL,
  "url" TEXT NOT NULL,
  "currency" TEXT NOT NULL,
  "slug" TEXT NOT NULL,
  "publishable_key" TEXT NOT NULL,
  "previous_publishable_key" TEXT,
  "previous_publishable_key_ends_at" TIMESTAMPTZ(3),
  "sandbox" BOOLEAN NOT NULL DEFAULT false,
  "clock_advanced_by_days" INTEGER NOT NULL DEFAULT 0,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "updated_at" TIMESTAMPTZ(3) NOT NULL,

  CONSTRAINT "programs_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "programs_currency_is_a_code" CHECK ("currency" ~ '^[a-z]{3}$'),
  CONSTRAINT "programs_slug_form" CHECK ("slug" ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  CONSTRAINT "programs_publishable_key_form" CHECK ("publishable_key" ~ '^trib_pk_[0-9a-z]{32}$'),
  CONSTRAINT "programs_only_a_sandbox_has_a_clock" CHECK ("sandbox" OR "clock_advanced_by_days" = 0),
  CONSTRAINT "programs_clock_goes_forward" CHECK ("clock_advanced_by_days" >= 0)
);
CREATE UNIQUE INDEX "programs_slug_key" ON "programs"("slug");
CREATE UNIQUE INDEX "programs_publishable_key_key" ON "programs"("publishable_key");
CREATE UNIQUE INDEX "programs_previous_publishable_key_key" ON "programs"("previous_publishable_key");

----------------------------------------------------------------------------------------------------------------------
-- access

CREATE TYPE "api_key_access" AS ENUM ('read', 'full');
CREATE TYPE "api_key_profile" AS ENUM ('contract', 'superset');
CREATE TYPE "api_key_words" AS ENUM ('contract', 'convention');

CREATE TABLE "api_keys" (
  "program_id" UUID NOT NULL,
  "id" UUID NOT NULL,
  "name" TEXT NOT NULL,
  "prefix" TEXT NOT NULL,
  "last_four" TEXT NOT NULL,
  "secret_hash" TEXT NOT NULL,
  "access" "api_key_access" NOT NULL DEFAULT 'full',
  "profile" "api_key_profile" NOT NULL DEFAULT 'contract',
  "words" "api_key_words" NOT NULL DEFAULT 'contract',
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "last_used_at" TIMESTAMPTZ(3),
  "revoked_at" TIMESTAMPTZ(3),

  CONSTRAINT "api_keys_pkey" PRIMARY KEY ("program_id","id"),
  CONSTRAINT "api_keys_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT
);
CREATE INDEX "api_keys_secret_hash_idx" ON "api_keys"("secret_hash");
CREATE INDEX "api_keys_id_idx" ON "api_keys"("id");

CREATE TABLE "affiliate_token_secrets" (
  "program_id" UUID NOT NULL,
  "secret" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,

  CONSTRAINT "affiliate_token_secrets_pkey" PRIMARY KEY ("program_id"),
  CONSTRAINT "affiliate_token_secrets_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT
);

CREATE TABLE "sso_redemptions" (
  "program_id" UUID NOT NULL,
  "ticket_id" UUID NOT NULL,
  "expires_at" TIMESTAMPTZ(3) NOT NULL,

  CONSTRAINT "sso_redemptions_pkey" PRIMARY KEY ("program_id","ticket_id"),
  CONSTRAINT "sso_redemptions_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT
);

----------------------------------------------------------------------------------------------------------------------
-- campaigns

CREATE TYPE "reward_type" AS ENUM ('percent', 'amount');
CREATE TYPE "self_referral_policy" AS ENUM ('allow', 'hold', 'reject');

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
  "self_referrals" "self_referral_policy" NOT NULL DEFAULT 'allow',
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "updated_at" TIMESTAMPTZ(3) NOT NULL,

  CONSTRAINT "campaigns_pkey" PRIMARY KEY ("program_id","id"),
  CONSTRAINT "campaigns_commission_amount_cents_is_exact" CHECK ("commission_amount_cents" BETWEEN -9007199254740991 AND 9007199254740991),
  CONSTRAINT "campaigns_minimum_payout_cents_is_exact" CHECK ("minimum_payout_cents" BETWEEN -9007199254740991 AND 9007199254740991),
  CONSTRAINT "campaigns_commission_currency_is_a_code" CHECK ("commission_currency" ~ '^[a-z]{3}$'),
  CONSTRAINT "campaigns_commission_basis_points_in_range" CHECK ("commission_basis_points" BETWEEN 0 AND 10000),
  CONSTRAINT "campaigns_reward_is_given" CHECK (CASE "reward_type" WHEN 'percent' THEN "commission_basis_points" IS NOT NULL ELSE "commission_amount_cents" IS NOT NULL END),
  CONSTRAINT "campaigns_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT
);
CREATE INDEX "campaigns_program_id_updated_at_id_idx" ON "campaigns"("program_id", "updated_at", "id");
CREATE INDEX "campaigns_program_id_name_id_idx" ON "campaigns"("program_id", "name", "id");
CREATE UNIQUE INDEX "campaigns_one_default_per_program" ON "campaigns"("program_id") WHERE ("is_default" = true);

----------------------------------------------------------------------------------------------------------------------
-- affiliates

CREATE TYPE "affiliate_state" AS ENUM ('active', 'disabled', 'suspicious');

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
  "sign_in_count" INTEGER NOT NULL DEFAULT 0,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "updated_at" TIMESTAMPTZ(3) NOT NULL,
  "receive_new_commission_notifications" BOOLEAN NOT NULL DEFAULT true,

  CONSTRAINT "affiliates_pkey" PRIMARY KEY ("program_id","id"),
  CONSTRAINT "affiliates_email_key_is_lower_case" CHECK ("email_key" = lower("email_key")),
  CONSTRAINT "affiliates_counters_are_counts" CHECK ("visitors" >= 0 AND "leads" >= 0 AND "conversions" >= 0),
  CONSTRAINT "affiliates_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "affiliates_program_id_campaign_id_fkey" FOREIGN KEY ("program_id", "campaign_id") REFERENCES "campaigns"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT
);
CREATE INDEX "affiliates_program_id_campaign_id_id_idx" ON "affiliates"("program_id", "campaign_id", "id");
CREATE INDEX "affiliates_program_id_updated_at_id_idx" ON "affiliates"("program_id", "updated_at", "id");
CREATE INDEX "affiliates_search_email" ON "affiliates" USING GIN ("email_key" gin_trgm_ops);
CREATE INDEX "affiliates_search_first_name" ON "affiliates" USING GIN ("first_name" gin_trgm_ops);
CREATE INDEX "affiliates_search_last_name" ON "affiliates" USING GIN ("last_name" gin_trgm_ops);
CREATE INDEX "affiliates_program_id_billing_customer_id_idx" ON "affiliates"("program_id", "billing_customer_id");
CREATE UNIQUE INDEX "affiliates_program_id_email_key_key" ON "affiliates"("program_id", "email_key");

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

  CONSTRAINT "affiliate_links_pkey" PRIMARY KEY ("program_id","id"),
  CONSTRAINT "affiliate_links_token_key_is_lower_case" CHECK ("token_key" = lower("token_key")),
  CONSTRAINT "affiliate_links_counters_are_counts" CHECK ("visitors" >= 0 AND "leads" >= 0 AND "conversions" >= 0),
  CONSTRAINT "affiliate_links_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "affiliate_links_program_id_affiliate_id_fkey" FOREIGN KEY ("program_id", "affiliate_id") REFERENCES "affiliates"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT
);
CREATE INDEX "affiliate_links_program_id_affiliate_id_id_idx" ON "affiliate_links"("program_id", "affiliate_id", "id");
CREATE INDEX "affiliate_links_program_id_updated_at_id_idx" ON "affiliate_links"("program_id", "updated_at", "id");
CREATE UNIQUE INDEX "affiliate_links_program_id_token_key_key" ON "affiliate_links"("program_id", "token_key");

CREATE TABLE "affiliate_coupons" (
  "program_id" UUID NOT NULL,
  "id" UUID NOT NULL,
  "affiliate_id" UUID NOT NULL,
  "token" TEXT NOT NULL,
  "token_key" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "updated_at" TIMESTAMPTZ(3) NOT NULL,

  CONSTRAINT "affiliate_coupons_pkey" PRIMARY KEY ("program_id","id"),
  CONSTRAINT "affiliate_coupons_token_key_is_lower_case" CHECK ("token_key" = lower("token_key")),
  CONSTRAINT "affiliate_coupons_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "affiliate_coupons_program_id_affiliate_id_fkey" FOREIGN KEY ("program_id", "affiliate_id") REFERENCES "affiliates"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT
);
CREATE INDEX "affiliate_coupons_program_id_updated_at_id_idx" ON "affiliate_coupons"("program_id", "updated_at", "id");
CREATE UNIQUE INDEX "affiliate_coupons_program_id_affiliate_id_key" ON "affiliate_coupons"("program_id", "affiliate_id");
CREATE UNIQUE INDEX "affiliate_coupons_program_id_token_key_key" ON "affiliate_coupons"("program_id", "token_key");

----------------------------------------------------------------------------------------------------------------------
-- customers

CREATE TABLE "customers" (
  "program_id" UUID NOT NULL,
  "id" UUID NOT NULL,
  "email" TEXT NOT NULL,
  "email_key" TEXT NOT NULL,
  "name" TEXT,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "updated_at" TIMESTAMPTZ(3) NOT NULL,

  CONSTRAINT "customers_pkey" PRIMARY KEY ("program_id","id"),
  CONSTRAINT "customers_email_key_is_lower_case" CHECK ("email_key" = lower("email_key")),
  CONSTRAINT "customers_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT
);
CREATE INDEX "customers_search_email" ON "customers" USING GIN ("email_key" gin_trgm_ops);
CREATE INDEX "customers_search_name" ON "customers" USING GIN ("name" gin_trgm_ops);
CREATE UNIQUE INDEX "customers_program_id_email_key_key" ON "customers"("program_id", "email_key");

----------------------------------------------------------------------------------------------------------------------
-- referrals

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
  "is_counted" BOOLEAN NOT NULL DEFAULT true,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "updated_at" TIMESTAMPTZ(3) NOT NULL,

  CONSTRAINT "referrals_pkey" PRIMARY KEY ("program_id","id"),
  CONSTRAINT "referrals_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "referrals_program_id_affiliate_id_fkey" FOREIGN KEY ("program_id", "affiliate_id") REFERENCES "affiliates"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "referrals_program_id_campaign_id_fkey" FOREIGN KEY ("program_id", "campaign_id") REFERENCES "campaigns"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "referrals_program_id_link_id_fkey" FOREIGN KEY ("program_id", "link_id") REFERENCES "affiliate_links"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "referrals_program_id_coupon_id_fkey" FOREIGN KEY ("program_id", "coupon_id") REFERENCES "affiliate_coupons"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "referrals_program_id_customer_id_fkey" FOREIGN KEY ("program_id", "customer_id") REFERENCES "customers"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT
);
CREATE INDEX "referrals_program_id_affiliate_id_id_idx" ON "referrals"("program_id", "affiliate_id", "id");
CREATE INDEX "referrals_program_id_campaign_id_id_idx" ON "referrals"("program_id", "campaign_id", "id");
CREATE INDEX "referrals_program_id_customer_id_id_idx" ON "referrals"("program_id", "customer_id", "id");
CREATE INDEX "referrals_to_be_counted" ON "referrals"("program_id", "id") WHERE ("is_counted" = false);
CREATE INDEX "referrals_program_id_link_id_id_idx" ON "referrals"("program_id", "link_id", "id");
CREATE INDEX "referrals_program_id_coupon_id_id_idx" ON "referrals"("program_id", "coupon_id", "id");
CREATE INDEX "referrals_program_id_updated_at_id_idx" ON "referrals"("program_id", "updated_at", "id");
CREATE INDEX "referrals_program_id_billing_customer_id_idx" ON "referrals"("program_id", "billing_customer_id");
CREATE INDEX "referrals_program_id_created_at_idx" ON "referrals"("program_id", "created_at");
CREATE INDEX "referrals_program_id_became_lead_at_idx" ON "referrals"("program_id", "became_lead_at") WHERE ("became_lead_at" IS NOT NULL);
CREATE INDEX "referrals_program_id_became_conversion_at_idx" ON "referrals"("program_id", "became_conversion_at") WHERE ("became_conversion_at" IS NOT NULL);

----------------------------------------------------------------------------------------------------------------------
-- tracking

CREATE TABLE "visits" (
  "program_id" UUID NOT NULL,
  "id" UUID NOT NULL,
  "link_id" UUID NOT NULL,
  "referral_id" UUID NOT NULL,
  "visitor_hash" TEXT NOT NULL,
  "url" TEXT,
  "referrer" TEXT,
  "at" TIMESTAMPTZ(3) NOT NULL,

  CONSTRAINT "visits_pkey" PRIMARY KEY ("program_id","id"),
  CONSTRAINT "visits_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "visits_program_id_link_id_fkey" FOREIGN KEY ("program_id", "link_id") REFERENCES "affiliate_links"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "visits_program_id_referral_id_fkey" FOREIGN KEY ("program_id", "referral_id") REFERENCES "referrals"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT
);
CREATE INDEX "visits_program_id_link_id_id_idx" ON "visits"("program_id", "link_id", "id");
CREATE INDEX "visits_program_id_referral_id_idx" ON "visits"("program_id", "referral_id");

CREATE TABLE "tracking_salts" (
  "program_id" UUID NOT NULL,
  "day" TEXT NOT NULL,
  "salt" TEXT NOT NULL,

  CONSTRAINT "tracking_salts_pkey" PRIMARY KEY ("program_id","day"),
  CONSTRAINT "tracking_salts_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT
);

----------------------------------------------------------------------------------------------------------------------
-- sales

CREATE TYPE "attribution_signal" AS ENUM ('referral_id', 'coupon', 'email', 'manual');
CREATE TYPE "no_commission_reason" AS ENUM ('max_commissions_reached', 'commission_period_over', 'amount_rounds_to_zero', 'self_referral');

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
  "refunded_cents" BIGINT NOT NULL DEFAULT 0,
  "decision" JSONB,
  "occurred_at" TIMESTAMPTZ(3) NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "updated_at" TIMESTAMPTZ(3) NOT NULL,

  CONSTRAINT "sales_pkey" PRIMARY KEY ("program_id","id"),
  CONSTRAINT "sales_amount_cents_is_exact" CHECK ("amount_cents" BETWEEN -9007199254740991 AND 9007199254740991),
  CONSTRAINT "sales_currency_is_a_code" CHECK ("currency" ~ '^[a-z]{3}$'),
  CONSTRAINT "sales_refunded_cents_at_most_all" CHECK ("refunded_cents" <= "amount_cents"),
  CONSTRAINT "sales_refunded_cents_is_exact" CHECK ("refunded_cents" BETWEEN 0 AND 9007199254740991),
  CONSTRAINT "sales_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "sales_program_id_referral_id_fkey" FOREIGN KEY ("program_id", "referral_id") REFERENCES "referrals"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "sales_program_id_affiliate_id_fkey" FOREIGN KEY ("program_id", "affiliate_id") REFERENCES "affiliates"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "sales_program_id_campaign_id_fkey" FOREIGN KEY ("program_id", "campaign_id") REFERENCES "campaigns"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "sales_program_id_customer_id_fkey" FOREIGN KEY ("program_id", "customer_id") REFERENCES "customers"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT
);
CREATE INDEX "sales_program_id_affiliate_id_id_idx" ON "sales"("program_id", "affiliate_id", "id");
CREATE INDEX "sales_program_id_campaign_id_id_idx" ON "sales"("program_id", "campaign_id", "id");
CREATE INDEX "sales_program_id_referral_id_id_idx" ON "sales"("program_id", "referral_id", "id");
CREATE INDEX "sales_program_id_customer_id_id_idx" ON "sales"("program_id", "customer_id", "id");
CREATE INDEX "sales_program_id_occurred_at_id_idx" ON "sales"("program_id", "occurred_at", "id");
CREATE INDEX "sales_program_id_amount_cents_id_idx" ON "sales"("program_id", "amount_cents", "id");
CREATE INDEX "sales_program_id_updated_at_id_idx" ON "sales"("program_id", "updated_at", "id");
CREATE UNIQUE INDEX "sales_program_id_external_id_key" ON "sales"("program_id", "external_id");

CREATE TABLE "refunds" (
  "program_id" UUID NOT NULL,
  "id" UUID NOT NULL,
  "sale_id" UUID NOT NULL,
  "external_id" TEXT,
  "amount_cents" BIGINT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,

  CONSTRAINT "refunds_pkey" PRIMARY KEY ("program_id","id"),
  CONSTRAINT "refunds_amount_cents_is_exact" CHECK ("amount_cents" BETWEEN 1 AND 9007199254740991),
  CONSTRAINT "refunds_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "refunds_program_id_sale_id_fkey" FOREIGN KEY ("program_id", "sale_id") REFERENCES "sales"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT
);
CREATE INDEX "refunds_program_id_sale_id_idx" ON "refunds"("program_id", "sale_id");
CREATE INDEX "refunds_program_id_created_at_idx" ON "refunds"("program_id", "created_at");
CREATE UNIQUE INDEX "refunds_program_id_external_id_key" ON "refunds"("program_id", "external_id");

CREATE TABLE "unattributed_sales" (
  "program_id" UUID NOT NULL,
  "id" UUID NOT NULL,
  "external_id" TEXT,
  "referral_id" TEXT,
  "email" TEXT,
  "coupon" TEXT,
  "customer_name" TEXT,
  "amount_cents" BIGINT NOT NULL,
  "currency" TEXT NOT NULL,
  "decision" JSONB NOT NULL,
  "occurred_at" TIMESTAMPTZ(3) NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "updated_at" TIMESTAMPTZ(3) NOT NULL,

  CONSTRAINT "unattributed_sales_pkey" PRIMARY KEY ("program_id","id"),
  CONSTRAINT "unattributed_sales_amount_cents_is_exact" CHECK ("amount_cents" BETWEEN 0 AND 9007199254740991),
  CONSTRAINT "unattributed_sales_currency_is_a_code" CHECK ("currency" ~ '^[a-z]{3}$'),
  CONSTRAINT "unattributed_sales_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT
);
CREATE INDEX "unattributed_sales_program_id_created_at_idx" ON "unattributed_sales"("program_id", "created_at");
CREATE INDEX "unattributed_sales_program_id_updated_at_id_idx" ON "unattributed_sales"("program_id", "updated_at", "id");
CREATE UNIQUE INDEX "unattributed_sales_program_id_external_id_key" ON "unattributed_sales"("program_id", "external_id");

----------------------------------------------------------------------------------------------------------------------
-- payouts

CREATE TABLE "payouts" (
  "program_id" UUID NOT NULL,
  "id" UUID NOT NULL,
  "affiliate_id" UUID NOT NULL,
  "currency" TEXT NOT NULL,
  "amount_cents" BIGINT NOT NULL,
  "paid_at" TIMESTAMPTZ(3),
  "reference" TEXT,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "updated_at" TIMESTAMPTZ(3) NOT NULL,

  CONSTRAINT "payouts_pkey" PRIMARY KEY ("program_id","id"),
  CONSTRAINT "payouts_amount_cents_is_exact" CHECK ("amount_cents" BETWEEN 0 AND 9007199254740991),
  CONSTRAINT "payouts_currency_is_a_code" CHECK ("currency" ~ '^[a-z]{3}$'),
  CONSTRAINT "payouts_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "payouts_program_id_affiliate_id_fkey" FOREIGN KEY ("program_id", "affiliate_id") REFERENCES "affiliates"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT
);
CREATE INDEX "payouts_program_id_affiliate_id_id_idx" ON "payouts"("program_id", "affiliate_id", "id");
CREATE INDEX "payouts_program_id_amount_cents_id_idx" ON "payouts"("program_id", "amount_cents", "id");
CREATE INDEX "payouts_program_id_updated_at_id_idx" ON "payouts"("program_id", "updated_at", "id");
CREATE UNIQUE INDEX "payouts_one_open_per_affiliate_and_currency" ON "payouts"("program_id", "affiliate_id", "currency") WHERE ("paid_at" IS NULL);

----------------------------------------------------------------------------------------------------------------------
-- commissions

CREATE TYPE "held_reason" AS ENUM ('self_referral_email', 'self_referral_domain');

CREATE TABLE "commissions" (
  "program_id" UUID NOT NULL,
  "id" UUID NOT NULL,
  "sale_id" UUID NOT NULL,
  "referral_id" UUID NOT NULL,
  "affiliate_id" UUID NOT NULL,
  "campaign_id" UUID NOT NULL,
  "payout_id" UUID,
  "refund_id" UUID,
  "currency" TEXT NOT NULL,
  "amount_cents" BIGINT NOT NULL,
  "held_reason" "held_reason",
  "rule_reward_type" "reward_type" NOT NULL,
  "rule_basis_points" INTEGER,
  "rule_amount_cents" BIGINT,
  "rule_days_before_due" INTEGER NOT NULL,
  "rule_max_commissions" INTEGER,
  "rule_max_period_in_months" INTEGER,
  "occurred_at" TIMESTAMPTZ(3) NOT NULL,
  "due_at" TIMESTAMPTZ(3) NOT NULL,
  "paid_at" TIMESTAMPTZ(3),
  "voided_at" TIMESTAMPTZ(3),
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  "updated_at" TIMESTAMPTZ(3) NOT NULL,

  CONSTRAINT "commissions_pkey" PRIMARY KEY ("program_id","id"),
  CONSTRAINT "commissions_amount_cents_is_exact" CHECK ("amount_cents" BETWEEN -9007199254740991 AND 9007199254740991),
  CONSTRAINT "commissions_rule_amount_cents_is_exact" CHECK ("rule_amount_cents" BETWEEN -9007199254740991 AND 9007199254740991),
  CONSTRAINT "commissions_currency_is_a_code" CHECK ("currency" ~ '^[a-z]{3}$'),
  CONSTRAINT "commissions_rule_basis_points_in_range" CHECK ("rule_basis_points" BETWEEN 0 AND 10000),
  CONSTRAINT "commissions_rule_is_given" CHECK (CASE "rule_reward_type" WHEN 'percent' THEN "rule_basis_points" IS NOT NULL ELSE "rule_amount_cents" IS NOT NULL END),
  CONSTRAINT "commissions_paid_or_void" CHECK ("paid_at" IS NULL OR "voided_at" IS NULL),
  CONSTRAINT "commissions_negative_for_a_refund" CHECK (CASE WHEN "refund_id" IS NULL THEN "amount_cents" >= 0 ELSE "amount_cents" < 0 END),
  CONSTRAINT "commissions_held_is_not_paid" CHECK ("held_reason" IS NULL OR "paid_at" IS NULL),
  CONSTRAINT "commissions_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "commissions_program_id_sale_id_fkey" FOREIGN KEY ("program_id", "sale_id") REFERENCES "sales"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "commissions_program_id_referral_id_fkey" FOREIGN KEY ("program_id", "referral_id") REFERENCES "referrals"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "commissions_program_id_affiliate_id_fkey" FOREIGN KEY ("program_id", "affiliate_id") REFERENCES "affiliates"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "commissions_program_id_campaign_id_fkey" FOREIGN KEY ("program_id", "campaign_id") REFERENCES "campaigns"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "commissions_program_id_payout_id_fkey" FOREIGN KEY ("program_id", "payout_id") REFERENCES "payouts"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "commissions_program_id_refund_id_fkey" FOREIGN KEY ("program_id", "refund_id") REFERENCES "refunds"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT
);
CREATE INDEX "commissions_program_id_sale_id_idx" ON "commissions"("program_id", "sale_id");
CREATE INDEX "commissions_program_id_affiliate_id_id_idx" ON "commissions"("program_id", "affiliate_id", "id");
CREATE INDEX "commissions_program_id_campaign_id_id_idx" ON "commissions"("program_id", "campaign_id", "id");
CREATE INDEX "commissions_program_id_referral_id_id_idx" ON "commissions"("program_id", "referral_id", "id");
CREATE INDEX "commissions_program_id_payout_id_id_idx" ON "commissions"("program_id", "payout_id", "id");
CREATE INDEX "commissions_awaiting_payout" ON "commissions"("program_id", "due_at") WHERE ("payout_id" IS NULL AND "paid_at" IS NULL AND "voided_at" IS NULL AND "held_reason" IS NULL);
CREATE INDEX "commissions_program_id_occurred_at_id_idx" ON "commissions"("program_id", "occurred_at", "id");
CREATE INDEX "commissions_program_id_due_at_id_idx" ON "commissions"("program_id", "due_at", "id");
CREATE INDEX "commissions_program_id_paid_at_id_idx" ON "commissions"("program_id", "paid_at", "id");
CREATE INDEX "commissions_program_id_amount_cents_id_idx" ON "commissions"("program_id", "amount_cents", "id");
CREATE INDEX "commissions_program_id_updated_at_id_idx" ON "commissions"("program_id", "updated_at", "id");
CREATE INDEX "commissions_program_id_voided_at_idx" ON "commissions"("program_id", "voided_at") WHERE ("voided_at" IS NOT NULL);
CREATE UNIQUE INDEX "commissions_one_earned_per_sale" ON "commissions"("program_id", "sale_id") WHERE ("refund_id" IS NULL);
CREATE UNIQUE INDEX "commissions_program_id_refund_id_key" ON "commissions"("program_id", "refund_id");

----------------------------------------------------------------------------------------------------------------------
-- history: append-only records of what happened to commissions (money_events) and of other changes

CREATE TYPE "money_event_kind" AS ENUM ('earned', 'amended', 'voided', 'paid', 'refunded', 'held', 'approved', 'rescheduled', 'unpaid');
CREATE TYPE "actor_kind" AS ENUM ('operator', 'api_key', 'system', 'affiliate');
CREATE TYPE "change_subject" AS ENUM ('affiliate', 'campaign', 'payout');

CREATE TABLE "money_events" (
  "program_id" UUID NOT NULL,
  "id" UUID NOT NULL,
  "commission_id" UUID NOT NULL,
  "kind" "money_event_kind" NOT NULL,
  "delta_cents" BIGINT NOT NULL,
  "currency" TEXT NOT NULL,
  "due_at" TIMESTAMPTZ(3),
  "paid_at" TIMESTAMPTZ(3),
  "actor_kind" "actor_kind" NOT NULL,
  "actor_id" UUID,
  "request_id" TEXT NOT NULL,
  "reason" TEXT,
  "at" TIMESTAMPTZ(3) NOT NULL,

  CONSTRAINT "money_events_pkey" PRIMARY KEY ("program_id","id"),
  CONSTRAINT "money_events_delta_cents_range" CHECK ("delta_cents" BETWEEN -9007199254740991 AND 9007199254740991),
  CONSTRAINT "money_events_currency_form" CHECK ("currency" ~ '^[a-z]{3}$'),
  CONSTRAINT "money_events_due_at_of_rescheduled" CHECK (("kind"::text = 'rescheduled') = ("due_at" IS NOT NULL)),
  CONSTRAINT "money_events_paid_at_of_paid" CHECK ("paid_at" IS NULL OR "kind"::text = 'paid'),
  CONSTRAINT "money_events_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT,
  CONSTRAINT "money_events_program_id_commission_id_fkey" FOREIGN KEY ("program_id", "commission_id") REFERENCES "commissions"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT
);
CREATE INDEX "money_events_program_id_commission_id_idx" ON "money_events"("program_id", "commission_id");

CREATE FUNCTION "money_events_are_append_only"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'money_events are facts: they cannot be changed or removed';
END
$$;
CREATE TRIGGER "money_events_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "money_events"
  FOR EACH STATEMENT EXECUTE FUNCTION "money_events_are_append_only"();

CREATE TABLE "changes" (
  "program_id" UUID NOT NULL,
  "id" UUID NOT NULL,
  "subject" "change_subject" NOT NULL,
  "subject_id" UUID NOT NULL,
  "action" TEXT NOT NULL,
  "fields" JSONB NOT NULL,
  "actor_kind" "actor_kind" NOT NULL,
  "actor_id" UUID,
  "request_id" TEXT NOT NULL,
  "at" TIMESTAMPTZ(3) NOT NULL,

  CONSTRAINT "changes_pkey" PRIMARY KEY ("program_id","id"),
  CONSTRAINT "changes_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT
);
CREATE INDEX "changes_program_id_subject_subject_id_id_idx" ON "changes"("program_id", "subject", "subject_id", "id");

CREATE FUNCTION "changes_are_append_only"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'changes are history: they cannot be changed or removed';
END
$$;
CREATE TRIGGER "changes_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "changes"
  FOR EACH STATEMENT EXECUTE FUNCTION "changes_are_append_only"();

----------------------------------------------------------------------------------------------------------------------
-- events: notifications on the channel "tributary", sent at commit
--
-- A message holds the kind, the program's id, the affiliate's id and up to 100 ids of records: PostgreSQL limits a
-- message to 8000 bytes.

CREATE FUNCTION "notify_sales"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('tributary', concat_ws(' ', 'sale', program_id, affiliate_id, string_agg(id::text, ',')))
  FROM (
    SELECT program_id, affiliate_id, id, row_number() OVER (PARTITION BY program_id, affiliate_id ORDER BY id) / 100 AS part
    FROM inserted
  ) numbered
  GROUP BY program_id, affiliate_id, part;
  RETURN NULL;
END
$$;
CREATE TRIGGER "sales_notify" AFTER INSERT ON "sales" REFERENCING NEW TABLE AS inserted
  FOR EACH STATEMENT EXECUTE FUNCTION "notify_sales"();

-- Each change of a commission adds a money event.
CREATE FUNCTION "notify_commissions"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('tributary', concat_ws(' ', 'commission', program_id, affiliate_id, string_agg(id::text, ',')))
  FROM (
    SELECT program_id, affiliate_id, id, row_number() OVER (PARTITION BY program_id, affiliate_id ORDER BY id) / 100 AS part
    FROM commissions
    WHERE (program_id, id) IN (SELECT program_id, commission_id FROM inserted)
  ) numbered
  GROUP BY program_id, affiliate_id, part;
  RETURN NULL;
END
$$;
CREATE TRIGGER "money_events_notify" AFTER INSERT ON "money_events" REFERENCING NEW TABLE AS inserted
  FOR EACH STATEMENT EXECUTE FUNCTION "notify_commissions"();

CREATE FUNCTION "notify_payout"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('tributary', concat_ws(' ', 'payout', NEW.program_id, NEW.affiliate_id, NEW.id));
  RETURN NULL;
END
$$;
CREATE TRIGGER "payouts_notify" AFTER UPDATE ON "payouts" FOR EACH ROW
  WHEN (OLD.paid_at IS NULL AND NEW.paid_at IS NOT NULL) EXECUTE FUNCTION "notify_payout"();

----------------------------------------------------------------------------------------------------------------------
-- imports

CREATE TYPE "import_kind" AS ENUM ('campaign', 'affiliate', 'affiliate_link', 'affiliate_coupon', 'referral', 'payout', 'commission', 'sale', 'payout_line');

CREATE TABLE "imports" (
  "program_id" UUID NOT NULL,
  "source" TEXT NOT NULL,
  "progress" JSONB NOT NULL,
  "started_at" TIMESTAMPTZ(3) NOT NULL,
  "finished_at" TIMESTAMPTZ(3),

  CONSTRAINT "imports_pkey" PRIMARY KEY ("program_id","source"),
  CONSTRAINT "imports_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT
);
CREATE INDEX "imports_source_idx" ON "imports"("source");

CREATE TABLE "imported_records" (
  "program_id" UUID NOT NULL,
  "kind" "import_kind" NOT NULL,
  "external_id" TEXT NOT NULL,
  "id" UUID,
  "seen" JSONB NOT NULL,
  "is_left_out" BOOLEAN NOT NULL DEFAULT false,
  "note" TEXT,
  "seen_at" TIMESTAMPTZ(3) NOT NULL,

  CONSTRAINT "imported_records_pkey" PRIMARY KEY ("program_id","kind","external_id"),
  CONSTRAINT "imported_records_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT
);
CREATE INDEX "imported_records_program_id_id_idx" ON "imported_records"("program_id", "id");

----------------------------------------------------------------------------------------------------------------------
-- analytics: rollups that triggers keep up to date
--
-- The view analytics_facts is the definition of what is counted. Triggers record the difference that each statement
-- makes in analytics_deltas; the service folds those into the rollups. At any time, rollups plus deltas equal the facts.

CREATE TYPE "analytics_kind" AS ENUM ('visitor', 'lead', 'conversion', 'sale', 'refund', 'accrued', 'due', 'paid', 'voided');
CREATE TYPE "analytics_grain" AS ENUM ('quarter_hour', 'hour', 'day', 'month');

CREATE TABLE "analytics_deltas" (
  "program_id" UUID NOT NULL,
  "id" BIGSERIAL NOT NULL,
  "kind" "analytics_kind" NOT NULL,
  "start" TIMESTAMPTZ(3) NOT NULL,
  "campaign_id" UUID NOT NULL,
  "affiliate_id" UUID NOT NULL,
  "link_id" UUID NOT NULL,
  "coupon_id" UUID NOT NULL,
  "currency" TEXT NOT NULL,
  "count" BIGINT NOT NULL,
  "amount" DECIMAL(38,0) NOT NULL,

  CONSTRAINT "analytics_deltas_pkey" PRIMARY KEY ("program_id","id"),
  CONSTRAINT "analytics_deltas_currency_is_a_code" CHECK ("currency" = '' OR "currency" ~ '^[a-z]{3}$'),
  CONSTRAINT "analytics_deltas_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT
);

CREATE TABLE "analytics_by_campaign" (
  "program_id" UUID NOT NULL,
  "kind" "analytics_kind" NOT NULL,
  "grain" "analytics_grain" NOT NULL,
  "start" TIMESTAMPTZ(3) NOT NULL,
  "campaign_id" UUID NOT NULL,
  "currency" TEXT NOT NULL,
  "count" BIGINT NOT NULL,
  "amount" DECIMAL(38,0) NOT NULL,

  CONSTRAINT "analytics_by_campaign_pkey" PRIMARY KEY ("program_id","kind","grain","start","campaign_id","currency"),
  CONSTRAINT "analytics_by_campaign_currency_is_a_code" CHECK ("currency" = '' OR "currency" ~ '^[a-z]{3}$'),
  CONSTRAINT "analytics_by_campaign_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT
);

CREATE TABLE "analytics_by_source" (
  "program_id" UUID NOT NULL,
  "kind" "analytics_kind" NOT NULL,
  "grain" "analytics_grain" NOT NULL,
  "start" TIMESTAMPTZ(3) NOT NULL,
  "campaign_id" UUID NOT NULL,
  "affiliate_id" UUID NOT NULL,
  "link_id" UUID NOT NULL,
  "coupon_id" UUID NOT NULL,
  "currency" TEXT NOT NULL,
  "count" BIGINT NOT NULL,
  "amount" DECIMAL(38,0) NOT NULL,

  CONSTRAINT "analytics_by_source_pkey" PRIMARY KEY ("program_id","kind","grain","start","affiliate_id","campaign_id","link_id","coupon_id","currency"),
  CONSTRAINT "analytics_by_source_currency_is_a_code" CHECK ("currency" = '' OR "currency" ~ '^[a-z]{3}$'),
  CONSTRAINT "analytics_by_source_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT
);

-- Returns the start of the interval that contains a time, in UTC. The finest grain is a quarter of an hour, because
-- offsets of time zones are multiples of it.
CREATE FUNCTION "analytics_start"("grain" "analytics_grain", "at" timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE "grain"
    WHEN 'month' THEN date_trunc('month', "at" AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'
    WHEN 'day' THEN date_bin('1 day', "at", timestamptz '1970-01-01 00:00:00Z')
    WHEN 'hour' THEN date_bin('1 hour', "at", timestamptz '1970-01-01 00:00:00Z')
    ELSE date_bin('15 minutes', "at", timestamptz '1970-01-01 00:00:00Z')
  END
$$;

-- Defines which facts the rows of each table stand for. The view and the triggers are generated from the same text:
-- {rows} is replaced by the table's name in the view, and by the changed rows of a statement in a trigger.
DO $generate$
DECLARE
  nil text := '''00000000-0000-0000-0000-000000000000''::uuid';
  source text := format('coalesce(r.link_id, %1$s) AS link_id, coalesce(r.coupon_id, %1$s) AS coupon_id', nil);
  -- The link or coupon of a sale is that of its referral. PostgreSQL removes the join from queries that do not need it.
  referral text := 'LEFT JOIN referrals r ON r.program_id = s.program_id AND r.id = s.referral_id';
  of_referral text := 'SELECT r.program_id, %L::analytics_kind AS kind, r.%I AS at, r.campaign_id, r.affiliate_id, '
    || source || ', ''''::text AS currency, 1 AS count, 0::bigint AS amount FROM {rows} r WHERE r.%2$I IS NOT NULL';
  of_commission text := 'SELECT s.program_id, %L::analytics_kind AS kind, s.%I AS at, s.campaign_id, s.affiliate_id, '
    || source || ', s.currency, 1 AS count, s.amount_cents AS amount FROM {rows} s ' || referral || ' WHERE %s';
  facts jsonb := jsonb_build_object(
    'referrals', concat_ws(' UNION ALL ',
      format(of_referral, 'visitor', 'created_at'),
      format(of_referral, 'lead', 'became_lead_at'),
      format(of_referral, 'conversion', 'became_conversion_at')),
    'sales', 'SELECT s.program_id, ''sale''::analytics_kind AS kind, s.occurred_at AS at, s.campaign_id, s.affiliate_id, '
      || source || ', s.currency, 1 AS count, s.amount_cents AS amount FROM {rows} s ' || referral,
    'refunds', 'SELECT s.program_id, ''refund''::analytics_kind AS kind, f.created_at AS at, s.campaign_id, s.affiliate_id, '
      || source || ', s.currency, 1 AS count, f.amount_cents AS amount FROM {rows} f'
      || ' JOIN sales s ON s.program_id = f.program_id AND s.id = f.sale_id ' || referral,
    'commissions', concat_ws(' UNION ALL ',
      format(of_commission, 'accrued', 'occurred_at', 's.voided_at IS NULL'),
      format(of_commission, 'due', 'due_at', 's.paid_at IS NULL AND s.voided_at IS NULL AND s.held_reason IS NULL'),
      format(of_commission, 'paid', 'paid_at', 's.paid_at IS NOT NULL'),
      format(of_commission, 'voided', 'voided_at', 's.voided_at IS NOT NULL')));
  -- PL/pgSQL caches plans for a session. A plan made for a bulk of rows must not read a whole table for each later row,
  -- so only index lookups are allowed.
  record_changes text := 'CREATE FUNCTION %I() RETURNS trigger LANGUAGE plpgsql
    SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off SET jit = off AS $record$
BEGIN
  INSERT INTO analytics_deltas (program_id, kind, start, campaign_id, affiliate_id, link_id, coupon_id, currency, count, amount)
  SELECT program_id, kind, analytics_start(''quarter_hour'', at) AS start, campaign_id, affiliate_id, link_id, coupon_id,
    currency, sum(count * sign), sum(amount * sign)
  FROM (%s) changes GROUP BY program_id, kind, start, campaign_id, affiliate_id, link_id, coupon_id, currency
  HAVING sum(count * sign) <> 0 OR sum(amount * sign) <> 0;
  RETURN NULL;
END $record$';
  create_trigger text := 'CREATE TRIGGER %I AFTER %s ON %I REFERENCING %s FOR EACH STATEMENT EXECUTE FUNCTION %I()';
  name text;
  fact text;
  removed_facts text;
  added_facts text;
BEGIN
  EXECUTE 'CREATE VIEW analytics_facts AS ' || (
    SELECT string_agg(replace(value, '{rows}', quote_ident(key)), ' UNION ALL ' ORDER BY key) FROM jsonb_each_text(facts));
  FOR name, fact IN SELECT key, value FROM jsonb_each_text(facts) LOOP
    removed_facts := 'SELECT *, -1 AS sign FROM (' || replace(fact, '{rows}', 'old_rows') || ') old_facts';
    added_facts := 'SELECT *, 1 AS sign FROM (' || replace(fact, '{rows}', 'new_rows') || ') new_facts';
    EXECUTE format(record_changes, 'analytics_record_inserted_' || name, added_facts);
    EXECUTE format(record_changes, 'analytics_record_updated_' || name, removed_facts || ' UNION ALL ' || added_facts);
    EXECUTE format(record_changes, 'analytics_record_deleted_' || name, removed_facts);
    EXECUTE format(create_trigger, 'analytics_inserted', 'INSERT', name, 'NEW TABLE AS new_rows', 'analytics_record_inserted_' || name);
    EXECUTE format(create_trigger, 'analytics_updated', 'UPDATE', name, 'OLD TABLE AS old_rows NEW TABLE AS new_rows', 'analytics_record_updated_' || name);
    EXECUTE format(create_trigger, 'analytics_deleted', 'DELETE', name, 'OLD TABLE AS old_rows', 'analytics_record_deleted_' || name);
  END LOOP;
END
$generate$;

-- Rebuilds the rollups from the facts. No other transaction may write at the same time.
CREATE FUNCTION "analytics_rebuild"() RETURNS void LANGUAGE sql SET work_mem = '64MB' AS $$
  DELETE FROM analytics_deltas;
  DELETE FROM analytics_by_campaign;
  DELETE FROM analytics_by_source;
  WITH facts AS (
    SELECT program_id, kind, analytics_start('quarter_hour', at) AS start, campaign_id, affiliate_id, link_id, coupon_id,
      currency, sum(count) AS count, sum(amount) AS amount
    FROM analytics_facts GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
  ), by_campaign AS (
    INSERT INTO analytics_by_campaign (program_id, kind, grain, start, campaign_id, currency, count, amount)
    SELECT program_id, kind, grain, analytics_start(grain, start), campaign_id, currency, sum(count), sum(amount)
    FROM facts CROSS JOIN unnest(enum_range(NULL::analytics_grain)) AS grain GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6
  )
  INSERT INTO analytics_by_source
    (program_id, kind, grain, start, campaign_id, affiliate_id, link_id, coupon_id, currency, count, amount)
  SELECT program_id, kind, grain, analytics_start(grain, start), campaign_id, affiliate_id, link_id, coupon_id, currency,
    sum(count), sum(amount)
  FROM facts CROSS JOIN unnest(ARRAY['day', 'month']::analytics_grain[]) AS grain GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9
  ORDER BY 1, 2, 3, 4, 6, 5, 7, 8, 9;
$$;
