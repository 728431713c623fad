-- CreateEnum
CREATE TYPE "application_state" AS ENUM ('applied', 'approved', 'rejected', 'expired');

-- AlterEnum
ALTER TYPE "change_subject" ADD VALUE 'application';

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
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "join_settings_pkey" PRIMARY KEY ("program_id")
);

-- CreateTable
CREATE TABLE "terms_versions" (
    "program_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "text" TEXT NOT NULL,
    "holds_from" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "terms_versions_pkey" PRIMARY KEY ("program_id","number")
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
    "reason" TEXT,
    "token_hash" TEXT NOT NULL,
    "confirmed_at" TIMESTAMPTZ(3),
    "decided_at" TIMESTAMPTZ(3),
    "affiliate_id" UUID,
    "is_disposable" BOOLEAN NOT NULL,
    "address" TEXT,
    "terms_version" INTEGER,
    "terms_accepted_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "applications_pkey" PRIMARY KEY ("program_id","id")
);

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

-- AddForeignKey
ALTER TABLE "join_settings" ADD CONSTRAINT "join_settings_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "terms_versions" ADD CONSTRAINT "terms_versions_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "applications" ADD CONSTRAINT "applications_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "applications" ADD CONSTRAINT "applications_program_id_campaign_id_fkey" FOREIGN KEY ("program_id", "campaign_id") REFERENCES "campaigns"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "applications" ADD CONSTRAINT "applications_program_id_affiliate_id_fkey" FOREIGN KEY ("program_id", "affiliate_id") REFERENCES "affiliates"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- Nothing searches in them, and statistics of JSON are large.
ALTER TABLE "join_settings" ALTER COLUMN "origins" SET STATISTICS 0;
ALTER TABLE "join_settings" ALTER COLUMN "fields" SET STATISTICS 0;
ALTER TABLE "join_settings" ALTER COLUMN "rules" SET STATISTICS 0;
ALTER TABLE "applications" ALTER COLUMN "fields" SET STATISTICS 0;
