-- The tables. prisma/schema.prisma describes what each table and column means.
--
-- This file is Prisma's text, and what Prisma cannot express: types, partitions, CHECK constraints, statistics, sequences. Functions,
-- triggers and views are in prisma/sql, which is applied after the last migration.
--
-- Conventions:
--   * The primary key, each unique index and each foreign key of a program's table start with program_id, so that a row
--     cannot reference another program.
--   * Amounts are integers of minor units. Their range, 2^53 - 1, is what a JSON number represents exactly.
--   * A currency is an ISO 4217 code in lower case.
--   * An email_key or token_key is the lower-case form that is compared and unique.
--   * Rows that the database writes in the transaction of another row have no foreign key to the program: analytics_deltas,
--     event_states, events, list_deltas and webhook_queue. A sale writes many of them, and each check of a key costs a look-up.
--     deleteProgram empties these tables last.

-- Trigram indexes, for the search in names and e-mail addresses.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- CreateEnum
CREATE TYPE "api_key_access" AS ENUM ('read', 'full');

-- CreateEnum
CREATE TYPE "api_key_profile" AS ENUM ('contract', 'superset');

-- CreateEnum
CREATE TYPE "api_key_words" AS ENUM ('contract', 'convention');

-- CreateEnum
CREATE TYPE "reward_type" AS ENUM ('percent', 'amount');

-- CreateEnum
CREATE TYPE "self_referral_policy" AS ENUM ('allow', 'hold', 'reject');

-- CreateEnum
CREATE TYPE "affiliate_state" AS ENUM ('active', 'disabled', 'suspicious');

-- CreateEnum
CREATE TYPE "affiliate_field_type" AS ENUM ('text', 'number', 'date', 'choice');

-- CreateEnum
CREATE TYPE "attribution_signal" AS ENUM ('referral_id', 'coupon', 'email', 'manual');

-- CreateEnum
CREATE TYPE "no_commission_reason" AS ENUM ('max_commissions_reached', 'commission_period_over', 'amount_rounds_to_zero', 'self_referral', 'rule_earns_nothing', 'cap_reached');

-- CreateEnum
CREATE TYPE "billing_interval" AS ENUM ('one_off', 'month', 'year');

-- CreateEnum
CREATE TYPE "held_reason" AS ENUM ('self_referral_email', 'self_referral_domain', 'self_referral_lookalike', 'visit_after_sale', 'dispute', 'terms_not_accepted');

-- CreateEnum
CREATE TYPE "commission_kind" AS ENUM ('sale', 'bonus', 'correction', 'lead');

-- CreateEnum
CREATE TYPE "money_event_kind" AS ENUM ('earned', 'amended', 'voided', 'paid', 'refunded', 'held', 'approved', 'rescheduled', 'unpaid', 'unvoided', 'refund_reversed');

-- CreateEnum
CREATE TYPE "actor_kind" AS ENUM ('operator', 'api_key', 'system', 'affiliate', 'person');

-- CreateEnum
CREATE TYPE "leaderboard" AS ENUM ('nothing', 'ranks', 'amounts');

-- CreateEnum
CREATE TYPE "payout_method" AS ENUM ('paypal', 'wise', 'sepa', 'generic', 'manual');

-- CreateEnum
CREATE TYPE "decimal_mark" AS ENUM ('point', 'comma');

-- CreateEnum
CREATE TYPE "recipient_type" AS ENUM ('person', 'business');

-- CreateEnum
CREATE TYPE "payout_run_state" AS ENUM ('prepared', 'approved', 'sent', 'paid', 'cancelled');

-- CreateEnum
CREATE TYPE "payout_item_state" AS ENUM ('prepared', 'sent', 'paid', 'failed', 'returned', 'unclaimed', 'cancelled');

-- CreateEnum
CREATE TYPE "change_subject" AS ENUM ('affiliate', 'campaign', 'payout', 'customer', 'program', 'api_key', 'member', 'invitation', 'webhook_endpoint', 'import', 'unattributed_sale', 'payout_run', 'commission_rule', 'affiliate_group', 'feed', 'application', 'mail');

-- CreateEnum
CREATE TYPE "import_kind" AS ENUM ('campaign', 'affiliate', 'affiliate_link', 'affiliate_coupon', 'referral', 'payout', 'commission', 'sale', 'payout_line');

-- CreateEnum
CREATE TYPE "shadow_accepted_as" AS ENUM ('ours', 'theirs', 'setting');

-- CreateEnum
CREATE TYPE "analytics_kind" AS ENUM ('visitor', 'lead', 'conversion', 'sale', 'refund', 'accrued', 'due', 'paid', 'voided');

-- CreateEnum
CREATE TYPE "analytics_grain" AS ENUM ('quarter_hour', 'hour', 'day', 'month', 'year');

-- CreateEnum
CREATE TYPE "listed_table" AS ENUM ('affiliates', 'affiliate_coupons', 'affiliate_links', 'campaigns', 'commissions', 'customers', 'events', 'payouts', 'referrals', 'refunds', 'sales', 'unattributed_sales');

-- CreateEnum
CREATE TYPE "webhook_format" AS ENUM ('standard', 'convention');

-- CreateEnum
CREATE TYPE "webhook_disabled_reason" AS ENUM ('manual', 'failing', 'gone');

-- CreateEnum
CREATE TYPE "webhook_delivery_state" AS ENUM ('pending', 'succeeded', 'failed');

-- CreateEnum
CREATE TYPE "mail_kind" AS ENUM ('application_confirm', 'application_received', 'application_approved', 'application_rejected', 'work_waiting', 'commissions_earned', 'payout_sent', 'payout_failed', 'monthly_statement', 'deliveries_failing', 'terms_changed', 'sign_in', 'payout_address_change', 'test', 'invitation');

-- CreateEnum
CREATE TYPE "mail_state" AS ENUM ('pending', 'sent', 'failed', 'stopped');

-- CreateEnum
CREATE TYPE "commission_mails" AS ENUM ('at_once', 'daily', 'weekly', 'never');

-- CreateEnum
CREATE TYPE "asset_kind" AS ENUM ('image', 'text', 'video');

-- CreateEnum
CREATE TYPE "application_state" AS ENUM ('applied', 'approved', 'rejected', 'expired');

-- CreateEnum
CREATE TYPE "feed_kind" AS ENUM ('stripe', 'paddle', 'lemon_squeezy', 'chargebee', 'polar', 'generic');

-- CreateEnum
CREATE TYPE "feed_mode" AS ENUM ('live', 'test');

-- CreateEnum
CREATE TYPE "feed_event_outcome" AS ENUM ('sale', 'refund', 'lead', 'waiting', 'ignored', 'failed');

-- CreateEnum
CREATE TYPE "member_role" AS ENUM ('owner', 'manager', 'analyst');

-- CreateEnum
CREATE TYPE "saved_view_list" AS ENUM ('affiliates', 'commissions', 'sales', 'payouts');

-- The state of a referral, a sale or a commission, as an event has frozen it. Typed columns cost half of what JSON costs.
CREATE TYPE "frozen_referral" AS (id uuid, became_lead_at timestamptz, became_conversion_at timestamptz, expires_at timestamptz,
  billing_customer_id text, affiliate_id uuid, campaign_id uuid, created_at timestamptz, updated_at timestamptz);
CREATE TYPE "frozen_affiliate" AS (id uuid, campaign_id uuid, email text, first_name text, last_name text, wallet_a_email text,
  wallet_b_email text, state affiliate_state, billing_customer_id text, confirmed_at timestamptz, visitors integer, leads integer,
  conversions integer, sign_in_count integer, receive_new_commission_notifications boolean, created_at timestamptz, updated_at timestamptz);
CREATE TYPE "frozen_campaign" AS (id uuid, name text, url text, created_at timestamptz, updated_at timestamptz);
CREATE TYPE "frozen_link" AS (id uuid, affiliate_id uuid, token text, visitors integer, leads integer, conversions integer);
CREATE TYPE "frozen_coupon" AS (id uuid, affiliate_id uuid, token text, archived_at timestamptz);
CREATE TYPE "frozen_customer" AS (id uuid, email text, name text);
CREATE TYPE "frozen_sale" AS (id uuid, currency text, amount_cents bigint, refunded_cents bigint, external_id text, campaign_id uuid,
  occurred_at timestamptz, created_at timestamptz, updated_at timestamptz);
CREATE TYPE "frozen_commission" AS (id uuid, currency text, amount_cents bigint, due_at timestamptz, paid_at timestamptz,
  voided_at timestamptz, held_reason held_reason, campaign_id uuid, affiliate_id uuid, created_at timestamptz, updated_at timestamptz, kind commission_kind,
  reason text);
-- The names are those of the parts of a state in JSON.
CREATE TYPE "frozen_rows" AS (referral frozen_referral, affiliate frozen_affiliate, affiliate_campaign frozen_campaign,
  link frozen_link, coupon frozen_coupon, coupon_leads integer, coupon_conversions integer, coupon_imported_id text,
  customer frozen_customer, visits integer, sale frozen_sale, commission frozen_commission, campaign frozen_campaign);

-- CreateTable
CREATE TABLE "programs" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "locale" TEXT NOT NULL DEFAULT 'en-US',
    "time_zone" TEXT NOT NULL DEFAULT 'UTC',
    "slug" TEXT NOT NULL,
    "publishable_key" TEXT NOT NULL,
    "previous_publishable_key" TEXT,
    "previous_publishable_key_ends_at" TIMESTAMPTZ(3),
    "sandbox" BOOLEAN NOT NULL DEFAULT false,
    "clock_advanced_by_days" INTEGER NOT NULL DEFAULT 0,
    "default_payout_method" "payout_method" NOT NULL DEFAULT 'paypal',
    "payout_approval_above_cents" BIGINT,
    "payout_hold_hours" INTEGER NOT NULL DEFAULT 24,
    "debtor_name" TEXT,
    "debtor_iban" TEXT,
    "debtor_bic" TEXT,
    "payout_file_has_mark" BOOLEAN NOT NULL DEFAULT false,
    "payout_file_decimal_mark" "decimal_mark" NOT NULL DEFAULT 'point',
    "leaderboard_shows" "leaderboard" NOT NULL DEFAULT 'nothing',
    "link_parameters" TEXT NOT NULL DEFAULT 'fpr,via_id',
    "shadow" BOOLEAN NOT NULL DEFAULT false,
    "shadow_ended_at" TIMESTAMPTZ(3),
    "closed_at" TIMESTAMPTZ(3),
    "base" JSONB,
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
    "access" "api_key_access" NOT NULL DEFAULT 'full',
    "profile" "api_key_profile" NOT NULL DEFAULT 'contract',
    "words" "api_key_words" NOT NULL DEFAULT 'contract',
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateTable
CREATE TABLE "affiliate_token_secrets" (
    "program_id" UUID NOT NULL,
    "secret" TEXT NOT NULL,
    "previous_secret" TEXT,
    "previous_ends_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "affiliate_token_secrets_pkey" PRIMARY KEY ("program_id")
);

