-- CreateEnum
CREATE TYPE "invoice_kind" AS ENUM ('invoice', 'credit_note');

-- CreateEnum
CREATE TYPE "vat_treatment" AS ENUM ('domestic', 'reverse_charge', 'reverse_charge_from_outside', 'small_business', 'outside_scope', 'private_person', 'no_vat');

-- CreateTable
CREATE TABLE "self_billing_versions" (
    "program_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "text" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "created_by_kind" "actor_kind" NOT NULL,
    "created_by_id" UUID,

    CONSTRAINT "self_billing_versions_pkey" PRIMARY KEY ("program_id","number")
);

-- CreateTable
CREATE TABLE "self_billing_agreements" (
    "program_id" UUID NOT NULL,
    "affiliate_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "signed_name" TEXT,
    "agreed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "self_billing_agreements_pkey" PRIMARY KEY ("program_id","affiliate_id","version")
);

-- CreateTable
CREATE TABLE "invoice_settings" (
    "program_id" UUID NOT NULL,
    "number_prefix" TEXT NOT NULL DEFAULT '',
    "is_vat_included" BOOLEAN NOT NULL DEFAULT false,
    "words" JSONB NOT NULL DEFAULT '[]',
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "invoice_settings_pkey" PRIMARY KEY ("program_id")
);

-- CreateTable
CREATE TABLE "invoice_series" (
    "program_id" UUID NOT NULL,
    "year" INTEGER NOT NULL,
    "last" INTEGER NOT NULL,

    CONSTRAINT "invoice_series_pkey" PRIMARY KEY ("program_id","year")
);

-- CreateTable
CREATE TABLE "invoices" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "kind" "invoice_kind" NOT NULL,
    "affiliate_id" UUID NOT NULL,
    "statement_id" UUID NOT NULL,
    "edition" INTEGER NOT NULL,
    "year" INTEGER NOT NULL,
    "place" INTEGER NOT NULL,
    "number" TEXT NOT NULL,
    "month" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "issued_on" TEXT NOT NULL,
    "net_cents" BIGINT NOT NULL,
    "vat_cents" BIGINT NOT NULL,
    "gross_cents" BIGINT NOT NULL,
    "vat_treatment" "vat_treatment" NOT NULL,
    "vat_basis_points" INTEGER NOT NULL,
    "supplier" JSONB NOT NULL,
    "buyer" JSONB NOT NULL,
    "supplier_tax_id" TEXT,
    "lines" JSONB NOT NULL,
    "notes" JSONB NOT NULL,
    "agreement_version" INTEGER NOT NULL,
    "corrects_id" UUID,
    "is_cancellation" BOOLEAN NOT NULL DEFAULT false,
    "reason" TEXT,
    "vat_commission_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "invoices_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateIndex
CREATE INDEX "self_billing_agreements_program_id_version_idx" ON "self_billing_agreements"("program_id", "version");

-- CreateIndex
CREATE INDEX "invoices_program_id_affiliate_id_currency_id_idx" ON "invoices"("program_id", "affiliate_id", "currency", "id");

-- CreateIndex
CREATE INDEX "invoices_program_id_statement_id_idx" ON "invoices"("program_id", "statement_id");

-- CreateIndex
CREATE INDEX "invoices_program_id_corrects_id_idx" ON "invoices"("program_id", "corrects_id");

-- CreateIndex
CREATE UNIQUE INDEX "invoices_program_id_year_place_key" ON "invoices"("program_id", "year", "place");

-- CreateIndex
CREATE UNIQUE INDEX "invoices_program_id_vat_commission_id_key" ON "invoices"("program_id", "vat_commission_id");

-- CreateIndex
CREATE UNIQUE INDEX "invoices_one_of_a_statement" ON "invoices"("program_id", "statement_id", "edition") WHERE ("is_cancellation" = false);

-- CreateIndex
CREATE UNIQUE INDEX "invoices_are_cancelled_once" ON "invoices"("program_id", "corrects_id") WHERE ("is_cancellation" = true);

-- AddForeignKey
ALTER TABLE "self_billing_versions" ADD CONSTRAINT "self_billing_versions_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "self_billing_agreements" ADD CONSTRAINT "self_billing_agreements_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "self_billing_agreements" ADD CONSTRAINT "self_billing_agreements_program_id_affiliate_id_fkey" FOREIGN KEY ("program_id", "affiliate_id") REFERENCES "affiliates"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "self_billing_agreements" ADD CONSTRAINT "self_billing_agreements_program_id_version_fkey" FOREIGN KEY ("program_id", "version") REFERENCES "self_billing_versions"("program_id", "number") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "invoice_settings" ADD CONSTRAINT "invoice_settings_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "invoice_series" ADD CONSTRAINT "invoice_series_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_program_id_affiliate_id_fkey" FOREIGN KEY ("program_id", "affiliate_id") REFERENCES "affiliates"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_program_id_statement_id_fkey" FOREIGN KEY ("program_id", "statement_id") REFERENCES "statements"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_program_id_vat_commission_id_fkey" FOREIGN KEY ("program_id", "vat_commission_id") REFERENCES "commissions"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE "invoice_settings" ALTER COLUMN "words" SET STATISTICS 0;
ALTER TABLE "invoices"
  ALTER COLUMN "supplier" SET STATISTICS 0,
  ALTER COLUMN "buyer" SET STATISTICS 0,
  ALTER COLUMN "lines" SET STATISTICS 0,
  ALTER COLUMN "notes" SET STATISTICS 0;

ALTER TABLE "invoices"
  ADD CONSTRAINT "invoices_currency_is_code" CHECK ("currency" ~ '^[a-z]{3}$'),
  ADD CONSTRAINT "invoices_net_cents_is_exact" CHECK ("net_cents" BETWEEN -9007199254740991 AND 9007199254740991),
  ADD CONSTRAINT "invoices_vat_cents_is_exact" CHECK ("vat_cents" BETWEEN -9007199254740991 AND 9007199254740991),
  ADD CONSTRAINT "invoices_gross_cents_is_exact" CHECK ("gross_cents" BETWEEN -9007199254740991 AND 9007199254740991),
  ADD CONSTRAINT "invoices_sum" CHECK ("gross_cents" = "net_cents" + "vat_cents"),
  ADD CONSTRAINT "invoices_place_is_counted" CHECK ("place" >= 1);
