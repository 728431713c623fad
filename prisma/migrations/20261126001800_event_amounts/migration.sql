-- AlterTable
ALTER TABLE "events" ADD COLUMN     "amount_cents" BIGINT,
ADD COLUMN     "currency" TEXT;

ALTER TABLE "events"
  ADD CONSTRAINT "events_amount_cents_is_exact" CHECK ("amount_cents" BETWEEN -9007199254740991 AND 9007199254740991),
  ADD CONSTRAINT "events_currency_is_a_code" CHECK ("currency" ~ '^[a-z]{3}$');
