-- AlterEnum
ALTER TYPE "no_commission_reason" ADD VALUE 'cap_reached';

-- AlterTable
ALTER TABLE "commissions" ADD COLUMN     "rule_id" UUID;

-- AlterTable
ALTER TABLE "programs" ADD COLUMN     "time_zone" TEXT NOT NULL DEFAULT 'UTC';

-- CreateIndex
CREATE INDEX "commissions_by_rule" ON "commissions"("program_id", "affiliate_id", "rule_id", "occurred_at") WHERE ("rule_id" IS NOT NULL);

-- Commissions of rules from before caps count for them. No trigger runs: it would be the function of the release before.
ALTER TABLE "commissions" DISABLE TRIGGER USER;
UPDATE "commissions" c SET "rule_id" = (s."decision"->'rule'->'applied'->>'id')::uuid
FROM "sales" s
WHERE s."program_id" = c."program_id" AND s."id" = c."sale_id" AND s."decision"->'rule'->'applied'->>'id' IS NOT NULL;
ALTER TABLE "commissions" ENABLE TRIGGER USER;
