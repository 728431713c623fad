-- AlterEnum
-- This migration adds more than one value to an enum.
-- With PostgreSQL versions 11 and earlier, this is not possible
-- in a single migration. This can be worked around by creating
-- multiple migrations, each migration adding only one value to
-- the enum.


ALTER TYPE "money_event_kind" ADD VALUE 'rescheduled';
ALTER TYPE "money_event_kind" ADD VALUE 'unpaid';

-- AlterTable
ALTER TABLE "money_events" ADD COLUMN     "due_at" TIMESTAMPTZ(3),
ADD COLUMN     "paid_at" TIMESTAMPTZ(3);

-- Written by hand

-- As text: a value that was added to an enum can not be named before its transaction is over.
ALTER TABLE "money_events" ADD CONSTRAINT "money_events_due_at_of_rescheduled" CHECK (("kind"::text = 'rescheduled') = ("due_at" IS NOT NULL));
ALTER TABLE "money_events" ADD CONSTRAINT "money_events_paid_at_of_paid" CHECK ("paid_at" IS NULL OR "kind"::text = 'paid');
