-- CreateEnum
CREATE TYPE "tax_form" AS ENUM ('w9', 'w8ben', 'w8ben_e');

-- AlterEnum
ALTER TYPE "member_role" ADD VALUE 'finance';

-- CreateTable
CREATE TABLE "tax_settings" (
    "program_id" UUID NOT NULL,
    "payouts_need_profile" BOOLEAN NOT NULL DEFAULT false,
    "payer_country" TEXT,
    "payer_name" TEXT,
    "payer_street" TEXT,
    "payer_postal_code" TEXT,
    "payer_city" TEXT,
    "payer_region" TEXT,
    "payer_vat_id" TEXT,
    "payer_tax_id" TEXT,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "tax_settings_pkey" PRIMARY KEY ("program_id")
);

-- CreateTable
CREATE TABLE "tax_profiles" (
    "program_id" UUID NOT NULL,
    "affiliate_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "country" TEXT NOT NULL,
    "recipient_type" "recipient_type" NOT NULL,
    "legal_name" TEXT NOT NULL,
    "street" TEXT NOT NULL,
    "postal_code" TEXT,
    "city" TEXT NOT NULL,
    "region" TEXT,
    "vat_id" TEXT,
    "is_small_business" BOOLEAN NOT NULL DEFAULT false,
    "tax_id" TEXT,
    "tax_id_ending" TEXT,
    "us_tax_id" TEXT,
    "us_tax_id_ending" TEXT,
    "form" "tax_form",
    "form_revision" TEXT,
    "form_fields" JSONB NOT NULL DEFAULT '{}',
    "signed_name" TEXT NOT NULL,
    "signed_at" TIMESTAMPTZ(3) NOT NULL,
    "signed_by_kind" "actor_kind" NOT NULL,
    "signed_by_id" UUID,
    "expires_at" TIMESTAMPTZ(3),
    "replaced_at" TIMESTAMPTZ(3),

    CONSTRAINT "tax_profiles_pkey" PRIMARY KEY ("program_id","affiliate_id","number")
);

-- CreateIndex
CREATE UNIQUE INDEX "tax_profiles_one_applies" ON "tax_profiles"("program_id", "affiliate_id") WHERE ("replaced_at" IS NULL);

-- AddForeignKey
ALTER TABLE "tax_settings" ADD CONSTRAINT "tax_settings_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "tax_profiles" ADD CONSTRAINT "tax_profiles_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "tax_profiles" ADD CONSTRAINT "tax_profiles_program_id_affiliate_id_fkey" FOREIGN KEY ("program_id", "affiliate_id") REFERENCES "affiliates"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE "tax_profiles" ALTER COLUMN "form_fields" SET STATISTICS 0;
