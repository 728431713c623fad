-- AlterTable
ALTER TABLE "unattributed_sales" ADD COLUMN     "dismissed_at" TIMESTAMPTZ(3),
ADD COLUMN     "dismissed_by_id" UUID,
ADD COLUMN     "dismissed_by_kind" "actor_kind";
