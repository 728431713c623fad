-- DropIndex
DROP INDEX "affiliate_coupons_program_id_affiliate_id_key";

-- AlterTable
ALTER TABLE "affiliate_coupons" ADD COLUMN     "discount_amount_cents" BIGINT,
ADD COLUMN     "discount_basis_points" INTEGER,
ADD COLUMN     "discount_currency" TEXT,
ADD COLUMN     "first_of" UUID;

-- An affiliate had at most one coupon. No trigger runs: nothing changes that one would record.
ALTER TABLE "affiliate_coupons" DISABLE TRIGGER USER;
UPDATE "affiliate_coupons" SET "first_of" = "affiliate_id" WHERE "archived_at" IS NULL;
ALTER TABLE "affiliate_coupons" ENABLE TRIGGER USER;

-- CreateIndex
CREATE INDEX "affiliate_coupons_program_id_affiliate_id_id_idx" ON "affiliate_coupons"("program_id", "affiliate_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "affiliate_coupons_program_id_first_of_key" ON "affiliate_coupons"("program_id", "first_of");

-- AddForeignKey
ALTER TABLE "affiliate_coupons" ADD CONSTRAINT "affiliate_coupons_program_id_first_of_fkey" FOREIGN KEY ("program_id", "first_of") REFERENCES "affiliates"("program_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE "affiliate_coupons"
  ADD CONSTRAINT "affiliate_coupons_first_is_of_its_affiliate" CHECK ("first_of" = "affiliate_id"),
  ADD CONSTRAINT "affiliate_coupons_discount_basis_points_in_range" CHECK ("discount_basis_points" BETWEEN 1 AND 10000),
  ADD CONSTRAINT "affiliate_coupons_discount_amount_is_positive" CHECK ("discount_amount_cents" BETWEEN 1 AND 9007199254740991),
  ADD CONSTRAINT "affiliate_coupons_discount_currency_is_a_code" CHECK ("discount_currency" ~ '^[a-z]{3}$'),
  ADD CONSTRAINT "affiliate_coupons_discount_is_one" CHECK (("discount_amount_cents" IS NULL) = ("discount_currency" IS NULL)
    AND ("discount_basis_points" IS NULL OR "discount_amount_cents" IS NULL));