-- CreateTable
CREATE TABLE "sso_redemptions" (
    "program_id" UUID NOT NULL,
    "ticket_id" UUID NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "affiliate_id" UUID,
    "address" TEXT,
    "user_agent" TEXT,
    "started_at" TIMESTAMPTZ(3),
    "session_ends_at" TIMESTAMPTZ(3),

    CONSTRAINT "sso_redemptions_pkey" PRIMARY KEY ("program_id","ticket_id")
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
    "minimum_payouts" JSONB NOT NULL DEFAULT '{}',
    "days_before_referrals_expire" INTEGER NOT NULL,
    "days_before_commissions_are_due" INTEGER NOT NULL,
    "max_commissions" INTEGER,
    "max_commission_period_in_months" INTEGER,
    "self_referrals" "self_referral_policy" NOT NULL DEFAULT 'allow',
    "rules_version" INTEGER NOT NULL DEFAULT 0,
    "archived_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "campaigns_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateTable
CREATE TABLE "commission_rule_versions" (
    "program_id" UUID NOT NULL,
    "campaign_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "holds_from" TIMESTAMPTZ(3) NOT NULL,
    "rules" JSONB NOT NULL,
    "made_by_kind" "actor_kind" NOT NULL,
    "made_by_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "commission_rule_versions_pkey" PRIMARY KEY ("program_id","campaign_id","number")
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
    "preferred_payout_method" "payout_method",
    "recipient_type" "recipient_type",
    "iban" TEXT,
    "bic" TEXT,
    "company" TEXT,
    "postal_address" TEXT,
    "language" TEXT,
    "display_name" TEXT,
    "shows_in_leaderboard" BOOLEAN NOT NULL DEFAULT true,
    "payouts_held_until" TIMESTAMPTZ(3),
    "state" "affiliate_state" NOT NULL,
    "billing_customer_id" TEXT,
    "confirmed_at" TIMESTAMPTZ(3),
    "visitors" INTEGER NOT NULL DEFAULT 0,
    "leads" INTEGER NOT NULL DEFAULT 0,
    "conversions" INTEGER NOT NULL DEFAULT 0,
    "revenue_cents" BIGINT NOT NULL DEFAULT 0,
    "commissions_cents" BIGINT NOT NULL DEFAULT 0,
    "due_cents" BIGINT NOT NULL DEFAULT 0,
    "paid_cents" BIGINT NOT NULL DEFAULT 0,
    "sign_in_count" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "receive_new_commission_notifications" BOOLEAN NOT NULL DEFAULT true,
    "own_fields" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "affiliates_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateTable
CREATE TABLE "affiliate_groups" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "name_key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "affiliate_groups_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateTable
CREATE TABLE "affiliate_group_memberships" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "affiliate_id" UUID NOT NULL,
    "group_id" UUID NOT NULL,
    "from_at" TIMESTAMPTZ(3) NOT NULL,
    "until_at" TIMESTAMPTZ(3),

    CONSTRAINT "affiliate_group_memberships_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateTable
CREATE TABLE "affiliate_fields" (
    "program_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "type" "affiliate_field_type" NOT NULL,
    "choices" JSONB NOT NULL DEFAULT '[]',
    "position" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "affiliate_fields_pkey" PRIMARY KEY ("program_id","name")
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
    "archived_at" TIMESTAMPTZ(3),
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
    "visitors" INTEGER NOT NULL DEFAULT 0,
    "leads" INTEGER NOT NULL DEFAULT 0,
    "conversions" INTEGER NOT NULL DEFAULT 0,
    "archived_at" TIMESTAMPTZ(3),
    "first_of" UUID,
    "discount_basis_points" INTEGER,
    "discount_amount_cents" BIGINT,
    "discount_currency" TEXT,
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
    "sub" TEXT,
    "is_counted" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "referrals_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateTable
CREATE TABLE "visits" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "link_id" UUID NOT NULL,
    "referral_id" UUID NOT NULL,
    "visitor_hash" TEXT NOT NULL,
    "url" TEXT,
    "referrer" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "visits_pkey" PRIMARY KEY ("program_id","id")
) PARTITION BY RANGE ("id");

-- CreateTable
CREATE TABLE "tracking_salts" (
    "program_id" UUID NOT NULL,
    "day" TEXT NOT NULL,
    "salt" TEXT NOT NULL,

    CONSTRAINT "tracking_salts_pkey" PRIMARY KEY ("program_id","day")
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
    "billing_interval" "billing_interval",
    "payment_number" INTEGER,
    "items" JSONB,
    "attributed_by" "attribution_signal" NOT NULL,
    "no_commission_reason" "no_commission_reason",
    "refunded_cents" BIGINT NOT NULL DEFAULT 0,
    "decision" JSONB,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sales_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateTable
CREATE TABLE "refunds" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "sale_id" UUID NOT NULL,
    "external_id" TEXT,
    "amount_cents" BIGINT NOT NULL,
    "items" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "reversed_at" TIMESTAMPTZ(3),
    "reversal_reason" TEXT,

    CONSTRAINT "refunds_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateTable
CREATE TABLE "waiting_refunds" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "sale_external_id" TEXT NOT NULL,
    "external_id" TEXT,
    "amount_cents" BIGINT,
    "refunded_total_cents" BIGINT,
    "items" JSONB,
    "problem" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "waiting_refunds_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateTable
CREATE TABLE "unattributed_sales" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "external_id" TEXT,
    "referral_id" TEXT,
    "email" TEXT,
    "coupon" TEXT,
    "customer_name" TEXT,
    "billing_customer_id" TEXT,
    "amount_cents" BIGINT NOT NULL,
    "currency" TEXT NOT NULL,
    "billing_interval" "billing_interval",
    "payment_number" INTEGER,
    "items" JSONB,
    "decision" JSONB NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "dismissed_at" TIMESTAMPTZ(3),
    "dismissed_by_kind" "actor_kind",
    "dismissed_by_id" UUID,

    CONSTRAINT "unattributed_sales_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateTable
CREATE TABLE "commissions" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "kind" "commission_kind" NOT NULL DEFAULT 'sale',
    "reason" TEXT,
    "external_id" TEXT,
    "sale_id" UUID,
    "referral_id" UUID,
    "affiliate_id" UUID NOT NULL,
    "campaign_id" UUID NOT NULL,
    "payout_id" UUID,
    "refund_id" UUID,
    "currency" TEXT NOT NULL,
    "amount_cents" BIGINT NOT NULL,
    "held_reason" "held_reason",
    "rule_id" UUID,
    "rule_reward_type" "reward_type" NOT NULL,
    "rule_basis_points" INTEGER,
    "rule_amount_cents" BIGINT,
    "rule_days_before_due" INTEGER NOT NULL,
    "rule_max_commissions" INTEGER,
    "rule_max_period_in_months" INTEGER,
    "rule_lines" JSONB,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "paid_at" TIMESTAMPTZ(3),
    "voided_at" TIMESTAMPTZ(3),
    "due_noted_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "commissions_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateTable
CREATE TABLE "money_events" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "commission_id" UUID NOT NULL,
    "kind" "money_event_kind" NOT NULL,
    "delta_cents" BIGINT NOT NULL,
    "currency" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3),
    "paid_at" TIMESTAMPTZ(3),
    "refund_id" UUID,
    "actor_kind" "actor_kind" NOT NULL,
    "actor_id" UUID,
    "request_id" TEXT NOT NULL,
    "reason" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "money_events_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateTable
CREATE TABLE "payouts" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "affiliate_id" UUID NOT NULL,
    "currency" TEXT NOT NULL,
    "amount_cents" BIGINT NOT NULL,
    "paid_at" TIMESTAMPTZ(3),
    "sent_at" TIMESTAMPTZ(3),
    "failed_at" TIMESTAMPTZ(3),
    "reference" TEXT,
    "paid_by_id" UUID,
    "due_noted_at" TIMESTAMPTZ(3),
    "is_payable" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payouts_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateTable
CREATE TABLE "payout_runs" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "method" "payout_method" NOT NULL,
    "currency" TEXT NOT NULL,
    "state" "payout_run_state" NOT NULL,
    "as_of" TIMESTAMPTZ(3) NOT NULL,
    "payout_count" INTEGER NOT NULL,
    "amount_cents" BIGINT NOT NULL,
    "needs_approval" BOOLEAN NOT NULL,
    "file_name" TEXT,
    "file_has_mark" BOOLEAN NOT NULL,
    "reference" TEXT,
    "reason" TEXT,
    "prepared_by_kind" "actor_kind" NOT NULL,
    "prepared_by_id" UUID,
    "approved_by_kind" "actor_kind",
    "approved_by_id" UUID,
    "approved_at" TIMESTAMPTZ(3),
    "sent_at" TIMESTAMPTZ(3),
    "paid_at" TIMESTAMPTZ(3),
    "cancelled_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payout_runs_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateTable
CREATE TABLE "payout_run_items" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "payout_id" UUID NOT NULL,
    "affiliate_id" UUID NOT NULL,
    "currency" TEXT NOT NULL,
    "amount_cents" BIGINT NOT NULL,
    "state" "payout_item_state" NOT NULL,
    "recipient" TEXT,
    "is_new_recipient" BOOLEAN NOT NULL,
    "is_by_default" BOOLEAN NOT NULL,
    "reference" TEXT,
    "reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payout_run_items_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateTable
CREATE TABLE "payout_run_skips" (
    "program_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "payout_id" UUID NOT NULL,
    "reason" TEXT NOT NULL,

    CONSTRAINT "payout_run_skips_pkey" PRIMARY KEY ("program_id","run_id","payout_id")
);

-- CreateTable
CREATE TABLE "payout_run_file_parts" (
    "program_id" UUID NOT NULL,
    "run_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "content" TEXT NOT NULL,

    CONSTRAINT "payout_run_file_parts_pkey" PRIMARY KEY ("program_id","run_id","number")
);

-- CreateTable
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

    CONSTRAINT "changes_pkey" PRIMARY KEY ("program_id","id")
) PARTITION BY RANGE ("id");

-- CreateTable
CREATE TABLE "installation_changes" (
    "id" UUID NOT NULL,
    "action" TEXT NOT NULL,
    "subject_id" UUID,
    "subject_name" TEXT,
    "actor_kind" "actor_kind" NOT NULL,
    "actor_id" UUID,
    "request_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "installation_changes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "imports" (
    "program_id" UUID NOT NULL,
    "source" TEXT NOT NULL,
    "key_hash" TEXT,
    "progress" JSONB NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "imports_pkey" PRIMARY KEY ("program_id","source")
);

-- CreateTable
CREATE TABLE "imported_records" (
    "program_id" UUID NOT NULL,
    "kind" "import_kind" NOT NULL,
    "external_id" TEXT NOT NULL,
    "id" UUID,
    "seen" JSONB NOT NULL,
    "is_left_out" BOOLEAN NOT NULL DEFAULT false,
    "note" TEXT,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "imported_records_pkey" PRIMARY KEY ("program_id","kind","external_id")
);

-- CreateTable
CREATE TABLE "shadow_acceptances" (
    "program_id" UUID NOT NULL,
    "difference" TEXT NOT NULL,
    "accepted_as" "shadow_accepted_as" NOT NULL,
    "note" TEXT,
    "seen" TEXT NOT NULL,
    "accepted_at" TIMESTAMPTZ(3) NOT NULL,
    "accepted_by_kind" "actor_kind" NOT NULL,
    "accepted_by_id" UUID,

    CONSTRAINT "shadow_acceptances_pkey" PRIMARY KEY ("program_id","difference")
);

-- CreateTable
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
    "customer_id" UUID,

    CONSTRAINT "analytics_deltas_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateTable
CREATE TABLE "affiliate_measures" (
    "program_id" UUID NOT NULL,
    "affiliate_id" UUID NOT NULL,
    "campaign_id" UUID NOT NULL,
    "start" TIMESTAMPTZ(3) NOT NULL,
    "currency" TEXT NOT NULL,
    "conversions" BIGINT NOT NULL,
    "revenue_cents" DECIMAL(38,0) NOT NULL,
    "commissions_cents" DECIMAL(38,0) NOT NULL,

    CONSTRAINT "affiliate_measures_pkey" PRIMARY KEY ("program_id","affiliate_id","campaign_id","start","currency")
);

-- CreateTable
CREATE TABLE "affiliate_measure_deltas" (
    "program_id" UUID NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "affiliate_id" UUID NOT NULL,
    "campaign_id" UUID NOT NULL,
    "start" TIMESTAMPTZ(3) NOT NULL,
    "currency" TEXT NOT NULL,
    "conversions" BIGINT NOT NULL,
    "revenue_cents" DECIMAL(38,0) NOT NULL,
    "commissions_cents" DECIMAL(38,0) NOT NULL,

    CONSTRAINT "affiliate_measure_deltas_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateTable
CREATE TABLE "analytics_by_campaign" (
    "program_id" UUID NOT NULL,
    "kind" "analytics_kind" NOT NULL,
    "grain" "analytics_grain" NOT NULL,
    "start" TIMESTAMPTZ(3) NOT NULL,
    "campaign_id" UUID NOT NULL,
    "currency" TEXT NOT NULL,
    "count" BIGINT NOT NULL,
    "amount" DECIMAL(38,0) NOT NULL,

    CONSTRAINT "analytics_by_campaign_pkey" PRIMARY KEY ("program_id","kind","grain","start","campaign_id","currency")
);

-- CreateTable
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

    CONSTRAINT "analytics_by_source_pkey" PRIMARY KEY ("program_id","kind","grain","start","affiliate_id","campaign_id","link_id","coupon_id","currency")
);

-- CreateTable
CREATE TABLE "analytics_cohorts" (
    "program_id" UUID NOT NULL,
    "calendar" TEXT NOT NULL,
    "campaign_id" UUID NOT NULL,
    "cohort_grain" "analytics_grain" NOT NULL,
    "grain" "analytics_grain" NOT NULL,
    "start" TIMESTAMPTZ(3) NOT NULL,
    "cohort" TIMESTAMPTZ(3) NOT NULL,
    "currency" TEXT NOT NULL,
    "customers" BIGINT NOT NULL,
    "amount" DECIMAL(38,0) NOT NULL,

    CONSTRAINT "analytics_cohorts_pkey" PRIMARY KEY ("program_id","calendar","campaign_id","cohort_grain","grain","start","cohort","currency")
);

-- CreateTable
CREATE TABLE "analytics_calendars" (
    "program_id" UUID NOT NULL,
    "id" TEXT NOT NULL,
    "starts" TIMESTAMPTZ(3)[],
    "offsets" INTEGER[],
    "built_until" UUID NOT NULL,
    "used_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "analytics_calendars_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateTable
CREATE TABLE "list_counts" (
    "program_id" UUID NOT NULL,
    "list" "listed_table" NOT NULL,
    "first_id" UUID NOT NULL,
    "state" TEXT NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "list_counts_pkey" PRIMARY KEY ("program_id","list","first_id","state")
);

-- CreateTable
CREATE TABLE "list_deltas" (
    "program_id" UUID NOT NULL,
    "list" "listed_table" NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "row_id" UUID NOT NULL,
    "state" TEXT NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "list_deltas_pkey" PRIMARY KEY ("program_id","list","id")
);

-- CreateTable
CREATE TABLE "events" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "type" TEXT COLLATE "C" NOT NULL,
    "subject" TEXT NOT NULL,
    "subject_id" UUID NOT NULL,
    "version" BIGINT NOT NULL,
    "affiliate_id" UUID,
    "campaign_id" UUID,
    "amount_cents" BIGINT,
    "currency" TEXT,
    "actor_kind" "actor_kind" NOT NULL,
    "actor_id" UUID,
    "request_id" TEXT NOT NULL,
    "state_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "transaction" xid8,

    CONSTRAINT "events_pkey" PRIMARY KEY ("program_id","id")
) PARTITION BY RANGE ("id");

-- CreateTable
CREATE TABLE "event_states" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "state" JSONB,
    "rows" frozen_rows,

    CONSTRAINT "event_states_pkey" PRIMARY KEY ("program_id","id")
) PARTITION BY RANGE ("id");

-- CreateTable
CREATE TABLE "event_sweeps" (
    "program_id" UUID NOT NULL,
    "referrals_expired_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "event_sweeps_pkey" PRIMARY KEY ("program_id")
);

-- CreateTable
CREATE TABLE "webhook_endpoints" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "description" TEXT,
    "event_types" TEXT[],
    "filter" JSONB,
    "format" "webhook_format" NOT NULL,
    "secret" TEXT NOT NULL,
    "previous_secret" TEXT,
    "previous_secret_ends_at" TIMESTAMPTZ(3),
    "disabled_at" TIMESTAMPTZ(3),
    "disabled_reason" "webhook_disabled_reason",
    "failing_since" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_endpoints_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateTable
CREATE TABLE "webhook_queue" (
    "program_id" UUID NOT NULL,
    "event_id" UUID NOT NULL,

    CONSTRAINT "webhook_queue_pkey" PRIMARY KEY ("program_id","event_id")
);

-- CreateTable
CREATE TABLE "webhook_deliveries" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "endpoint_id" UUID NOT NULL,
    "event_id" UUID NOT NULL,
    "event_type" TEXT NOT NULL,
    "state" "webhook_delivery_state" NOT NULL DEFAULT 'pending',
    "body" TEXT,
    "next_try_at" TIMESTAMPTZ(3) NOT NULL,
    "lease" UUID,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "responses" JSONB NOT NULL DEFAULT '[]',
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("program_id","id")
) PARTITION BY RANGE ("id");

