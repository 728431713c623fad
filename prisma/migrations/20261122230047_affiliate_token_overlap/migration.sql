-- AlterTable
ALTER TABLE "affiliate_token_secrets" ADD COLUMN     "previous_ends_at" TIMESTAMPTZ(3),
ADD COLUMN     "previous_secret" TEXT;
