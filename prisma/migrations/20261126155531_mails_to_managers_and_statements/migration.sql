-- The kinds had no mails yet, or are part of the daily mail now.
ALTER TYPE "mail_kind" RENAME VALUE 'applications_waiting' TO 'work_waiting';
ALTER TYPE "mail_kind" RENAME VALUE 'payouts_due' TO 'deliveries_failing';

-- AlterTable
ALTER TABLE "mail_choices" ADD COLUMN     "statements" BOOLEAN NOT NULL DEFAULT true,
ADD COLUMN     "terms" BOOLEAN NOT NULL DEFAULT true;

-- AlterTable
ALTER TABLE "mail_notices" ADD COLUMN     "feeds_told_at" TIMESTAMPTZ(3),
ADD COLUMN     "monthly_until" DATE,
ADD COLUMN     "webhooks_told_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "members" ADD COLUMN     "daily_mails" BOOLEAN NOT NULL DEFAULT true,
ADD COLUMN     "failure_mails" BOOLEAN NOT NULL DEFAULT true;

-- AlterTable
ALTER TABLE "terms_versions" ADD COLUMN     "announced_at" TIMESTAMPTZ(3),
ADD COLUMN     "reminded_at" TIMESTAMPTZ(3),
ADD COLUMN     "required_from" TIMESTAMPTZ(3);

-- Only versions that are published from now on are announced.
UPDATE "terms_versions" SET "announced_at" = "created_at";