-- CreateTable
CREATE TABLE "mails" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "kind" "mail_kind" NOT NULL,
    "to" TEXT NOT NULL,
    "to_key" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "html" TEXT NOT NULL,
    "state" "mail_state" NOT NULL DEFAULT 'pending',
    "affiliate_id" UUID,
    "unsubscribe_url" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_try_at" TIMESTAMPTZ(3) NOT NULL,
    "lease" UUID,
    "error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "mails_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateTable
CREATE TABLE "mail_stops" (
    "program_id" UUID NOT NULL,
    "email_key" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "mail_stops_pkey" PRIMARY KEY ("program_id","email_key")
);

-- CreateTable
CREATE TABLE "mail_notices" (
    "program_id" UUID NOT NULL,
    "at_once_until" TIMESTAMPTZ(3) NOT NULL,
    "daily_until" TIMESTAMPTZ(3) NOT NULL,
    "weekly_until" TIMESTAMPTZ(3) NOT NULL,
    "monthly_until" DATE,
    "webhooks_told_at" TIMESTAMPTZ(3),
    "feeds_told_at" TIMESTAMPTZ(3),

    CONSTRAINT "mail_notices_pkey" PRIMARY KEY ("program_id")
);

-- CreateTable
CREATE TABLE "mail_choices" (
    "program_id" UUID NOT NULL,
    "affiliate_id" UUID NOT NULL,
    "commissions" "commission_mails" NOT NULL DEFAULT 'daily',
    "payouts" BOOLEAN NOT NULL DEFAULT true,
    "statements" BOOLEAN NOT NULL DEFAULT true,
    "terms" BOOLEAN NOT NULL DEFAULT true,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "mail_choices_pkey" PRIMARY KEY ("program_id","affiliate_id")
);

-- CreateTable
CREATE TABLE "mail_texts" (
    "program_id" UUID NOT NULL,
    "kind" "mail_kind" NOT NULL,
    "language" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "button" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "mail_texts_pkey" PRIMARY KEY ("program_id","kind","language")
);

-- CreateTable
CREATE TABLE "mail_kinds_off" (
    "program_id" UUID NOT NULL,
    "kind" "mail_kind" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "mail_kinds_off_pkey" PRIMARY KEY ("program_id","kind")
);

-- CreateTable
CREATE TABLE "join_settings" (
    "program_id" UUID NOT NULL,
    "is_open" BOOLEAN NOT NULL DEFAULT true,
    "origins" JSONB NOT NULL DEFAULT '[]',
    "fields" JSONB NOT NULL DEFAULT '[]',
    "rules" JSONB NOT NULL DEFAULT '[]',
    "text" TEXT,
    "logo_url" TEXT,
    "color" TEXT,
    "mails_managers" BOOLEAN NOT NULL DEFAULT true,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "join_settings_pkey" PRIMARY KEY ("program_id")
);

-- CreateTable
CREATE TABLE "assets" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "kind" "asset_kind" NOT NULL,
    "name" TEXT NOT NULL,
    "text" TEXT,
    "url" TEXT,
    "page" TEXT,
    "media_type" TEXT,
    "width" INTEGER,
    "height" INTEGER,
    "archived_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "assets_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateTable
CREATE TABLE "asset_files" (
    "program_id" UUID NOT NULL,
    "asset_id" UUID NOT NULL,
    "content" TEXT,

    CONSTRAINT "asset_files_pkey" PRIMARY KEY ("program_id","asset_id")
);

