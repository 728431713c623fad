-- AlterTable
ALTER TABLE "commissions" ADD COLUMN     "further_held_reasons" JSONB;
ALTER TABLE "commissions" ALTER COLUMN "further_held_reasons" SET STATISTICS 0;
