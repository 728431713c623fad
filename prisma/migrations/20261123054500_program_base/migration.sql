-- AlterTable: a program that was imported with --base waits for what has changed since at its source.
ALTER TABLE "programs" ADD COLUMN     "base" JSONB;

-- It was not opened meanwhile, so that it still is what the base was.
ALTER TABLE "programs" ADD CONSTRAINT "programs_with_a_base_are_closed" CHECK ("base" IS NULL OR "closed_at" IS NOT NULL);