-- CreateTable
CREATE TABLE "stray_objects" (
    "key" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "stray_objects_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "terms_versions" (
    "program_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "text" TEXT NOT NULL,
    "holds_from" TIMESTAMPTZ(3) NOT NULL,
    "required_from" TIMESTAMPTZ(3),
    "announced_at" TIMESTAMPTZ(3),
    "reminded_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "terms_versions_pkey" PRIMARY KEY ("program_id","number")
);

-- CreateTable
CREATE TABLE "terms_acceptances" (
    "program_id" UUID NOT NULL,
    "affiliate_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "accepted_at" TIMESTAMPTZ(3) NOT NULL,
    "address" TEXT,

    CONSTRAINT "terms_acceptances_pkey" PRIMARY KEY ("program_id","affiliate_id","version")
);

-- CreateTable
CREATE TABLE "applications" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "campaign_id" UUID,
    "email" TEXT NOT NULL,
    "email_key" TEXT NOT NULL,
    "first_name" TEXT,
    "last_name" TEXT,
    "fields" JSONB NOT NULL DEFAULT '{}',
    "state" "application_state" NOT NULL DEFAULT 'applied',
    "language" TEXT,
    "reason" TEXT,
    "token_hash" TEXT NOT NULL,
    "confirmed_at" TIMESTAMPTZ(3),
    "decided_at" TIMESTAMPTZ(3),
    "affiliate_id" UUID,
    "referred_by_id" UUID,
    "is_disposable" BOOLEAN NOT NULL,
    "is_invited" BOOLEAN NOT NULL DEFAULT false,
    "address" TEXT,
    "terms_version" INTEGER,
    "terms_accepted_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "applications_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateTable
CREATE TABLE "failed_requests" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "api_key_id" UUID NOT NULL,
    "method" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "operation" TEXT,
    "status" INTEGER NOT NULL,
    "code" TEXT NOT NULL,
    "problem" TEXT NOT NULL,
    "request_id" TEXT NOT NULL,
    "query" TEXT,
    "body" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "failed_requests_pkey" PRIMARY KEY ("program_id","id")
) PARTITION BY RANGE ("id");

-- CreateTable
CREATE TABLE "feeds" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "kind" "feed_kind" NOT NULL,
    "name" TEXT NOT NULL,
    "secret" TEXT,
    "previous_secret" TEXT,
    "previous_secret_ends_at" TIMESTAMPTZ(3),
    "mode" "feed_mode",
    "account" TEXT,
    "includes" TEXT[],
    "mapping" TEXT,
    "lease" UUID,
    "lease_ends_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "feeds_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateTable
CREATE TABLE "feed_events" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "feed_id" UUID NOT NULL,
    "external_id" TEXT,
    "type" TEXT,
    "raw" TEXT,
    "facts" JSONB,
    "outcome" "feed_event_outcome" NOT NULL DEFAULT 'waiting',
    "reason" TEXT,
    "sale_id" UUID,
    "derive_at" TIMESTAMPTZ(3),
    "tries" INTEGER NOT NULL DEFAULT 0,
    "occurred_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "feed_events_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateTable
CREATE TABLE "feed_objects" (
    "program_id" UUID NOT NULL,
    "feed_id" UUID NOT NULL,
    "object" TEXT NOT NULL,
    "event_id" UUID NOT NULL,

    CONSTRAINT "feed_objects_pkey" PRIMARY KEY ("program_id","feed_id","object","event_id")
);

-- CreateTable
CREATE TABLE "idempotency_keys" (
    "scope" TEXT NOT NULL,
    "key_hash" TEXT NOT NULL,
    "request_hash" TEXT NOT NULL,
    "answer" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("scope","key_hash")
);

