-- CreateEnum
CREATE TYPE "branch_state" AS ENUM ('open', 'accepted', 'discarded');

-- CreateEnum
CREATE TYPE "branch_attribution" AS ENUM ('coupon_first');

-- CreateTable
CREATE TABLE "branches" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "state" "branch_state" NOT NULL DEFAULT 'open',
    "since" TIMESTAMPTZ(3) NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,
    "rules" JSONB NOT NULL,
    "attribution" "branch_attribution",
    "sales" INTEGER NOT NULL,
    "changed_sales" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "created_by_kind" "actor_kind" NOT NULL,
    "created_by_id" UUID,
    "decided_at" TIMESTAMPTZ(3),
    "decided_by_kind" "actor_kind",
    "decided_by_id" UUID,
    "reason" TEXT,
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "branches_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateTable
CREATE TABLE "branch_differences" (
    "program_id" UUID NOT NULL,
    "branch_id" UUID NOT NULL,
    "affiliate_id" UUID NOT NULL,
    "month" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "before_cents" BIGINT NOT NULL,
    "after_cents" BIGINT NOT NULL,

    CONSTRAINT "branch_differences_pkey" PRIMARY KEY ("program_id","branch_id","affiliate_id","month","currency")
);

-- CreateIndex
CREATE INDEX "branch_differences_program_id_affiliate_id_idx" ON "branch_differences"("program_id", "affiliate_id");

-- AddForeignKey
ALTER TABLE "branches" ADD CONSTRAINT "branches_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "branch_differences" ADD CONSTRAINT "branch_differences_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "branch_differences" ADD CONSTRAINT "branch_differences_program_id_branch_id_fkey" FOREIGN KEY ("program_id", "branch_id") REFERENCES "branches"("program_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "branch_differences" ADD CONSTRAINT "branch_differences_program_id_affiliate_id_fkey" FOREIGN KEY ("program_id", "affiliate_id") REFERENCES "affiliates"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE "branch_differences"
  ADD CONSTRAINT "branch_differences_currency_is_code" CHECK ("currency" ~ '^[a-z]{3}$'),
  ADD CONSTRAINT "branch_differences_before_cents_is_exact" CHECK ("before_cents" BETWEEN -9007199254740991 AND 9007199254740991),
  ADD CONSTRAINT "branch_differences_after_cents_is_exact" CHECK ("after_cents" BETWEEN -9007199254740991 AND 9007199254740991);

-- Nobody filters by it.
ALTER TABLE "branches" ALTER COLUMN "rules" SET STATISTICS 0;
