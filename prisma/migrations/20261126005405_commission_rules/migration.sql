-- CreateEnum
CREATE TYPE "billing_interval" AS ENUM ('one_off', 'month', 'year');

-- AlterEnum
ALTER TYPE "change_subject" ADD VALUE 'commission_rule';

-- AlterEnum
ALTER TYPE "no_commission_reason" ADD VALUE 'rule_earns_nothing';

-- AlterTable
ALTER TABLE "campaigns" ADD COLUMN     "rules_version" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "sales" ADD COLUMN     "billing_interval" "billing_interval",
ADD COLUMN     "payment_number" INTEGER;

-- AlterTable
ALTER TABLE "unattributed_sales" ADD COLUMN     "billing_interval" "billing_interval",
ADD COLUMN     "payment_number" INTEGER;

-- CreateTable
CREATE TABLE "commission_rule_versions" (
    "program_id" UUID NOT NULL,
    "campaign_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "holds_from" TIMESTAMPTZ(3) NOT NULL,
    "rules" JSONB NOT NULL,
    "made_by_kind" "actor_kind" NOT NULL,
    "made_by_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "commission_rule_versions_pkey" PRIMARY KEY ("program_id","campaign_id","number")
);

-- AddForeignKey
ALTER TABLE "commission_rule_versions" ADD CONSTRAINT "commission_rule_versions_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "commission_rule_versions" ADD CONSTRAINT "commission_rule_versions_program_id_campaign_id_fkey" FOREIGN KEY ("program_id", "campaign_id") REFERENCES "campaigns"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- Nothing is searched by what is in the rules.
ALTER TABLE "commission_rule_versions" ALTER COLUMN "rules" SET STATISTICS 0;
