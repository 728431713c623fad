-- CreateEnum
CREATE TYPE "difference_kind" AS ENUM ('sale', 'refund', 'feed_event', 'payment');

-- CreateTable
CREATE TABLE "accepted_differences" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "month" TEXT NOT NULL,
    "kind" "difference_kind" NOT NULL,
    "subject_id" UUID NOT NULL,
    "currency" TEXT,
    "difference_cents" BIGINT,
    "what" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "accepted_at" TIMESTAMPTZ(3) NOT NULL,
    "accepted_by_kind" "actor_kind" NOT NULL,
    "accepted_by_id" UUID,

    CONSTRAINT "accepted_differences_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateIndex
CREATE INDEX "accepted_differences_program_id_month_idx" ON "accepted_differences"("program_id", "month");

-- AddForeignKey
ALTER TABLE "accepted_differences" ADD CONSTRAINT "accepted_differences_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE "accepted_differences"
  ADD CONSTRAINT "accepted_differences_currency_is_code" CHECK ("currency" ~ '^[a-z]{3}$'),
  ADD CONSTRAINT "accepted_differences_difference_cents_is_exact" CHECK ("difference_cents" BETWEEN -9007199254740991 AND 9007199254740991);
