-- AlterTable
ALTER TABLE "programs" ADD COLUMN     "link_parameters" TEXT[] DEFAULT ARRAY['fpr', 'via_id']::TEXT[],
ADD COLUMN     "shadow" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "shadow_ended_at" TIMESTAMPTZ(3);
