-- CreateEnum
CREATE TYPE "late_fact_kind" AS ENUM ('money', 'sale');

-- CreateEnum
CREATE TYPE "former_earning_kind" AS ENUM ('sale', 'commission');

-- AlterEnum
ALTER TYPE "change_subject" ADD VALUE 'statement_month';

-- AlterTable
ALTER TABLE "programs" ADD COLUMN     "closes_months_after_days" INTEGER;

-- CreateTable
CREATE TABLE "statement_months" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "month" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "from_at" TIMESTAMPTZ(3) NOT NULL,
    "until_at" TIMESTAMPTZ(3) NOT NULL,
    "time_zone" TEXT NOT NULL,
    "began_at" TIMESTAMPTZ(3) NOT NULL,
    "began_by_kind" "actor_kind" NOT NULL,
    "began_by_id" UUID,
    "written_to" UUID,
    "closed_at" TIMESTAMPTZ(3),
    "count" INTEGER,
    "root" TEXT,
    "key_id" TEXT,
    "seal" TEXT,

    CONSTRAINT "statement_months_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateTable
CREATE TABLE "statements" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "month_id" UUID NOT NULL,
    "affiliate_id" UUID NOT NULL,
    "currency" TEXT NOT NULL,
    "month" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "opening_cents" BIGINT NOT NULL,
    "closing_cents" BIGINT NOT NULL,
    "previous_hash" TEXT,
    "hash" TEXT NOT NULL,
    "header" TEXT NOT NULL,
    "lines" TEXT NOT NULL,
    "disclosed" JSONB NOT NULL,
    "index" INTEGER,
    "path" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "statements_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateTable
CREATE TABLE "statement_keys" (
    "program_id" UUID NOT NULL,
    "id" TEXT NOT NULL,
    "public_key" TEXT NOT NULL,
    "secret" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "retired_at" TIMESTAMPTZ(3),

    CONSTRAINT "statement_keys_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateTable
CREATE TABLE "late_facts" (
    "program_id" UUID NOT NULL,
    "kind" "late_fact_kind" NOT NULL,
    "fact_id" UUID NOT NULL,
    "booked_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "late_facts_pkey" PRIMARY KEY ("program_id","kind","fact_id")
);

-- CreateTable
CREATE TABLE "former_earnings" (
    "program_id" UUID NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "kind" "former_earning_kind" NOT NULL,
    "row_id" UUID NOT NULL,
    "affiliate_id" UUID NOT NULL,
    "booked_at" TIMESTAMPTZ(3) NOT NULL,
    "state" JSONB NOT NULL,

    CONSTRAINT "former_earnings_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateIndex
CREATE INDEX "statement_months_program_id_until_at_idx" ON "statement_months"("program_id", "until_at");

-- CreateIndex
CREATE UNIQUE INDEX "statement_months_program_id_month_key" ON "statement_months"("program_id", "month");

-- CreateIndex
CREATE UNIQUE INDEX "statement_months_program_id_number_key" ON "statement_months"("program_id", "number");

-- CreateIndex
CREATE INDEX "statements_program_id_month_id_affiliate_id_idx" ON "statements"("program_id", "month_id", "affiliate_id");

-- CreateIndex
CREATE UNIQUE INDEX "statements_program_id_affiliate_id_currency_number_key" ON "statements"("program_id", "affiliate_id", "currency", "number");

-- CreateIndex
CREATE UNIQUE INDEX "statements_program_id_affiliate_id_currency_month_key" ON "statements"("program_id", "affiliate_id", "currency", "month");

-- CreateIndex
CREATE UNIQUE INDEX "statement_keys_one_signs" ON "statement_keys"("program_id") WHERE ("retired_at" IS NULL);

-- CreateIndex
CREATE INDEX "late_facts_program_id_kind_booked_at_idx" ON "late_facts"("program_id", "kind", "booked_at");

-- CreateIndex
CREATE INDEX "former_earnings_program_id_kind_row_id_idx" ON "former_earnings"("program_id", "kind", "row_id");

-- CreateIndex
CREATE INDEX "former_earnings_program_id_affiliate_id_booked_at_idx" ON "former_earnings"("program_id", "affiliate_id", "booked_at");

-- AddForeignKey
ALTER TABLE "statement_months" ADD CONSTRAINT "statement_months_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "statements" ADD CONSTRAINT "statements_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "statements" ADD CONSTRAINT "statements_program_id_month_id_fkey" FOREIGN KEY ("program_id", "month_id") REFERENCES "statement_months"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "statements" ADD CONSTRAINT "statements_program_id_affiliate_id_fkey" FOREIGN KEY ("program_id", "affiliate_id") REFERENCES "affiliates"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "statement_keys" ADD CONSTRAINT "statement_keys_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "late_facts" ADD CONSTRAINT "late_facts_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "former_earnings" ADD CONSTRAINT "former_earnings_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE "statements" ADD CONSTRAINT "statements_currency_is_a_code" CHECK ("currency" ~ '^[a-z]{3}$');
ALTER TABLE "statements" ADD CONSTRAINT "statements_opening_cents_is_exact" CHECK ("opening_cents" BETWEEN -9007199254740991 AND 9007199254740991);
ALTER TABLE "statements" ADD CONSTRAINT "statements_closing_cents_is_exact" CHECK ("closing_cents" BETWEEN -9007199254740991 AND 9007199254740991);

ALTER TABLE "statements" ALTER COLUMN "disclosed" SET STATISTICS 0;
ALTER TABLE "statements" ALTER COLUMN "path" SET STATISTICS 0;
ALTER TABLE "former_earnings" ALTER COLUMN "state" SET STATISTICS 0;
