-- CreateEnum
CREATE TYPE "feed_kind" AS ENUM ('stripe', 'paddle', 'lemon_squeezy', 'chargebee', 'polar', 'generic');

-- CreateEnum
CREATE TYPE "feed_mode" AS ENUM ('live', 'test');

-- CreateEnum
CREATE TYPE "feed_event_outcome" AS ENUM ('sale', 'refund', 'lead', 'waiting', 'ignored', 'failed');

-- AlterEnum
ALTER TYPE "change_subject" ADD VALUE 'feed';

-- AlterEnum
ALTER TYPE "held_reason" ADD VALUE 'dispute';

-- CreateTable
CREATE TABLE "feeds" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "kind" "feed_kind" NOT NULL,
    "name" TEXT NOT NULL,
    "secret" TEXT,
    "previous_secret" TEXT,
    "previous_secret_ends_at" TIMESTAMPTZ(3),
    "mode" "feed_mode",
    "account" TEXT,
    "includes" TEXT[],
    "mapping" TEXT,
    "lease" UUID,
    "lease_ends_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "feeds_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateTable
CREATE TABLE "feed_events" (
    "program_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "feed_id" UUID NOT NULL,
    "external_id" TEXT,
    "type" TEXT,
    "raw" TEXT,
    "facts" JSONB,
    "outcome" "feed_event_outcome" NOT NULL DEFAULT 'waiting',
    "reason" TEXT,
    "sale_id" UUID,
    "derive_at" TIMESTAMPTZ(3),
    "tries" INTEGER NOT NULL DEFAULT 0,
    "occurred_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "feed_events_pkey" PRIMARY KEY ("program_id","id")
);

-- CreateTable
CREATE TABLE "feed_objects" (
    "program_id" UUID NOT NULL,
    "feed_id" UUID NOT NULL,
    "object" TEXT NOT NULL,
    "event_id" UUID NOT NULL,

    CONSTRAINT "feed_objects_pkey" PRIMARY KEY ("program_id","feed_id","object","event_id")
);

-- CreateIndex
CREATE INDEX "feeds_id_idx" ON "feeds"("id");

-- CreateIndex
CREATE INDEX "feed_events_program_id_feed_id_id_idx" ON "feed_events"("program_id", "feed_id", "id");

-- CreateIndex
CREATE INDEX "feed_events_program_id_sale_id_idx" ON "feed_events"("program_id", "sale_id");

-- CreateIndex
CREATE INDEX "feed_events_to_be_derived" ON "feed_events"("program_id", "feed_id", "derive_at") WHERE ("derive_at" IS NOT NULL);

-- CreateIndex
CREATE INDEX "feed_events_created_at_idx" ON "feed_events"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "feed_events_program_id_feed_id_external_id_key" ON "feed_events"("program_id", "feed_id", "external_id");

-- CreateIndex
CREATE INDEX "feed_objects_program_id_event_id_idx" ON "feed_objects"("program_id", "event_id");

-- AddForeignKey
ALTER TABLE "feeds" ADD CONSTRAINT "feeds_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "feed_events" ADD CONSTRAINT "feed_events_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "feed_events" ADD CONSTRAINT "feed_events_program_id_feed_id_fkey" FOREIGN KEY ("program_id", "feed_id") REFERENCES "feeds"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "feed_events" ADD CONSTRAINT "feed_events_program_id_sale_id_fkey" FOREIGN KEY ("program_id", "sale_id") REFERENCES "sales"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "feed_objects" ADD CONSTRAINT "feed_objects_program_id_event_id_fkey" FOREIGN KEY ("program_id", "event_id") REFERENCES "feed_events"("program_id", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- Nothing searches in them, and statistics of JSON are large.
ALTER TABLE "feed_events" ALTER COLUMN "facts" SET STATISTICS 0;
