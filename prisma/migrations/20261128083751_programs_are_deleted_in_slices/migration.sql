-- AlterTable
ALTER TABLE "programs" ADD COLUMN     "deleted_at" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "programs_deleted_at_idx" ON "programs"("deleted_at") WHERE ("deleted_at" IS NOT NULL);
