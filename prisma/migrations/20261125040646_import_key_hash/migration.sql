-- AlterTable
ALTER TABLE "imports" ADD COLUMN     "key_hash" TEXT;
