-- AlterTable
ALTER TABLE "commissions" ADD COLUMN     "further_held_reasons" JSONB;
