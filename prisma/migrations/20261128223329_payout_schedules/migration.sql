-- CreateEnum
CREATE TYPE "weekday" AS ENUM ('monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday');

-- CreateEnum
CREATE TYPE "scheduled_run_state" AS ENUM ('prepared', 'sent', 'skipped', 'failed');

-- AlterEnum
ALTER TYPE "mail_kind" ADD VALUE 'payout_runs_made';

-- CreateTable
CREATE TABLE "payout_schedules" (
    "program_id" UUID NOT NULL,
    "days_of_month" INTEGER[],
    "weekdays" "weekday"[],
    "methods" "payout_method"[],
    "currencies" TEXT[],
    "minimum_cents" BIGINT,
    "send_up_to_cents" BIGINT,
    "done_until" TIMESTAMPTZ(3) NOT NULL,
    "taken_until" TIMESTAMPTZ(3),
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "payout_schedules_pkey" PRIMARY KEY ("program_id")
);

-- CreateTable
CREATE TABLE "scheduled_runs" (
    "program_id" UUID NOT NULL,
    "day" TEXT NOT NULL,
    "method" "payout_method" NOT NULL,
    "currency" TEXT NOT NULL,
    "state" "scheduled_run_state" NOT NULL,
    "run_id" UUID,
    "reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "scheduled_runs_pkey" PRIMARY KEY ("program_id","day","method","currency")
);

-- CreateIndex
CREATE UNIQUE INDEX "scheduled_runs_program_id_run_id_key" ON "scheduled_runs"("program_id", "run_id");

-- AddForeignKey
ALTER TABLE "payout_schedules" ADD CONSTRAINT "payout_schedules_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "scheduled_runs" ADD CONSTRAINT "scheduled_runs_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "scheduled_runs" ADD CONSTRAINT "scheduled_runs_program_id_run_id_fkey" FOREIGN KEY ("program_id", "run_id") REFERENCES "payout_runs"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE "payout_schedules"
  ADD CONSTRAINT "payout_schedules_minimum_cents_is_exact" CHECK ("minimum_cents" BETWEEN 0 AND 9007199254740991),
  ADD CONSTRAINT "payout_schedules_send_up_to_cents_is_exact" CHECK ("send_up_to_cents" BETWEEN 0 AND 9007199254740991),
  ADD CONSTRAINT "payout_schedules_days_of_month_are_days" CHECK (1 <= ALL ("days_of_month") AND 31 >= ALL ("days_of_month"));

ALTER TABLE "scheduled_runs"
  ADD CONSTRAINT "scheduled_runs_currency_is_code" CHECK ("currency" ~ '^[a-z]{3}$'),
  ADD CONSTRAINT "scheduled_runs_day_is_a_day" CHECK ("day" ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$');
