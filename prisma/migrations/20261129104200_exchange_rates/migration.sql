-- CreateEnum
CREATE TYPE "rate_source" AS ENUM ('entered', 'ecb');

-- AlterTable
ALTER TABLE "programs" ADD COLUMN     "reading_currency" TEXT;

-- CreateTable
CREATE TABLE "exchange_rates" (
    "program_id" UUID NOT NULL,
    "base" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "day" TEXT NOT NULL,
    "source" "rate_source" NOT NULL,
    "rate_billionths" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "exchange_rates_pkey" PRIMARY KEY ("program_id","base","currency","day")
);

-- AddForeignKey
ALTER TABLE "exchange_rates" ADD CONSTRAINT "exchange_rates_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE "programs" ADD CONSTRAINT "programs_reading_currency_is_code" CHECK ("reading_currency" ~ '^[a-z]{3}$');
ALTER TABLE "exchange_rates"
  ADD CONSTRAINT "exchange_rates_base_is_code" CHECK ("base" ~ '^[a-z]{3}$'),
  ADD CONSTRAINT "exchange_rates_currency_is_code" CHECK ("currency" ~ '^[a-z]{3}$'),
  ADD CONSTRAINT "exchange_rates_pair" CHECK ("currency" <> "base"),
  ADD CONSTRAINT "exchange_rates_day_is_day" CHECK ("day" ~ '^\d{4}-\d{2}-\d{2}$'),
  ADD CONSTRAINT "exchange_rates_rate_billionths_is_exact" CHECK ("rate_billionths" BETWEEN 1 AND 9007199254740991);
