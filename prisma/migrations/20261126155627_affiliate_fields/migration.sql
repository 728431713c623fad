-- CreateEnum
CREATE TYPE "affiliate_field_type" AS ENUM ('text', 'number', 'date', 'choice');

-- AlterTable
ALTER TABLE "affiliates" ADD COLUMN     "own_fields" JSONB NOT NULL DEFAULT '{}';

-- CreateTable
CREATE TABLE "affiliate_fields" (
    "program_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "label" TEXT NOT NULL,
    "type" "affiliate_field_type" NOT NULL,
    "choices" JSONB NOT NULL DEFAULT '[]',
    "position" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "affiliate_fields_pkey" PRIMARY KEY ("program_id","name")
);

-- AddForeignKey
ALTER TABLE "affiliate_fields" ADD CONSTRAINT "affiliate_fields_program_id_fkey" FOREIGN KEY ("program_id") REFERENCES "programs"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- No statistics are gathered of JSON.
ALTER TABLE "affiliates" ALTER COLUMN "own_fields" SET STATISTICS 0;
ALTER TABLE "affiliate_fields" ALTER COLUMN "choices" SET STATISTICS 0;
