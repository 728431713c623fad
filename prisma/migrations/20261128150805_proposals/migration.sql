-- CreateEnum
CREATE TYPE "proposal_kind" AS ENUM ('void', 'approve', 'amend', 'refund', 'attribute', 'rules', 'affiliate_rate', 'payout_run', 'application', 'mail');

-- CreateEnum
CREATE TYPE "proposal_state" AS ENUM ('open', 'confirmed', 'rejected');

-- AlterEnum
ALTER TYPE "change_subject" ADD VALUE 'proposal';

-- CreateTable
CREATE TABLE "proposals" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "kind" "proposal_kind" NOT NULL,
    "arguments" JSONB NOT NULL,
    "reason" TEXT NOT NULL,
    "state" "proposal_state" NOT NULL DEFAULT 'open',
    "effect_text" TEXT NOT NULL,
    "effect_cents" BIGINT,
    "largest_cents" BIGINT NOT NULL DEFAULT 0,
    "effect_currency" TEXT,
    "proposed_by_kind" "actor_kind" NOT NULL,
    "proposed_by_id" UUID,
    "edited_by_id" UUID,
    "decided_by_kind" "actor_kind",
    "decided_by_id" UUID,
    "decided_at" TIMESTAMPTZ(3),
    "decision_reason" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "proposals_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateIndex
CREATE INDEX "proposals_program_id_state_id_idx" ON "proposals"("program_id", "state", "id");

-- AddForeignKey
ALTER TABLE "proposals" ADD CONSTRAINT "proposals_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE "proposals"
  ADD CONSTRAINT "proposals_largest_cents_is_exact" CHECK ("largest_cents" BETWEEN 0 AND 9007199254740991),
  ADD CONSTRAINT "proposals_effect_cents_is_exact" CHECK ("effect_cents" BETWEEN -9007199254740991 AND 9007199254740991),
  ADD CONSTRAINT "proposals_effect_currency_is_code" CHECK ("effect_currency" ~ '^[a-z]{3}$');

-- The planner needs no statistics of JSON, and they would be as large as its values.
ALTER TABLE "proposals" ALTER COLUMN "arguments" SET STATISTICS 0;
