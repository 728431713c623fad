-- AlterTable
ALTER TABLE "asset_files" ALTER COLUMN "content" DROP NOT NULL;

-- AlterTable
ALTER TABLE "assets" ADD COLUMN     "deleted_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "stray_objects" (
    "key" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "stray_objects_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE INDEX "stray_objects_due_at_idx" ON "stray_objects"("due_at");
