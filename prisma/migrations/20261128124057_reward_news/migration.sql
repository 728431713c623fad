-- AlterEnum
ALTER TYPE "mail_kind" ADD VALUE 'reward_changed';

-- AlterTable
ALTER TABLE "mail_choices" ADD COLUMN     "rewards" BOOLEAN NOT NULL DEFAULT true;

-- AlterTable
ALTER TABLE "mail_notices" ADD COLUMN     "rewards_next_at" TIMESTAMPTZ(3),
ADD COLUMN     "rewards_until" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "known_rewards" (
    "program_id" UUID NOT NULL,
    "affiliate_id" UUID NOT NULL,
    "form" INTEGER NOT NULL,
    "lines" JSONB NOT NULL,
    "planned" JSONB,
    "news" JSONB NOT NULL DEFAULT '[]',
    "revision" INTEGER NOT NULL DEFAULT 1,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "known_rewards_pkey" PRIMARY KEY ("program_id","affiliate_id")
);

-- CreateIndex
CREATE INDEX "affiliate_group_memberships_program_id_until_at_idx" ON "affiliate_group_memberships"("program_id", "until_at");

-- CreateIndex
CREATE INDEX "commission_rule_versions_program_id_created_at_idx" ON "commission_rule_versions"("program_id", "created_at");

-- AddForeignKey
ALTER TABLE "known_rewards" ADD CONSTRAINT "known_rewards_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "known_rewards" ADD CONSTRAINT "known_rewards_program_id_affiliate_id_fkey" FOREIGN KEY ("program_id", "affiliate_id") REFERENCES "affiliates"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- Nothing is looked for in JSON.
ALTER TABLE "known_rewards" ALTER COLUMN "lines" SET STATISTICS 0;
ALTER TABLE "known_rewards" ALTER COLUMN "planned" SET STATISTICS 0;
ALTER TABLE "known_rewards" ALTER COLUMN "news" SET STATISTICS 0;