-- CreateTable
CREATE TABLE "people" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "email_verified" BOOLEAN NOT NULL DEFAULT false,
    "image" TEXT,
    "is_operator" BOOLEAN NOT NULL DEFAULT false,
    "has_second_factor" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "people_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "person_sessions" (
    "id" UUID NOT NULL,
    "person_id" UUID NOT NULL,
    "token" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ip_address" TEXT,
    "user_agent" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "person_sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "person_accounts" (
    "id" UUID NOT NULL,
    "person_id" UUID NOT NULL,
    "provider_id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "password" TEXT,
    "access_token" TEXT,
    "refresh_token" TEXT,
    "id_token" TEXT,
    "access_token_expires_at" TIMESTAMPTZ(3),
    "refresh_token_expires_at" TIMESTAMPTZ(3),
    "scope" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "person_accounts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "person_verifications" (
    "id" UUID NOT NULL,
    "identifier" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "person_verifications_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "second_factors" (
    "id" UUID NOT NULL,
    "person_id" UUID NOT NULL,
    "secret" TEXT NOT NULL,
    "recovery_codes" TEXT NOT NULL,
    "verified" BOOLEAN NOT NULL DEFAULT false,
    "failed_verification_count" INTEGER NOT NULL DEFAULT 0,
    "locked_until" TIMESTAMPTZ(3),

    CONSTRAINT "second_factors_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sign_in_attempts" (
    "key" TEXT NOT NULL,
    "count" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sign_in_attempts_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "members" (
    "program_id" UUID NOT NULL,
    "person_id" UUID NOT NULL,
    "role" "member_role" NOT NULL,
    "daily_mails" BOOLEAN NOT NULL DEFAULT true,
    "failure_mails" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "members_pkey" PRIMARY KEY ("program_id","person_id")
);

-- CreateTable
CREATE TABLE "accepted_imports" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "input" JSONB NOT NULL,
    "actor_kind" "actor_kind" NOT NULL,
    "actor_id" UUID,
    "request_id" TEXT NOT NULL,
    "accepted_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "accepted_imports_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateTable
CREATE TABLE "saved_views" (
    "program_id" UUID NOT NULL,
    "person_id" UUID NOT NULL,
    "list" "saved_view_list" NOT NULL,
    "name" TEXT NOT NULL,
    "query" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "saved_views_pkey" PRIMARY KEY ("program_id","person_id","list","name")
);

-- CreateTable
CREATE TABLE "saved_queries" (
    "program_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "person_id" UUID NOT NULL,
    "query" TEXT NOT NULL,
    "variables" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "saved_queries_pkey" PRIMARY KEY ("program_id","name")
);

-- CreateTable
CREATE TABLE "data_checks" (
    "program_id" UUID NOT NULL,
    "claimed_at" TIMESTAMPTZ(3) NOT NULL,
    "checked_at" TIMESTAMPTZ(3),
    "checked" INTEGER NOT NULL,
    "unchecked" INTEGER NOT NULL,
    "findings" JSONB NOT NULL,

    CONSTRAINT "data_checks_pkey" PRIMARY KEY ("program_id")
);

-- CreateTable
CREATE TABLE "invitations" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "role" "member_role" NOT NULL,
    "token_hash" TEXT NOT NULL,
    "invited_by" UUID,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "invitations_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateTable
CREATE TABLE "encryption_checks" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "value" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "encryption_checks_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "programs_slug_key" ON "programs"("slug");

-- CreateIndex
CREATE UNIQUE INDEX "programs_publishable_key_key" ON "programs"("publishable_key");

-- CreateIndex
CREATE UNIQUE INDEX "programs_previous_publishable_key_key" ON "programs"("previous_publishable_key");

-- CreateIndex
CREATE INDEX "api_keys_secret_hash_idx" ON "api_keys"("secret_hash");

-- CreateIndex
CREATE INDEX "api_keys_id_idx" ON "api_keys"("id");

-- CreateIndex
CREATE INDEX "sso_redemptions_program_id_affiliate_id_idx" ON "sso_redemptions"("program_id", "affiliate_id");

-- CreateIndex
CREATE INDEX "campaigns_program_id_updated_at_id_idx" ON "campaigns"("program_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "campaigns_program_id_name_id_idx" ON "campaigns"("program_id", "name", "id");

-- CreateIndex
CREATE UNIQUE INDEX "campaigns_one_default_per_program" ON "campaigns"("program_id") WHERE ("is_default" = true);

-- CreateIndex
CREATE INDEX "affiliates_program_id_campaign_id_id_idx" ON "affiliates"("program_id", "campaign_id", "id");

-- CreateIndex
CREATE INDEX "affiliates_program_id_updated_at_id_idx" ON "affiliates"("program_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "affiliates_search_email" ON "affiliates" USING GIN ("email_key" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "affiliates_search_first_name" ON "affiliates" USING GIN ("first_name" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "affiliates_search_last_name" ON "affiliates" USING GIN ("last_name" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "affiliates_program_id_billing_customer_id_idx" ON "affiliates"("program_id", "billing_customer_id");

-- CreateIndex
CREATE INDEX "affiliates_program_id_revenue_cents_id_idx" ON "affiliates"("program_id", "revenue_cents", "id");

-- CreateIndex
CREATE INDEX "affiliates_program_id_commissions_cents_id_idx" ON "affiliates"("program_id", "commissions_cents", "id");

-- CreateIndex
CREATE INDEX "affiliates_program_id_due_cents_id_idx" ON "affiliates"("program_id", "due_cents", "id");

-- CreateIndex
CREATE INDEX "affiliates_program_id_paid_cents_id_idx" ON "affiliates"("program_id", "paid_cents", "id");

-- CreateIndex
CREATE UNIQUE INDEX "affiliates_program_id_email_key_key" ON "affiliates"("program_id", "email_key");

-- CreateIndex
CREATE UNIQUE INDEX "affiliate_groups_program_id_name_key_key" ON "affiliate_groups"("program_id", "name_key");

-- CreateIndex
CREATE INDEX "affiliate_group_memberships_program_id_affiliate_id_idx" ON "affiliate_group_memberships"("program_id", "affiliate_id");

-- CreateIndex
CREATE INDEX "affiliate_group_memberships_program_id_group_id_affiliate_i_idx" ON "affiliate_group_memberships"("program_id", "group_id", "affiliate_id");

-- CreateIndex
CREATE UNIQUE INDEX "affiliate_group_memberships_present" ON "affiliate_group_memberships"("program_id", "affiliate_id", "group_id") WHERE ("until_at" IS NULL);

-- CreateIndex
CREATE INDEX "affiliate_links_program_id_affiliate_id_id_idx" ON "affiliate_links"("program_id", "affiliate_id", "id");

-- CreateIndex
CREATE INDEX "affiliate_links_program_id_updated_at_id_idx" ON "affiliate_links"("program_id", "updated_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "affiliate_links_program_id_token_key_key" ON "affiliate_links"("program_id", "token_key");

-- CreateIndex
CREATE INDEX "affiliate_coupons_program_id_affiliate_id_id_idx" ON "affiliate_coupons"("program_id", "affiliate_id", "id");

-- CreateIndex
CREATE INDEX "affiliate_coupons_program_id_updated_at_id_idx" ON "affiliate_coupons"("program_id", "updated_at", "id");

-- CreateIndex
-- An index that compares bytes finds texts by their beginning, whatever the collation of the database is.
CREATE INDEX "affiliate_coupons_search_token" ON "affiliate_coupons"("program_id", "token_key" text_pattern_ops);

-- CreateIndex
CREATE UNIQUE INDEX "affiliate_coupons_program_id_first_of_key" ON "affiliate_coupons"("program_id", "first_of");

-- CreateIndex
CREATE UNIQUE INDEX "affiliate_coupons_program_id_token_key_key" ON "affiliate_coupons"("program_id", "token_key");

-- CreateIndex
CREATE INDEX "customers_search_email" ON "customers" USING GIN ("email_key" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "customers_search_name" ON "customers" USING GIN ("name" gin_trgm_ops);

-- CreateIndex
CREATE UNIQUE INDEX "customers_program_id_email_key_key" ON "customers"("program_id", "email_key");

-- CreateIndex
CREATE INDEX "referrals_program_id_affiliate_id_id_idx" ON "referrals"("program_id", "affiliate_id", "id");

-- CreateIndex
CREATE INDEX "referrals_program_id_campaign_id_id_idx" ON "referrals"("program_id", "campaign_id", "id");

-- CreateIndex
CREATE INDEX "referrals_program_id_customer_id_id_idx" ON "referrals"("program_id", "customer_id", "id");

-- CreateIndex
CREATE INDEX "referrals_to_be_counted" ON "referrals"("program_id", "id") WHERE ("is_counted" = false);

-- CreateIndex
CREATE INDEX "referrals_program_id_link_id_id_idx" ON "referrals"("program_id", "link_id", "id");

-- CreateIndex
CREATE INDEX "referrals_program_id_coupon_id_id_idx" ON "referrals"("program_id", "coupon_id", "id");

-- CreateIndex
CREATE INDEX "referrals_program_id_updated_at_id_idx" ON "referrals"("program_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "referrals_program_id_billing_customer_id_idx" ON "referrals"("program_id", "billing_customer_id");

-- CreateIndex
CREATE INDEX "referrals_program_id_created_at_idx" ON "referrals"("program_id", "created_at");

-- CreateIndex
CREATE INDEX "referrals_program_id_became_lead_at_idx" ON "referrals"("program_id", "became_lead_at") WHERE ("became_lead_at" IS NOT NULL);

-- CreateIndex
CREATE INDEX "referrals_program_id_became_conversion_at_idx" ON "referrals"("program_id", "became_conversion_at") WHERE ("became_conversion_at" IS NOT NULL);

-- CreateIndex
CREATE INDEX "referrals_with_sub" ON "referrals"("program_id", "affiliate_id", "sub") WHERE ("sub" IS NOT NULL);

-- CreateIndex
CREATE INDEX "referrals_to_expire" ON "referrals"("program_id", "expires_at") WHERE ("became_conversion_at" IS NULL);

-- CreateIndex
CREATE INDEX "visits_program_id_link_id_id_idx" ON "visits"("program_id", "link_id", "id");

-- CreateIndex
CREATE INDEX "visits_program_id_referral_id_idx" ON "visits"("program_id", "referral_id");

-- CreateIndex
CREATE INDEX "sales_program_id_affiliate_id_id_idx" ON "sales"("program_id", "affiliate_id", "id");

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
-- Finds texts by their beginning too. Nothing sorts by this column.
CREATE UNIQUE INDEX "sales_program_id_external_id_key" ON "sales"("program_id", "external_id" text_pattern_ops);

-- CreateIndex
CREATE INDEX "refunds_program_id_sale_id_idx" ON "refunds"("program_id", "sale_id");

-- CreateIndex
CREATE INDEX "refunds_program_id_created_at_idx" ON "refunds"("program_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "refunds_program_id_external_id_key" ON "refunds"("program_id", "external_id");

-- CreateIndex
CREATE INDEX "waiting_refunds_program_id_sale_external_id_idx" ON "waiting_refunds"("program_id", "sale_external_id");

-- CreateIndex
CREATE INDEX "waiting_refunds_program_id_created_at_idx" ON "waiting_refunds"("program_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "waiting_refunds_program_id_external_id_key" ON "waiting_refunds"("program_id", "external_id");

-- CreateIndex
CREATE INDEX "unattributed_sales_program_id_created_at_idx" ON "unattributed_sales"("program_id", "created_at");

-- CreateIndex
CREATE INDEX "unattributed_sales_program_id_updated_at_id_idx" ON "unattributed_sales"("program_id", "updated_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "unattributed_sales_program_id_external_id_key" ON "unattributed_sales"("program_id", "external_id");

-- CreateIndex
CREATE INDEX "commissions_program_id_refund_id_idx" ON "commissions"("program_id", "refund_id") WHERE ("refund_id" IS NOT NULL);

-- CreateIndex
CREATE INDEX "commissions_program_id_sale_id_idx" ON "commissions"("program_id", "sale_id");

-- CreateIndex
CREATE INDEX "commissions_program_id_affiliate_id_id_idx" ON "commissions"("program_id", "affiliate_id", "id");

-- CreateIndex
CREATE INDEX "commissions_program_id_campaign_id_id_idx" ON "commissions"("program_id", "campaign_id", "id");

-- CreateIndex
CREATE INDEX "commissions_program_id_referral_id_id_idx" ON "commissions"("program_id", "referral_id", "id");

-- CreateIndex
CREATE INDEX "commissions_program_id_payout_id_id_idx" ON "commissions"("program_id", "payout_id", "id");

-- CreateIndex
CREATE INDEX "commissions_awaiting_payout" ON "commissions"("program_id", "due_at") WHERE ("payout_id" IS NULL AND "paid_at" IS NULL AND "voided_at" IS NULL AND "held_reason" IS NULL);

-- CreateIndex
CREATE INDEX "commissions_due_to_be_noted" ON "commissions"("due_at") WHERE ("due_noted_at" IS NULL AND "paid_at" IS NULL AND "voided_at" IS NULL AND "held_reason" IS NULL);

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
CREATE INDEX "commissions_program_id_voided_at_idx" ON "commissions"("program_id", "voided_at") WHERE ("voided_at" IS NOT NULL);

-- CreateIndex
CREATE INDEX "commissions_by_rule" ON "commissions"("program_id", "affiliate_id", "rule_id", "occurred_at") WHERE ("rule_id" IS NOT NULL);

-- CreateIndex
CREATE INDEX "commissions_with_lines" ON "commissions"("program_id", "affiliate_id", "occurred_at") WHERE (rule_lines IS NOT NULL);

-- CreateIndex
CREATE INDEX "commissions_held" ON "commissions"("program_id") WHERE ("held_reason" IS NOT NULL AND "paid_at" IS NULL AND "voided_at" IS NULL);

-- CreateIndex
CREATE UNIQUE INDEX "commissions_one_earned_per_sale" ON "commissions"("program_id", "sale_id") WHERE ("refund_id" IS NULL);

-- CreateIndex
CREATE UNIQUE INDEX "commissions_one_debt_per_refund" ON "commissions"("program_id", "refund_id") WHERE (refund_id IS NOT NULL AND amount_cents < 0);

-- CreateIndex
CREATE UNIQUE INDEX "commissions_one_credit_per_refund" ON "commissions"("program_id", "refund_id") WHERE (refund_id IS NOT NULL AND amount_cents > 0);

-- CreateIndex
CREATE UNIQUE INDEX "commissions_one_per_external_id" ON "commissions"("program_id", "external_id") WHERE ("external_id" IS NOT NULL);

-- CreateIndex
CREATE INDEX "money_events_program_id_commission_id_idx" ON "money_events"("program_id", "commission_id");

-- CreateIndex
CREATE INDEX "money_events_program_id_refund_id_idx" ON "money_events"("program_id", "refund_id") WHERE ("refund_id" IS NOT NULL);

-- CreateIndex
CREATE INDEX "money_events_of_people" ON "money_events"("program_id", "id", "actor_id") WHERE ("actor_kind" = 'person');

-- CreateIndex
CREATE INDEX "payouts_program_id_affiliate_id_id_idx" ON "payouts"("program_id", "affiliate_id", "id");

-- CreateIndex
CREATE INDEX "payouts_program_id_amount_cents_id_idx" ON "payouts"("program_id", "amount_cents", "id");

-- CreateIndex
CREATE INDEX "payouts_payable" ON "payouts"("program_id", "amount_cents", "id") WHERE ("is_payable" = true);

-- CreateIndex
CREATE INDEX "payouts_program_id_updated_at_id_idx" ON "payouts"("program_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "payouts_search_reference" ON "payouts"("program_id", "reference" text_pattern_ops) WHERE ("reference" IS NOT NULL);

-- CreateIndex
CREATE UNIQUE INDEX "payouts_one_open_per_affiliate_and_currency" ON "payouts"("program_id", "affiliate_id", "currency") WHERE ("paid_at" IS NULL AND "failed_at" IS NULL);

-- CreateIndex
CREATE INDEX "payout_run_items_program_id_run_id_id_idx" ON "payout_run_items"("program_id", "run_id", "id");

-- CreateIndex
CREATE INDEX "payout_run_items_program_id_payout_id_idx" ON "payout_run_items"("program_id", "payout_id");

-- CreateIndex
CREATE INDEX "payout_run_items_open" ON "payout_run_items"("program_id", "affiliate_id", "currency") WHERE (state = ANY (ARRAY['prepared'::payout_item_state, 'sent'::payout_item_state]));

-- CreateIndex
CREATE INDEX "payout_run_items_program_id_affiliate_id_recipient_idx" ON "payout_run_items"("program_id", "affiliate_id", "recipient");

-- CreateIndex
CREATE UNIQUE INDEX "payout_run_items_program_id_run_id_payout_id_key" ON "payout_run_items"("program_id", "run_id", "payout_id");

-- CreateIndex
CREATE UNIQUE INDEX "payout_run_items_one_open_per_payout" ON "payout_run_items"("program_id", "payout_id") WHERE (state = ANY (ARRAY['prepared'::payout_item_state, 'sent'::payout_item_state]));

-- CreateIndex
CREATE INDEX "changes_program_id_subject_subject_id_id_idx" ON "changes"("program_id", "subject", "subject_id", "id");

-- CreateIndex
CREATE INDEX "changes_of_people" ON "changes"("program_id", "id", "actor_id") WHERE ("actor_kind" = 'person');

-- CreateIndex
CREATE INDEX "imports_source_idx" ON "imports"("source");

-- CreateIndex
CREATE INDEX "imported_records_program_id_id_idx" ON "imported_records"("program_id", "id");

-- CreateIndex
CREATE INDEX "analytics_deltas_program_id_customer_id_idx" ON "analytics_deltas"("program_id", "customer_id") WHERE ("customer_id" IS NOT NULL);

-- CreateIndex
CREATE INDEX "affiliate_measure_deltas_program_id_affiliate_id_idx" ON "affiliate_measure_deltas"("program_id", "affiliate_id");

-- CreateIndex
CREATE INDEX "analytics_by_source_program_id_affiliate_id_grain_kind_star_idx" ON "analytics_by_source"("program_id", "affiliate_id", "grain", "kind", "start");

-- CreateIndex
CREATE INDEX "events_program_id_type_id_idx" ON "events"("program_id", "type", "id");

-- CreateIndex
CREATE INDEX "events_created_at_idx" ON "events" USING BRIN ("created_at");

-- CreateIndex
CREATE INDEX "webhook_deliveries_to_be_sent" ON "webhook_deliveries"("program_id", "endpoint_id", "next_try_at") WHERE ("state" = 'pending');

-- CreateIndex
CREATE INDEX "webhook_deliveries_program_id_endpoint_id_id_idx" ON "webhook_deliveries"("program_id", "endpoint_id", "id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_program_id_event_id_idx" ON "webhook_deliveries"("program_id", "event_id");

-- CreateIndex
CREATE INDEX "mails_to_be_sent" ON "mails"("program_id", "next_try_at") WHERE ("state" = 'pending');

-- CreateIndex
CREATE INDEX "mails_program_id_to_key_id_idx" ON "mails"("program_id", "to_key", "id");

-- CreateIndex
CREATE INDEX "mails_program_id_affiliate_id_id_idx" ON "mails"("program_id", "affiliate_id", "id");

-- CreateIndex
CREATE INDEX "mails_search_to" ON "mails" USING GIN ("to_key" gin_trgm_ops);

-- CreateIndex
CREATE UNIQUE INDEX "assets_program_id_number_key" ON "assets"("program_id", "number");

-- CreateIndex
CREATE INDEX "stray_objects_due_at_idx" ON "stray_objects"("due_at");

-- CreateIndex
CREATE INDEX "terms_acceptances_program_id_version_idx" ON "terms_acceptances"("program_id", "version");

-- CreateIndex
CREATE INDEX "applications_token_hash_idx" ON "applications"("token_hash");

-- CreateIndex
CREATE INDEX "applications_program_id_email_key_id_idx" ON "applications"("program_id", "email_key", "id");

-- CreateIndex
CREATE INDEX "applications_program_id_state_id_idx" ON "applications"("program_id", "state", "id");

-- CreateIndex
CREATE INDEX "applications_program_id_campaign_id_idx" ON "applications"("program_id", "campaign_id");

-- CreateIndex
CREATE INDEX "applications_program_id_affiliate_id_idx" ON "applications"("program_id", "affiliate_id");

-- CreateIndex
CREATE INDEX "applications_program_id_referred_by_id_id_idx" ON "applications"("program_id", "referred_by_id", "id");

-- CreateIndex
CREATE INDEX "applications_search_email" ON "applications" USING GIN ("email_key" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "applications_search_first_name" ON "applications" USING GIN ("first_name" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "applications_search_last_name" ON "applications" USING GIN ("last_name" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "failed_requests_created_at_idx" ON "failed_requests"("created_at");

-- CreateIndex
CREATE INDEX "feeds_id_idx" ON "feeds"("id");

-- CreateIndex
CREATE INDEX "feed_events_program_id_feed_id_id_idx" ON "feed_events"("program_id", "feed_id", "id");

-- CreateIndex
CREATE INDEX "feed_events_program_id_sale_id_idx" ON "feed_events"("program_id", "sale_id");

-- CreateIndex
CREATE INDEX "feed_events_to_be_derived" ON "feed_events"("program_id", "feed_id", "derive_at") WHERE ("derive_at" IS NOT NULL);

-- CreateIndex
CREATE INDEX "feed_events_created_at_idx" ON "feed_events"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "feed_events_program_id_feed_id_external_id_key" ON "feed_events"("program_id", "feed_id", "external_id");

-- CreateIndex
CREATE INDEX "feed_objects_program_id_event_id_idx" ON "feed_objects"("program_id", "event_id");

-- CreateIndex
CREATE INDEX "idempotency_keys_created_at_idx" ON "idempotency_keys"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "people_email_key" ON "people"("email");

-- CreateIndex
CREATE UNIQUE INDEX "person_sessions_token_key" ON "person_sessions"("token");

-- CreateIndex
CREATE INDEX "person_sessions_person_id_idx" ON "person_sessions"("person_id");

-- CreateIndex
CREATE INDEX "person_accounts_person_id_idx" ON "person_accounts"("person_id");

-- CreateIndex
CREATE UNIQUE INDEX "person_accounts_provider_id_account_id_key" ON "person_accounts"("provider_id", "account_id");

-- CreateIndex
CREATE INDEX "person_verifications_identifier_idx" ON "person_verifications"("identifier");

-- CreateIndex
CREATE INDEX "second_factors_person_id_idx" ON "second_factors"("person_id");

-- CreateIndex
CREATE INDEX "sign_in_attempts_started_at_idx" ON "sign_in_attempts"("started_at");

-- CreateIndex
CREATE INDEX "members_person_id_idx" ON "members"("person_id");

-- CreateIndex
CREATE INDEX "saved_views_person_id_idx" ON "saved_views"("person_id");

-- CreateIndex
CREATE INDEX "saved_queries_person_id_idx" ON "saved_queries"("person_id");

-- CreateIndex
CREATE INDEX "invitations_token_hash_idx" ON "invitations"("token_hash");

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "affiliate_token_secrets" ADD CONSTRAINT "affiliate_token_secrets_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "sso_redemptions" ADD CONSTRAINT "sso_redemptions_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "sso_redemptions" ADD CONSTRAINT "sso_redemptions_program_id_affiliate_id_fkey" FOREIGN KEY ("program_id", "affiliate_id") REFERENCES "affiliates"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "commission_rule_versions" ADD CONSTRAINT "commission_rule_versions_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "commission_rule_versions" ADD CONSTRAINT "commission_rule_versions_program_id_campaign_id_fkey" FOREIGN KEY ("program_id", "campaign_id") REFERENCES "campaigns"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "affiliates" ADD CONSTRAINT "affiliates_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "affiliates" ADD CONSTRAINT "affiliates_program_id_campaign_id_fkey" FOREIGN KEY ("program_id", "campaign_id") REFERENCES "campaigns"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "affiliate_groups" ADD CONSTRAINT "affiliate_groups_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "affiliate_group_memberships" ADD CONSTRAINT "affiliate_group_memberships_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "affiliate_group_memberships" ADD CONSTRAINT "affiliate_group_memberships_program_id_affiliate_id_fkey" FOREIGN KEY ("program_id", "affiliate_id") REFERENCES "affiliates"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "affiliate_fields" ADD CONSTRAINT "affiliate_fields_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "affiliate_links" ADD CONSTRAINT "affiliate_links_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "affiliate_links" ADD CONSTRAINT "affiliate_links_program_id_affiliate_id_fkey" FOREIGN KEY ("program_id", "affiliate_id") REFERENCES "affiliates"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "affiliate_coupons" ADD CONSTRAINT "affiliate_coupons_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "affiliate_coupons" ADD CONSTRAINT "affiliate_coupons_program_id_affiliate_id_fkey" FOREIGN KEY ("program_id", "affiliate_id") REFERENCES "affiliates"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "affiliate_coupons" ADD CONSTRAINT "affiliate_coupons_program_id_first_of_fkey" FOREIGN KEY ("program_id", "first_of") REFERENCES "affiliates"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

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
ALTER TABLE "visits" ADD CONSTRAINT "visits_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "visits" ADD CONSTRAINT "visits_program_id_link_id_fkey" FOREIGN KEY ("program_id", "link_id") REFERENCES "affiliate_links"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "visits" ADD CONSTRAINT "visits_program_id_referral_id_fkey" FOREIGN KEY ("program_id", "referral_id") REFERENCES "referrals"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "tracking_salts" ADD CONSTRAINT "tracking_salts_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

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
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_program_id_sale_id_fkey" FOREIGN KEY ("program_id", "sale_id") REFERENCES "sales"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "waiting_refunds" ADD CONSTRAINT "waiting_refunds_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "unattributed_sales" ADD CONSTRAINT "unattributed_sales_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

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
ALTER TABLE "commissions" ADD CONSTRAINT "commissions_program_id_refund_id_fkey" FOREIGN KEY ("program_id", "refund_id") REFERENCES "refunds"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "money_events" ADD CONSTRAINT "money_events_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "money_events" ADD CONSTRAINT "money_events_program_id_commission_id_fkey" FOREIGN KEY ("program_id", "commission_id") REFERENCES "commissions"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "money_events" ADD CONSTRAINT "money_events_program_id_refund_id_fkey" FOREIGN KEY ("program_id", "refund_id") REFERENCES "refunds"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_program_id_affiliate_id_fkey" FOREIGN KEY ("program_id", "affiliate_id") REFERENCES "affiliates"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "payout_runs" ADD CONSTRAINT "payout_runs_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "payout_run_items" ADD CONSTRAINT "payout_run_items_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "payout_run_items" ADD CONSTRAINT "payout_run_items_program_id_run_id_fkey" FOREIGN KEY ("program_id", "run_id") REFERENCES "payout_runs"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "payout_run_items" ADD CONSTRAINT "payout_run_items_program_id_affiliate_id_fkey" FOREIGN KEY ("program_id", "affiliate_id") REFERENCES "affiliates"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "payout_run_skips" ADD CONSTRAINT "payout_run_skips_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "payout_run_skips" ADD CONSTRAINT "payout_run_skips_program_id_run_id_fkey" FOREIGN KEY ("program_id", "run_id") REFERENCES "payout_runs"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "payout_run_file_parts" ADD CONSTRAINT "payout_run_file_parts_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "payout_run_file_parts" ADD CONSTRAINT "payout_run_file_parts_program_id_run_id_fkey" FOREIGN KEY ("program_id", "run_id") REFERENCES "payout_runs"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "changes" ADD CONSTRAINT "changes_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "imports" ADD CONSTRAINT "imports_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "imported_records" ADD CONSTRAINT "imported_records_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "shadow_acceptances" ADD CONSTRAINT "shadow_acceptances_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "analytics_by_campaign" ADD CONSTRAINT "analytics_by_campaign_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "analytics_by_source" ADD CONSTRAINT "analytics_by_source_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "analytics_cohorts" ADD CONSTRAINT "analytics_cohorts_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "analytics_calendars" ADD CONSTRAINT "analytics_calendars_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "list_counts" ADD CONSTRAINT "list_counts_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "event_sweeps" ADD CONSTRAINT "event_sweeps_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_program_id_endpoint_id_fkey" FOREIGN KEY ("program_id", "endpoint_id") REFERENCES "webhook_endpoints"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "mails" ADD CONSTRAINT "mails_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "mails" ADD CONSTRAINT "mails_program_id_affiliate_id_fkey" FOREIGN KEY ("program_id", "affiliate_id") REFERENCES "affiliates"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "mail_stops" ADD CONSTRAINT "mail_stops_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "mail_notices" ADD CONSTRAINT "mail_notices_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "mail_choices" ADD CONSTRAINT "mail_choices_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "mail_choices" ADD CONSTRAINT "mail_choices_program_id_affiliate_id_fkey" FOREIGN KEY ("program_id", "affiliate_id") REFERENCES "affiliates"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "mail_texts" ADD CONSTRAINT "mail_texts_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "mail_kinds_off" ADD CONSTRAINT "mail_kinds_off_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "join_settings" ADD CONSTRAINT "join_settings_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "assets" ADD CONSTRAINT "assets_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "asset_files" ADD CONSTRAINT "asset_files_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "asset_files" ADD CONSTRAINT "asset_files_program_id_asset_id_fkey" FOREIGN KEY ("program_id", "asset_id") REFERENCES "assets"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "terms_versions" ADD CONSTRAINT "terms_versions_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "terms_acceptances" ADD CONSTRAINT "terms_acceptances_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "terms_acceptances" ADD CONSTRAINT "terms_acceptances_program_id_affiliate_id_fkey" FOREIGN KEY ("program_id", "affiliate_id") REFERENCES "affiliates"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "terms_acceptances" ADD CONSTRAINT "terms_acceptances_program_id_version_fkey" FOREIGN KEY ("program_id", "version") REFERENCES "terms_versions"("program_id", "number") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "applications" ADD CONSTRAINT "applications_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "applications" ADD CONSTRAINT "applications_program_id_campaign_id_fkey" FOREIGN KEY ("program_id", "campaign_id") REFERENCES "campaigns"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "applications" ADD CONSTRAINT "applications_program_id_affiliate_id_fkey" FOREIGN KEY ("program_id", "affiliate_id") REFERENCES "affiliates"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "applications" ADD CONSTRAINT "applications_program_id_referred_by_id_fkey" FOREIGN KEY ("program_id", "referred_by_id") REFERENCES "affiliates"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "failed_requests" ADD CONSTRAINT "failed_requests_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "feeds" ADD CONSTRAINT "feeds_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "feed_events" ADD CONSTRAINT "feed_events_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "feed_events" ADD CONSTRAINT "feed_events_program_id_feed_id_fkey" FOREIGN KEY ("program_id", "feed_id") REFERENCES "feeds"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "feed_events" ADD CONSTRAINT "feed_events_program_id_sale_id_fkey" FOREIGN KEY ("program_id", "sale_id") REFERENCES "sales"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "feed_objects" ADD CONSTRAINT "feed_objects_program_id_event_id_fkey" FOREIGN KEY ("program_id", "event_id") REFERENCES "feed_events"("program_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "person_sessions" ADD CONSTRAINT "person_sessions_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "person_accounts" ADD CONSTRAINT "person_accounts_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "second_factors" ADD CONSTRAINT "second_factors_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "members" ADD CONSTRAINT "members_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "members" ADD CONSTRAINT "members_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "accepted_imports" ADD CONSTRAINT "accepted_imports_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "saved_queries" ADD CONSTRAINT "saved_queries_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "saved_queries" ADD CONSTRAINT "saved_queries_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "data_checks" ADD CONSTRAINT "data_checks_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

----------------------------------------------------------------------------------------------------------------------
-- What Prisma cannot express

-- What grows with time is in partitions by the time that the ids begin with: see src/database/partitions.ts, which adds partitions
-- once a table is large, and drops them with the retention. Until then each table has one partition with all its rows.
CREATE TABLE "changes_first" PARTITION OF "changes" FOR VALUES FROM (MINVALUE) TO (MAXVALUE);
CREATE TABLE "event_states_first" PARTITION OF "event_states" FOR VALUES FROM (MINVALUE) TO (MAXVALUE);
CREATE TABLE "events_first" PARTITION OF "events" FOR VALUES FROM (MINVALUE) TO (MAXVALUE);
CREATE TABLE "failed_requests_first" PARTITION OF "failed_requests" FOR VALUES FROM (MINVALUE) TO (MAXVALUE);
CREATE TABLE "visits_first" PARTITION OF "visits" FOR VALUES FROM (MINVALUE) TO (MAXVALUE);
CREATE TABLE "webhook_deliveries_first" PARTITION OF "webhook_deliveries" FOR VALUES FROM (MINVALUE) TO (MAXVALUE);
ALTER INDEX "changes_first_program_id_id_actor_id_idx" RENAME TO "changes_first_of_people";
ALTER INDEX "webhook_deliveries_first_program_id_endpoint_id_next_try_at_idx" RENAME TO "webhook_deliveries_first_to_be_sent";
-- A unique index of a partitioned table needs the id. So the versions of a subject are unique in each partition. They grow with the
-- clock that the ids have too.
CREATE UNIQUE INDEX "events_first_program_id_subject_id_version_key" ON "events_first"("program_id", "subject_id", "version");

ALTER TABLE "programs"
  ADD CONSTRAINT "programs_currency_is_a_code" CHECK ("currency" ~ '^[a-z]{3}$'),
  ADD CONSTRAINT "programs_slug_form" CHECK ("slug" ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  -- Keys of one of several installations have its mark: trib_pk_eu1_…
  ADD CONSTRAINT "programs_publishable_key_form" CHECK ("publishable_key" ~ '^trib_pk_([a-z0-9]{1,8}_)?[0-9a-z]{32}$'),
  ADD CONSTRAINT "programs_only_a_sandbox_has_a_clock" CHECK ("sandbox" OR "clock_advanced_by_days" = 0),
  ADD CONSTRAINT "programs_clock_goes_forward" CHECK ("clock_advanced_by_days" >= 0),
  ADD CONSTRAINT "programs_with_a_base_are_closed" CHECK ("base" IS NULL OR "closed_at" IS NOT NULL);
ALTER TABLE "campaigns"
  ADD CONSTRAINT "campaigns_commission_amount_cents_is_exact" CHECK ("commission_amount_cents" BETWEEN -9007199254740991 AND 9007199254740991),
  ADD CONSTRAINT "campaigns_minimum_payout_cents_is_exact" CHECK ("minimum_payout_cents" BETWEEN -9007199254740991 AND 9007199254740991),
  ADD CONSTRAINT "campaigns_commission_currency_is_a_code" CHECK ("commission_currency" ~ '^[a-z]{3}$'),
  ADD CONSTRAINT "campaigns_commission_basis_points_in_range" CHECK ("commission_basis_points" BETWEEN 0 AND 10000),
  ADD CONSTRAINT "campaigns_reward_is_given" CHECK (CASE "reward_type" WHEN 'percent' THEN "commission_basis_points" IS NOT NULL ELSE "commission_amount_cents" IS NOT NULL END),
  ADD CONSTRAINT "campaigns_default_is_not_archived" CHECK (NOT ("is_default" AND "archived_at" IS NOT NULL));
ALTER TABLE "affiliates"
  ADD CONSTRAINT "affiliates_email_key_is_lower_case" CHECK ("email_key" = lower("email_key")),
  ADD CONSTRAINT "affiliates_counters_are_counts" CHECK ("visitors" >= 0 AND "leads" >= 0 AND "conversions" >= 0);
ALTER TABLE "affiliate_links"
  ADD CONSTRAINT "affiliate_links_token_key_is_lower_case" CHECK ("token_key" = lower("token_key")),
  ADD CONSTRAINT "affiliate_links_counters_are_counts" CHECK ("visitors" >= 0 AND "leads" >= 0 AND "conversions" >= 0);
ALTER TABLE "affiliate_coupons"
  ADD CONSTRAINT "affiliate_coupons_token_key_is_lower_case" CHECK ("token_key" = lower("token_key"));
ALTER TABLE "customers"
  ADD CONSTRAINT "customers_email_key_is_lower_case" CHECK ("email_key" = lower("email_key"));
ALTER TABLE "sales"
  ADD CONSTRAINT "sales_amount_cents_is_exact" CHECK ("amount_cents" BETWEEN -9007199254740991 AND 9007199254740991),
  ADD CONSTRAINT "sales_currency_is_a_code" CHECK ("currency" ~ '^[a-z]{3}$'),
  ADD CONSTRAINT "sales_refunded_cents_at_most_all" CHECK ("refunded_cents" <= "amount_cents"),
  ADD CONSTRAINT "sales_refunded_cents_is_exact" CHECK ("refunded_cents" BETWEEN 0 AND 9007199254740991);
ALTER TABLE "refunds"
  ADD CONSTRAINT "refunds_amount_cents_is_exact" CHECK ("amount_cents" BETWEEN 1 AND 9007199254740991);
ALTER TABLE "waiting_refunds"
  ADD CONSTRAINT "waiting_refunds_amount_cents_is_exact" CHECK ("amount_cents" BETWEEN 1 AND 9007199254740991),
  ADD CONSTRAINT "waiting_refunds_refunded_total_cents_is_exact" CHECK ("refunded_total_cents" BETWEEN 1 AND 9007199254740991);
ALTER TABLE "unattributed_sales"
  ADD CONSTRAINT "unattributed_sales_amount_cents_is_exact" CHECK ("amount_cents" BETWEEN 0 AND 9007199254740991),
  ADD CONSTRAINT "unattributed_sales_currency_is_a_code" CHECK ("currency" ~ '^[a-z]{3}$');
ALTER TABLE "payouts"
  ADD CONSTRAINT "payouts_amount_cents_is_exact" CHECK ("amount_cents" BETWEEN 0 AND 9007199254740991),
  ADD CONSTRAINT "payouts_currency_is_a_code" CHECK ("currency" ~ '^[a-z]{3}$');
ALTER TABLE "commissions"
  ADD CONSTRAINT "commissions_amount_cents_is_exact" CHECK ("amount_cents" BETWEEN -9007199254740991 AND 9007199254740991),
  ADD CONSTRAINT "commissions_rule_amount_cents_is_exact" CHECK ("rule_amount_cents" BETWEEN -9007199254740991 AND 9007199254740991),
  ADD CONSTRAINT "commissions_currency_is_a_code" CHECK ("currency" ~ '^[a-z]{3}$'),
  ADD CONSTRAINT "commissions_rule_basis_points_in_range" CHECK ("rule_basis_points" BETWEEN 0 AND 100000),
  ADD CONSTRAINT "commissions_rule_is_given" CHECK (CASE "rule_reward_type" WHEN 'percent' THEN "rule_basis_points" IS NOT NULL ELSE "rule_amount_cents" IS NOT NULL END),
  ADD CONSTRAINT "commissions_paid_or_void" CHECK ("paid_at" IS NULL OR "voided_at" IS NULL),
  -- A refund after payment has a debt. If it is reversed, it can have a credit too, which is positive.
  ADD CONSTRAINT "commissions_earned_or_of_a_refund" CHECK (CASE
    WHEN "kind" = 'correction' THEN TRUE WHEN "refund_id" IS NULL THEN "amount_cents" >= 0 ELSE "amount_cents" <> 0 END),
  ADD CONSTRAINT "commissions_of_a_sale_or_not" CHECK (CASE "kind"
    WHEN 'sale' THEN "sale_id" IS NOT NULL AND "referral_id" IS NOT NULL AND "reason" IS NULL
    WHEN 'lead' THEN "sale_id" IS NULL AND "refund_id" IS NULL AND "referral_id" IS NOT NULL AND "reason" IS NULL
    ELSE "sale_id" IS NULL AND "refund_id" IS NULL AND "referral_id" IS NULL AND "reason" IS NOT NULL END),
  ADD CONSTRAINT "commissions_rule_lines_is_list" CHECK (CASE WHEN jsonb_typeof("rule_lines") = 'array' THEN jsonb_array_length("rule_lines") > 0 ELSE "rule_lines" IS NULL END),
  ADD CONSTRAINT "commissions_held_is_not_paid" CHECK ("held_reason" IS NULL OR "paid_at" IS NULL);
ALTER TABLE "money_events"
  ADD CONSTRAINT "money_events_delta_cents_range" CHECK ("delta_cents" BETWEEN -9007199254740991 AND 9007199254740991),
  ADD CONSTRAINT "money_events_currency_form" CHECK ("currency" ~ '^[a-z]{3}$'),
  ADD CONSTRAINT "money_events_due_at_of_rescheduled" CHECK (("kind"::text = 'rescheduled') = ("due_at" IS NOT NULL)),
  ADD CONSTRAINT "money_events_paid_at_of_paid" CHECK ("paid_at" IS NULL OR "kind"::text = 'paid');
ALTER TABLE "analytics_deltas"
  ADD CONSTRAINT "analytics_deltas_currency_is_a_code" CHECK ("currency" = '' OR "currency" ~ '^[a-z]{3}$');
ALTER TABLE "analytics_by_campaign"
  ADD CONSTRAINT "analytics_by_campaign_currency_is_a_code" CHECK ("currency" = '' OR "currency" ~ '^[a-z]{3}$');
ALTER TABLE "analytics_by_source"
  ADD CONSTRAINT "analytics_by_source_currency_is_a_code" CHECK ("currency" = '' OR "currency" ~ '^[a-z]{3}$');
ALTER TABLE "analytics_cohorts"
  ADD CONSTRAINT "analytics_cohorts_currency_is_a_code" CHECK ("currency" ~ '^[a-z]{3}$');
ALTER TABLE "analytics_calendars"
  ADD CONSTRAINT "analytics_calendars_offsets_are_complete" CHECK (cardinality("offsets") = cardinality("starts") + 1);
ALTER TABLE "webhook_deliveries"
  ADD CONSTRAINT "webhook_deliveries_finished_or_pending" CHECK (("state" = 'pending') = ("finished_at" IS NULL));

ALTER TABLE "programs"
  ADD CONSTRAINT "programs_payout_approval_above_cents_is_exact" CHECK ("payout_approval_above_cents" BETWEEN 0 AND 9007199254740991);
ALTER TABLE "campaigns"
  ADD CONSTRAINT "campaigns_minimum_payouts_are_amounts" CHECK (jsonb_typeof("minimum_payouts") = 'object'
    AND NOT jsonb_path_exists("minimum_payouts", '$.keyvalue() ? (!(@.key like_regex "^[a-z]{3}$"))')
    AND NOT jsonb_path_exists("minimum_payouts", '$.* ? (@.type() != "string" || !(@ like_regex "^[0-9]{1,16}$"))'));
ALTER TABLE "affiliates"
  ADD CONSTRAINT "affiliates_revenue_cents_is_exact" CHECK ("revenue_cents" BETWEEN 0 AND 9007199254740991),
  ADD CONSTRAINT "affiliates_commissions_cents_is_exact" CHECK ("commissions_cents" BETWEEN -9007199254740991 AND 9007199254740991),
  ADD CONSTRAINT "affiliates_due_cents_is_exact" CHECK ("due_cents" BETWEEN 0 AND 9007199254740991),
  ADD CONSTRAINT "affiliates_paid_cents_is_exact" CHECK ("paid_cents" BETWEEN -9007199254740991 AND 9007199254740991);
ALTER TABLE "affiliate_coupons"
  ADD CONSTRAINT "affiliate_coupons_first_is_of_its_affiliate" CHECK ("first_of" = "affiliate_id"),
  ADD CONSTRAINT "affiliate_coupons_discount_basis_points_in_range" CHECK ("discount_basis_points" BETWEEN 1 AND 10000),
  ADD CONSTRAINT "affiliate_coupons_discount_amount_is_positive" CHECK ("discount_amount_cents" BETWEEN 1 AND 9007199254740991),
  ADD CONSTRAINT "affiliate_coupons_discount_currency_is_a_code" CHECK ("discount_currency" ~ '^[a-z]{3}$'),
  ADD CONSTRAINT "affiliate_coupons_discount_is_one" CHECK (("discount_amount_cents" IS NULL) = ("discount_currency" IS NULL)
    AND ("discount_basis_points" IS NULL OR "discount_amount_cents" IS NULL));
ALTER TABLE "sales"
  ADD CONSTRAINT "sales_items_is_list" CHECK (CASE WHEN jsonb_typeof("items") = 'array' THEN jsonb_array_length("items") > 0 ELSE "items" IS NULL END);
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_paid_by_if_paid" CHECK ("paid_by_id" IS NULL OR "paid_at" IS NOT NULL);
ALTER TABLE "payout_runs"
  ADD CONSTRAINT "payout_runs_amount_cents_is_exact" CHECK ("amount_cents" BETWEEN 0 AND 9007199254740991),
  ADD CONSTRAINT "payout_runs_currency_is_a_code" CHECK ("currency" ~ '^[a-z]{3}$');
ALTER TABLE "payout_run_items"
  ADD CONSTRAINT "payout_run_items_amount_cents_is_exact" CHECK ("amount_cents" BETWEEN 0 AND 9007199254740991),
  ADD CONSTRAINT "payout_run_items_currency_is_a_code" CHECK ("currency" ~ '^[a-z]{3}$');
ALTER TABLE "events"
  ADD CONSTRAINT "events_amount_cents_is_exact" CHECK ("amount_cents" BETWEEN -9007199254740991 AND 9007199254740991),
  ADD CONSTRAINT "events_currency_is_a_code" CHECK ("currency" ~ '^[a-z]{3}$');
ALTER TABLE "affiliate_measures"
  ADD CONSTRAINT "affiliate_measures_currency_is_code" CHECK ("currency" ~ '^[a-z]{3}$');
ALTER TABLE "affiliate_measure_deltas"
  ADD CONSTRAINT "affiliate_measure_deltas_currency_is_code" CHECK ("currency" ~ '^[a-z]{3}$');

-- A log can consist of one type so far. PostgreSQL then takes a type for no restriction, and looks for a rare one in all events
-- of the program. With this number of types, its plans for any type read the index by type.
ALTER TABLE "events" ALTER COLUMN "type" SET (n_distinct = 30, n_distinct_inherited = 30);
ALTER TABLE "events_first" ALTER COLUMN "type" SET (n_distinct = 30);

-- No statistics are gathered of JSON and of frozen rows. No query compares them, and to sort a sample of them took ANALYZE, which
-- autovacuum runs every minute on a busy table, longer than all other columns together.
ALTER TABLE "sales" ALTER COLUMN "decision" SET STATISTICS 0;
ALTER TABLE "accepted_imports" ALTER COLUMN "input" SET STATISTICS 0;
ALTER TABLE "programs" ALTER COLUMN "base" SET STATISTICS 0;
ALTER TABLE "changes" ALTER COLUMN "fields" SET STATISTICS 0;
ALTER TABLE "data_checks" ALTER COLUMN "findings" SET STATISTICS 0;
ALTER TABLE "event_states" ALTER COLUMN "state" SET STATISTICS 0;
ALTER TABLE "event_states" ALTER COLUMN "rows" SET STATISTICS 0;
ALTER TABLE "imported_records" ALTER COLUMN "seen" SET STATISTICS 0;
ALTER TABLE "imports" ALTER COLUMN "progress" SET STATISTICS 0;
ALTER TABLE "unattributed_sales" ALTER COLUMN "decision" SET STATISTICS 0;
ALTER TABLE "webhook_deliveries" ALTER COLUMN "responses" SET STATISTICS 0;
ALTER TABLE "webhook_endpoints" ALTER COLUMN "filter" SET STATISTICS 0;
ALTER TABLE "commission_rule_versions" ALTER COLUMN "rules" SET STATISTICS 0;
ALTER TABLE "campaigns" ALTER COLUMN "minimum_payouts" SET STATISTICS 0;
ALTER TABLE "join_settings" ALTER COLUMN "origins" SET STATISTICS 0;
ALTER TABLE "join_settings" ALTER COLUMN "fields" SET STATISTICS 0;
ALTER TABLE "join_settings" ALTER COLUMN "rules" SET STATISTICS 0;
ALTER TABLE "applications" ALTER COLUMN "fields" SET STATISTICS 0;
ALTER TABLE "sales" ALTER COLUMN "items" SET STATISTICS 0;
ALTER TABLE "refunds" ALTER COLUMN "items" SET STATISTICS 0;
ALTER TABLE "unattributed_sales" ALTER COLUMN "items" SET STATISTICS 0;
ALTER TABLE "waiting_refunds" ALTER COLUMN "items" SET STATISTICS 0;
ALTER TABLE "commissions" ALTER COLUMN "rule_lines" SET STATISTICS 0;
ALTER TABLE "feed_events" ALTER COLUMN "facts" SET STATISTICS 0;
ALTER TABLE "affiliates" ALTER COLUMN "own_fields" SET STATISTICS 0;
ALTER TABLE "affiliate_fields" ALTER COLUMN "choices" SET STATISTICS 0;

-- Numbers the events, so that ids of the same microsecond are in order.
CREATE SEQUENCE "event_numbers";

-- Numbers the programs that were deleted. A database from which a program was deleted is not new: no later start fills it
-- with the demo program.
CREATE SEQUENCE "deleted_programs";
