-- AlterTable
ALTER TABLE "programs" ADD COLUMN     "link_parameters" TEXT NOT NULL DEFAULT 'fpr,via_id',
ADD COLUMN     "shadow" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "shadow_ended_at" TIMESTAMPTZ(3);
