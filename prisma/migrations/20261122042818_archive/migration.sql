-- AlterTable
ALTER TABLE "affiliate_coupons" ADD COLUMN     "archived_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "affiliate_links" ADD COLUMN     "archived_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "campaigns" ADD COLUMN     "archived_at" TIMESTAMPTZ(3);

-- Affiliates that are created without a campaign join the default campaign.
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_default_is_not_archived" CHECK (NOT ("is_default" AND "archived_at" IS NOT NULL));
